import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlsView } from '../../../src/controls/controls-view.ts';
import type { ActiveProfile, PopupState } from '../../../src/protocol/page-state.ts';
import { comparison, NOW, plain, popupState } from './sample-state.ts';

const NO_ANSWER = { from: 'nothing', why: 'working' } as const;
const view = (changed: Partial<PopupState> = {}) => plain(controlsView(popupState(changed), { answer: NO_ANSWER, now: NOW }));
const active = (changed: Partial<ActiveProfile>) => view({ active: { ...popupState().active, ...changed } }).profile;

describe('recording', () => {
  it('says that it records, and that records stay here', () => {
    const { recording } = view();
    expect(recording).toMatchObject({ tone: 'good', title: 'Recording', offerPermission: false });
    expect(recording.detail).toContain('Records stay on this machine. Private windows are never recorded.');
  });

  it('says that the permission is missing and offers to grant it', () => {
    const { recording } = view({ recording: { state: 'no-permission' } });
    expect(recording).toMatchObject({ tone: 'problem', title: 'Not recording: permission missing', offerPermission: true });
    expect(recording.detail).toContain('Nothing is recorded until you allow it');
  });

  it.each([
    ['QuotaExceededError', 'Firefox reported: QuotaExceededError.'],
    ['The disk is full.', 'Firefox reported: The disk is full. Check'],
    ['  ', 'Firefox reported: no reason.'],
  ])('passes on why the store failed (%j)', (message, words) => {
    const { recording } = view({ recording: { state: 'store-failed', message } });
    expect(recording).toMatchObject({ tone: 'problem', title: 'Not recording: storage failed', offerPermission: false });
    expect(recording.detail).toContain(words);
  });
});

describe('active profile', () => {
  it.each([
    ['browser', 'Plumbfox has changed nothing.'],
    ['experiment-api', 'Experiment API'],
    ['driver', 'browser driver'],
    ['policy', 'policies.json'],
    ['helper', 'user.js'],
    ['manual', 'about:config'],
  ] as const)('says how it was applied: %s', (appliedBy, words) => expect(active({ appliedBy }).appliedBy).toContain(words));

  it.each([
    [{ carrier: 'gateway', depth: 6 }, 'Up to 6 requests per connection through the gateway, on plain-http sites only.', 'plain'],
    [
      { carrier: 'http2', depth: 6 },
      'Up to 6 requests per connection as HTTP/2 streams, where the server sets no limit of its own.',
      'plain',
    ],
    [{ carrier: 'legacy', depth: 6 }, 'Up to 6 requests per connection by Firefox’s own HTTP/1.1 pipelining (up to Gecko 53).', 'plain'],
    [{ carrier: 'none', depth: 6 }, 'Pipelining has no effect here: each HTTP/1.1 connection has one request at a time, not 6.', 'warning'],
    [{ carrier: 'none', depth: 1 }, 'Each HTTP/1.1 connection has one request at a time.', 'plain'],
  ] as const)('names the carrier: %j', (changed, words, tone) => {
    const { depth } = active(changed);
    expect(depth.text).toContain(words);
    expect(depth.tone).toBe(tone);
  });

  it('without the depth still says that no carrier means no effect, except for the Plumbfox has changed nothing.', () => {
    const { depth: _, ...unknownDepth } = popupState().active;
    const words = (appliedBy: ActiveProfile['appliedBy']) =>
      view({ active: { ...unknownDepth, carrier: 'none', appliedBy } }).profile.depth.text;
    expect(words('policy')).toContain('has no effect');
    expect(words('browser')).toContain('Each HTTP/1.1 connection has one request at a time.');
  });

  it('lists mismatches, and has nothing to list when the profile is in effect', () => {
    expect(active({ mismatches: [] }).mismatches).toBeUndefined();
    expect(active({ mismatches: ['a.b'] }).mismatches?.heading).toContain(
      'Not in effect: 1 preference does not have the intended value. Loads made now are excluded.',
    );
    const two = active({ mismatches: ['a.b', 'c.d'] }).mismatches;
    expect(two?.heading).toContain('2 preferences do not have');
    expect(two?.preferences).toEqual(['a.b', 'c.d']);
  });

  it('shows the id only beside a different title', () => {
    expect(active({ title: 'c4-d6' }).id).toBeUndefined();
    expect(active({ title: '4 connections' }).id).toBe('c4-d6');
  });
});

describe('what is missing', () => {
  it('says how to get a first load, but not while nothing is recorded', () => {
    const words = (recording: PopupState['recording']) => view({ lastLoad: undefined, recording }).load;
    expect(words({ state: 'recording' })).toMatchObject({ state: 'empty', text: expect.stringContaining('Open any web page') });
    expect(words({ state: 'no-permission' })).toEqual({ state: 'empty', text: 'No load recorded yet.' });
  });

  it.each([[undefined], [{ ...comparison, profiles: [] }]])('says that there is nothing to compare', (missing) => {
    expect(view({ comparison: missing }).comparison).toMatchObject({
      state: 'empty',
      text: expect.stringContaining('two different settings'),
    });
  });
});

describe('records', () => {
  it.each([
    [{ loads: 0 }, { text: 'No loads are stored.', canExport: false, canDelete: false }],
    [{ loads: 1 }, { text: '1 load stored on this machine.', canExport: true, canDelete: true }],
    [{ loads: 24 }, { text: '24 loads stored on this machine.', deleteQuestion: 'Delete all 24 loads? This cannot be undone.' }],
    [
      { loads: 0, recording: { state: 'store-failed', message: 'x' } },
      { canExport: false, canDelete: true, deleteQuestion: 'Delete every stored load? This cannot be undone.' },
    ],
  ] as const)('%j', (changed, expected) => expect(view(changed).records).toMatchObject(expected));
});

describe('any state', () => {
  const unknownOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const positive = fc.double({ min: 0, max: 1e9, noNaN: true });

  it('never shows undefined, NaN or Infinity', () => {
    fc.assert(
      fc.property(
        fc.record({ estimate: unknownOr(positive), low: unknownOr(positive), high: unknownOr(positive), load: positive, url: fc.string() }),
        ({ estimate, low, high, load, url }) => {
          const state = popupState();
          const [first] = comparison.profiles;
          if (state.lastLoad === undefined || first === undefined) throw new Error('The sample state lost its load.');
          const odd = {
            ...first,
            role: 'candidate' as const,
            efficiency: { estimate, low, high },
            loadTimeMs: { median: estimate },
            versusBaseline: {
              ...first.versusBaseline,
              ratio: estimate,
              low,
              high,
              verdict: 'need-more-loads' as const,
              loadsNeeded: estimate,
            },
          };
          const words = JSON.stringify(
            controlsView(
              {
                ...state,
                lastLoad: { ...state.lastLoad, url, measures: { ...state.lastLoad.measures, loadTimeMs: load as never } },
                comparison: { ...comparison, profiles: [odd] },
              },
              { answer: NO_ANSWER, now: NOW },
            ),
          );
          expect(words.replace(JSON.stringify(url), '')).not.toMatch(/undefined|NaN|Infinity|∞|null/);
        },
      ),
    );
  });
});
