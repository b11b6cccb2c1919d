/** What a report says of the run itself: checks whether lanes disturb each other, and tries that were void. */
import { describe, expect, it } from 'vitest';
import { voided } from '../../../../src/core/report/validity.ts';
import {
  excludedTriesSentence,
  excludedTriesTable,
  interferenceNotes,
  loadCounts,
  loadCountsSentence,
} from '../../../../src/lab/study-run/run-notes.ts';
import type { InterferenceLine, LoadLine } from '../../../../src/lab/study-run/study-log.ts';
import { madeLoad } from '../studies/made-load.ts';

describe('the notes on checks of lanes', () => {
  const check = (lanes: number, more: Partial<InterferenceLine>): InterferenceLine => ({
    ...{ session: 0, lanes, page: 'docs', link: 'near', ok: false },
    profiles: [
      { profileId: 'c1-d2', aloneMs: [1, 1, 1, 1], besideMs: [1, 1, 1, 1, 1] },
      { profileId: 'c6-d4', aloneMs: [1, 1, 1, 1], besideMs: [1, 1, 1, 1] },
    ],
    ...more,
  });

  it('say what passed, what that rests on, and which numbers of lanes failed before', () => {
    const failed = [
      check(10, { longer: 0.126, ratioMoves: 0.029 }),
      check(9, { longer: 0.01, ratioMoves: 0.025 }),
      check(8, { profiles: [] }),
    ];
    expect(interferenceNotes([...failed, check(6, { longer: 0.0012, ratioMoves: 0.0105, ok: true })])).toEqual([
      'Lanes side by side disturbed each other, so loads made with them do not count: with 10 lanes a load took 12.6 % longer than alone and the ratio of the profiles moved by 2.9 %; with 9 lanes the ratio of the profiles moved by 2.5 %; with 8 lanes the check did not finish.',
      // Five loads of one profile and four of the other: the fewest are told.
      '6 lanes side by side did not disturb each other: the median load took at most 0.1 % longer than alone, and the ratio of the profiles moved by 1.1 %. This rests on 4 loads alone and 4 beside the others of c1-d2 and c6-d4 each, on docs over near alone; up to 3.0 % and 2.0 % pass.',
    ]);
  });

  it('name as factors what cannot be read as a share', () => {
    const [note] = interferenceNotes([check(10, { longer: 181.67, ratioMoves: 1.345 }), check(8, { longer: 1, ratioMoves: 0 })]);
    expect(note).toContain('with 10 lanes a load took 183 times as long as alone and the ratio of the profiles moved by a factor of 2.3;');
    expect(note).toContain('with 8 lanes a load took 2.0 times as long as alone.');
  });

  it('do not call a check failed that was not made', () => {
    expect(interferenceNotes([{ ...check(8, { profiles: [] }), notMeasured: true }])).toEqual([
      'Whether 8 lanes side by side disturb each other was not measured: too few loads were made for it.',
    ]);
  });

  it('keep the sessions apart, and are none where nothing was checked', () => {
    const passed = { longer: -0.004, ratioMoves: 0, ok: true };
    const notes = interferenceNotes([
      check(8, passed),
      check(8, { longer: 0.04, ratioMoves: 0, session: 1 }),
      check(6, { ...passed, session: 1 }),
    ]);
    expect(notes.map((note) => note.slice(0, 7))).toEqual(['8 lanes', 'Lanes s', '6 lanes']);
    expect(notes[0]).toContain('at most \u22120.4 % longer');
    expect(interferenceNotes([])).toEqual([]);
  });
});

describe('the count of loads', () => {
  const made = (validity: ReturnType<typeof madeLoad>['validity']) =>
    madeLoad({ profileId: 'c1-d2', page: 'docs', link: 'near', validity });
  const valid = made({ state: 'valid' });
  const atBound = made(voided({ cause: 'time-limit', afterMs: 60_000 }));
  const excluded = made(voided({ cause: 'request-open', what: 'image' }));
  // It is made again.
  const open = made(voided({ cause: 'link-not-as-asked', why: 'x' }));

  it('has those at their bound among what counts, as the comparison has, and not among what is excluded', () => {
    const counts = loadCounts([valid, valid, atBound, excluded, open]);
    expect(counts).toEqual({ valid: 2, atBound: 1, settledExcluded: 1 });
    expect(loadCountsSentence(counts, 5)).toBe('2 of 5 loads are valid, and 1 that took too long counts at its bound.');
    expect(loadCountsSentence(loadCounts([valid, atBound, atBound]), 3)).toMatch(/, and 2 that took too long count at their bound\.$/);
    expect(loadCountsSentence(loadCounts([valid]), 3)).toBe('1 of 3 loads are valid.');
  });
});

describe('void tries', () => {
  const tryOf = (profileId: string, reason?: string): LoadLine => ({
    load: madeLoad({ profileId, page: 'docs', link: 'near', ...(reason !== undefined && { validity: { state: 'void', reason } }) }),
    ...{ session: 0, attempt: 0 },
  });
  const ABORTED = 'a request failed: NS_BINDING_ABORTED';
  const loads = [
    ...[tryOf('c1-d2'), tryOf('c1-d2'), tryOf('c2-d2')],
    ...[tryOf('c4-d6'), tryOf('c4-d6', `${ABORTED} (image http://a/1.png)`)],
    ...[tryOf('c6-d4'), tryOf('c6-d4', `${ABORTED} (image http://a/2.png)`), tryOf('c6-d4', `${ABORTED} (script http://b/3.js)`)],
    tryOf('c6-d4', 'the page was not finished when the time was up'),
  ];

  it('are counted by profile and by what stands before the place', () => {
    expect(excludedTriesTable({ loads })?.rows).toEqual([
      ['c6-d4', '4', '3', '75 %', `${ABORTED}: 2; the page was not finished when the time was up: 1`],
      ['c4-d6', '2', '1', '50 %', `${ABORTED}: 1`],
      ['the other 2', '3', '0', '0 %', ''],
    ]);
    expect(excludedTriesSentence({ loads })).toBe(
      `4 of 9 tries were excluded (${ABORTED}: 3; the page was not finished when the time was up: 1), by profile: c6-d4 3, c4-d6 1.`,
    );
  });

  it('have thousands separated', () => {
    const many = [...Array.from({ length: 1120 }, () => tryOf('c1-d2')), tryOf('c4-d6', ABORTED)];
    expect(excludedTriesSentence({ loads: many })).toMatch(/^1 of 1,121 tries/);
  });

  it('are not spoken of where there is none', () => {
    expect(excludedTriesTable({ loads: [tryOf('c1-d2')] })).toBeUndefined();
    expect(excludedTriesSentence({ loads: [tryOf('c1-d2')] })).toBeUndefined();
  });
});
