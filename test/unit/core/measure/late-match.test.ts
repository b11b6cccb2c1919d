/** Which stored load a late event is part of. */
import { describe, expect, it } from 'vitest';
import { changesLoad, isLatePartOf, type KnownLoad, type TabEvents } from '../../../../src/core/measure/late-arrivals.ts';
import type { RawRequestEvent } from '../../../../src/core/measure/page-load.ts';

const BEGAN = 1_000_000;
const ENDED = BEGAN + 5_000;
const PAGE = 'http://site.test/';

const load = (change: Partial<KnownLoad> = {}): KnownLoad => ({
  stored: { startedAt: BEGAN, endedAt: ENDED, url: PAGE },
  requestIds: new Set(['1', '2']),
  lacksDocument: false,
  document: undefined,
  awaited: new Set<string>(),
  isFull: false,
  ...change,
});
const among = (change: Partial<TabEvents> = {}): TabEvents => ({
  since: BEGAN - 60_000,
  navigations: [],
  firstUrls: new Map(),
  documents: new Map(),
  ...change,
});
const event = (change: Partial<RawRequestEvent> = {}): RawRequestEvent => ({
  phase: 'completed',
  at: ENDED + 500,
  requestId: '9',
  tabId: 1,
  frameId: 0,
  type: 'image',
  url: 'http://site.test/i.png',
  ...change,
});

describe('a late event is part of a load', () => {
  it.each<[string, Partial<RawRequestEvent>, Partial<KnownLoad>, Partial<TabEvents>]>([
    ['whose request it has', { requestId: '2', at: ENDED + 100_000 }, {}, {}],
    ['that has just ended', {}, {}, {}],
    ['whose entry waits for it', { at: ENDED + 2_000 }, { awaited: new Set(['http://site.test/i.png']) }, {}],
    [
      'whose entry waits for the address that was asked for first',
      { at: ENDED + 2_000, url: 'http://site.test/moved.png' },
      { awaited: new Set(['http://site.test/i.png']) },
      { firstUrls: new Map([['9', 'http://site.test/i.png#part']]) },
    ],
    [
      'of the same document, whatever navigation began since',
      { documentId: 'd1' },
      { stored: { ...load().stored, documentId: 'd1' } },
      { navigations: [{ at: ENDED, requestId: '8' }] },
    ],
    ['after a navigation that is its own', {}, {}, { navigations: [{ at: ENDED - 1, requestId: '1' }] }],
    ['as the end of the document it lacks', { type: 'main_frame', url: `${PAGE}#top`, at: BEGAN + 100 }, { lacksDocument: true }, {}],
  ])('%s', (_, change, known, others) => {
    expect(isLatePartOf(load(known), event(change), among(others))).toBe(true);
  });
});

describe('a late event is not part of a load', () => {
  it.each<[string, Partial<RawRequestEvent>, Partial<KnownLoad>, Partial<TabEvents>]>([
    ['that ended long before', { requestId: '2', at: ENDED + 180_001 }, {}, {}],
    ['of an earlier run of Firefox, whose ids begin anew', { requestId: '2' }, {}, { since: ENDED + 1 }],
    ['that nothing waits for, a second after its end', { at: ENDED + 1_001 }, {}, {}],
    ['of another document', { documentId: 'd2' }, { stored: { ...load().stored, documentId: 'd1' } }, {}],
    ['of another address', { documentUrl: 'http://other.test/' }, {}, {}],
    ['when the next navigation has begun', {}, {}, { navigations: [{ at: ENDED + 1, requestId: '8' }] }],
    ['that has its document', { type: 'main_frame', url: PAGE, at: BEGAN + 100 }, {}, {}],
    [
      'as the beginning of its document, which only the end identifies',
      { type: 'main_frame', phase: 'started', url: PAGE, at: BEGAN },
      { lacksDocument: true },
      {},
    ],
    ['as a document of another time', { type: 'main_frame', url: PAGE, at: ENDED + 1 }, { lacksDocument: true }, {}],
  ])('%s', (_, change, known, others) => {
    expect(isLatePartOf(load(known), event(change), among(others))).toBe(false);
  });
});

it('changes a full load only where it has the request, or waits for it', () => {
  const known = load({ awaited: new Set(['http://site.test/i.png']) });
  const changed = (change: Partial<RawRequestEvent>) => changesLoad(known, event(change), among());
  expect([changed({ requestId: '1' }), changed({}), changed({ type: 'main_frame', url: PAGE })]).toEqual([true, true, true]);
  expect(changed({ url: 'http://site.test/other.png' })).toBe(false);
});
