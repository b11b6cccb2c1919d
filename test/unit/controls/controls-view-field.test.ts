import { describe, expect, it } from 'vitest';
import { comparisonStatus, excludedLabel, noComparison } from '../../../src/controls/comparison-view.ts';
import { controlsView, withEverydayComparison } from '../../../src/controls/controls-view.ts';
import type { FieldAnswer } from '../../../src/protocol/field-answer.ts';
import { comparison, lastLoad, measures, plain, popupState } from './sample-state.ts';

const { efficiency: _, idealTimeMs: __, ...measuresAlone } = measures;
/** As the background tells it: nothing that rests on a link. */
const told = popupState({ comparison: undefined, lastLoad: { ...lastLoad, measures: measuresAlone, link: undefined } });
const link = { ...lastLoad.link, given: 'train' };
const answer = {
  comparison: comparison as FieldAnswer['comparison'],
  links: [link],
  newest: { startedAt: lastLoad.startedAt, link, idealTimeMs: 1_564, efficiency: 0.46 },
  compared: 24,
  loads: 24,
  unreadable: 2,
  withoutLink: 0,
  excluded: [{ why: 'washout' as const, loads: 1 }],
};
const IDLE = { answer: undefined, comparing: undefined, failure: undefined };
const UNDER_WAY = { missing: 0, loads: 0 };

describe('the facts with the comparison', () => {
  it('hold what the worker found, and the last load over its link', () => {
    const state = withEverydayComparison(told, { ...IDLE, answer });
    expect(state).toMatchObject({ comparison, unreadable: 2, lastLoad: { link, measures: { efficiency: 0.46, idealTimeMs: 1_564 } } });
    expect(state.comparing).toBeUndefined();
  });

  it('say of a load that was not compared yet that its link is being estimated', () => {
    expect(withEverydayComparison(told, { ...IDLE, comparing: UNDER_WAY }).lastLoad).toMatchObject({ link: undefined, linkPending: true });
    const newer = { ...told, lastLoad: told.lastLoad && { ...told.lastLoad, startedAt: told.lastLoad.startedAt + 1 } };
    const state = withEverydayComparison(newer, { ...IDLE, answer, comparing: UNDER_WAY });
    expect(state.lastLoad).toMatchObject({ link: undefined, linkPending: true });
    // What was known before is shown meanwhile.
    expect(state.comparison).toEqual(comparison);
  });

  it('are those of the background alone where no load is stored', () => {
    const empty = popupState({ loads: 0, comparison: undefined, lastLoad: undefined });
    expect(withEverydayComparison(empty, { ...IDLE, answer })).toEqual(empty);
  });
});

describe('what is in no figure', () => {
  const words = (state: Parameters<typeof excludedLabel>[0]) => plain(excludedLabel(state));

  it('is named with its cause and its number, the most frequent first', () => {
    const excluded = [
      { why: 'washout' as const, loads: 2 },
      { why: 'page-left' as const, loads: 5 },
    ];
    expect(words(popupState({ excluded, withoutLink: 1 }))).toBe(
      '8 loads excluded: 5 left before they finished, 2 right after a trial changed settings, 1 over an unknown network.',
    );
    expect(words(withEverydayComparison(told, { ...IDLE, answer }))).toBe('1 load excluded: 1 right after a trial changed settings.');
  });

  it('is not spoken of where every load counts', () => expect(excludedLabel(popupState())).toBeUndefined());
});

describe('the state of the comparison in words', () => {
  const status = (changed: Parameters<typeof popupState>[0]) => plain(comparisonStatus(popupState(changed)));

  it('is silent when there is nothing to say', () => expect(comparisonStatus(popupState())).toBeUndefined());
  it('says how far the preparation is', () => {
    // 3 of 4 are done.
    expect(status({ comparing: { missing: 25_000, loads: 100_000 } })).toContain('75 % of 100,000 loads done');
    expect(status({ comparing: UNDER_WAY })).toBe('Comparing all loads again…');
  });
  it('says why it failed', () => expect(status({ comparisonFailure: 'QuotaExceededError: full' })).toContain('QuotaExceededError: full'));
  it('says that the first comparison is running, or what is missing', () => {
    expect(noComparison(popupState({ comparing: UNDER_WAY }))).toContain('The first comparison is running.');
    expect(noComparison(popupState())).toContain('two different settings');
  });
  it('counts what cannot be read', () => {
    const records = (unreadable: number) =>
      plain(controlsView(popupState({ loads: 3, unreadable }), { answer: { from: 'nothing', why: 'working' }, now: 0 }).records.text);
    expect(records(1)).toBe('3 loads stored on this machine. 1 record cannot be read and is excluded.');
    expect(records(2)).toBe('3 loads stored on this machine. 2 records cannot be read and are excluded.');
    expect(records(0)).toBe('3 loads stored on this machine.');
  });
});
