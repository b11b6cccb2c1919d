/** The parts of a study's run that are pure: plan, queue, interference, log. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { images } from '../../../../src/lab/pages/pages.ts';
import { wiki } from '../../../../src/lab/pages/wiki.ts';
import type { Study } from '../../../../src/lab/studies/study.ts';
import { fewerLanes, interferenceVerdict, stepsFrom } from '../../../../src/lab/study-run/interference.ts';
import { blockQueue } from '../../../../src/lab/study-run/lane-scheduler.ts';
import { referenceCell } from '../../../../src/lab/study-run/lanes-check.ts';
import { partSentence } from '../../../../src/lab/study-run/run-notes.ts';
import { intended } from '../../../../src/lab/study-run/study-lane.ts';
import {
  appendStudyLine,
  dropCutLine,
  type LoadLine,
  readStudyLog,
  type StudyLine,
  standingLoads,
} from '../../../../src/lab/study-run/study-log.ts';
import { cellKey, planFingerprint, studyPlan } from '../../../../src/lab/study-run/study-plan.ts';

const study: Study = {
  id: 'sample',
  question: 'Is it so?',
  source: 'nobody',
  pages: [
    { name: 'wiki', recipe: wiki, servedBy: 'embedded', connections: 'cold' },
    { name: 'images', recipe: images, servedBy: 'embedded', connections: 'cold' },
  ],
  links: [
    { name: 'near', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 },
    { name: 'far', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 },
  ],
  profiles: resolveProfiles(['c1-d2', 'c4-d6']),
  baseline: 'c1-d2',
  repeats: 2,
  timeoutS: 60,
  cut: { pages: ['wiki'], links: ['near'], profiles: ['c4-d6'], repeats: 1 },
  findings: () => ({ tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} }),
};

describe('the plan of a study', () => {
  const plan = studyPlan(study, { cut: {}, seed: 1 });

  it('has every profile once in each block, the control and the untouched Firefox among them', () => {
    expect(plan.blocks).toHaveLength(8);
    for (const { loads } of plan.blocks)
      expect(loads.map(({ profileId }) => profileId).sort()).toEqual(['c1-d2', 'c4-d6', 'control', 'firefox-default']);
    expect(plan.loads).toBe(32);
    expect(new Set(plan.blocks.flatMap(({ loads }) => loads.map(cellKey))).size).toBe(32);
  });

  it('is the same for the same seed, and another for another', () => {
    const order = (seed: number) =>
      studyPlan(study, { cut: {}, seed }).blocks.flatMap(({ loads }) => loads.map(({ profileId }) => profileId));
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
  });

  it('keeps the baseline in whatever part is asked for, and leaves out what the study leaves out', () => {
    const cut = studyPlan(study, { cut: study.cut, seed: 1 });
    expect(cut.loads).toBe(4);
    expect(cut.profiles.map(({ id }) => id)).toEqual(['c1-d2', 'c4-d6', 'firefox-default', 'control']);
    const without = studyPlan({ ...study, without: ({ name }, link) => name === 'images' && link.name === 'far' }, { cut: {}, seed: 1 });
    expect(without.loads).toBe(24);
  });

  it('says how large a part of the study it is', () => {
    expect(partSentence(study, plan)).toBeUndefined();
    expect(partSentence(study, studyPlan(study, { cut: { repeats: 3 }, seed: 1 }))).toBeUndefined();
    // Wiki over near, c1-d2 and c4-d6 with the two that join: once, not 4 scenarios twice.
    expect(partSentence(study, studyPlan(study, { cut: { pages: ['wiki'], links: ['near'], repeats: 1 }, seed: 1 }))).toBe(
      'This is a part of the study, 1 of 2 pages, 1 of 2 links, 1 of 2 repeats: 4 loads where the whole has 32. What it finds holds for the part.',
    );
  });

  it('takes the largest page over the quickest link to see whether lanes disturb each other', () => {
    const cell = referenceCell(plan, 'c1-d2');
    expect([cell?.block.page.name, cell?.block.link.name]).toEqual(['images', 'near']);
    expect(cell?.profiles[0]).toBe('c1-d2');
  });

  it('is told from a study that has changed', () => {
    const slower = { ...study, links: study.links.map((link) => ({ ...link, rttMs: link.rttMs + 1 })) };
    expect(planFingerprint(studyPlan(slower, { cut: {}, seed: 1 }))).not.toBe(planFingerprint(plan));
    expect(planFingerprint(studyPlan(study, { cut: {}, seed: 9 }))).toBe(planFingerprint(plan));
  });
});

describe('the queue of blocks', () => {
  it('gives the shortest to one lane of four, the longest to the others, and each once', () => {
    const queue = blockQueue([3, 1, 2, 5, 4].map((expectedMs) => ({ block: expectedMs, expectedMs })));
    expect([queue.take(0), queue.take(1), queue.take(2), queue.take(5), queue.take(3), queue.take(0)]).toEqual([5, 1, 4, 2, 3, undefined]);
  });

  it('gives a block that came back to the next lane that takes the longest', () => {
    const queue = blockQueue([1, 2].map((expectedMs) => ({ block: expectedMs, expectedMs })));
    queue.giveBack({ block: 9, expectedMs: Number.POSITIVE_INFINITY });
    expect([queue.take(0), queue.take(0), queue.take(0)]).toEqual([9, 2, 1]);
  });
});

describe('whether lanes disturb each other', () => {
  const times = (aloneMs: readonly number[], besideMs: readonly number[], profileId = 'a') => ({ profileId, aloneMs, besideMs });

  it('says by how much a load takes longer, and how far ratios move', () => {
    // 1000 to 1020 is 2 % longer; 500 to 505 is 1 %: the ratio moves from 2 to 2.0198, by 0.99 %.
    const verdict = interferenceVerdict([times([990, 1000, 1010], [1020, 1020, 1030]), times([500, 500], [505, 505], 'b')], 1);
    // Three loads are too few to be sure of less than 3 %.
    expect(verdict?.ok).toBe(false);
    expect(verdict?.longer).toBeCloseTo(0.02, 10);
    expect(verdict?.ratioMoves).toBeCloseTo(1020 / 505 / 2 - 1, 10);
  });

  it.each([
    { what: 'a load takes 4 % longer', of: [times([1000], [1040]), times([500], [520], 'b')] },
    { what: 'a ratio moves by 3 %', of: [times([1000], [1029]), times([500], [499], 'b')] },
  ])('is a fault where $what', ({ of }) => {
    expect(interferenceVerdict(of, 1)?.ok).toBe(false);
  });

  it('is shown by an interval that ends within the bounds, at a level for all steps', () => {
    // Both samples have a spread of 1.155 % on logarithms: 0.01 x sqrt(4 / 3). Their difference has 1.155 % x sqrt(2 / 4) = 0.816 %, with 6
    // degrees of freedom. Ends of the one-sided intervals: t(.95, 6) = 1.943 gives 1.59 %, t(.99, 6) = 3.143 gives 2.57 %, t(.995, 6) = 3.707
    // gives 3.03 %, and log 1.03 is 2.96 %. The ratio of two equal profiles, one of them without spread, stays within 2 %: 1.59 %.
    const spread = [-1, 1, -1, 1].map((sign) => 1000 * Math.exp(0.01 * sign));
    const still = times([500, 500, 500, 500], [500, 500, 500, 500], 'b');
    expect(interferenceVerdict([times(spread, spread), still], 1)).toEqual({ ok: true, longer: 0, ratioMoves: 0 });
    expect(interferenceVerdict([times(spread, spread), still], 5)?.ok).toBe(false);
    expect([10, 6, 3, 2, 1].map(stepsFrom)).toEqual([7, 5, 2, 1, 1]);
  });

  it('is not known where a profile has no load', () => {
    expect(interferenceVerdict([times([1000], []), times([500], [505], 'b')], 1)).toBeUndefined();
    expect(interferenceVerdict([], 1)).toBeUndefined();
  });

  it('leaves a seventh fewer lanes, or as many as would have had the time', () => {
    // 0.85 x 10 and 2; 10 x 1.03 / 2.905 is 3.5, 6 x 1.03 / 1.894 is 3.3.
    expect([fewerLanes(10, undefined), fewerLanes(10, 0.12), fewerLanes(2, 0.05), fewerLanes(1, 9)]).toEqual([8, 8, 1, 1]);
    expect([fewerLanes(10, 1.905), fewerLanes(6, 0.894)]).toEqual([4, 4]);
  });
});

interface Checked {
  readonly session?: number;
  readonly lanes: number;
  readonly ok: boolean;
  readonly notMeasured?: boolean;
}

describe('the log of a study', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-log-'));
    path = join(folder, 'loads.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const [profile] = resolveProfiles(['c4-d6']);
  const line = (order: number, state: 'valid' | 'void', more: Partial<LoadLine> & { lanes?: number } = {}): LoadLine => {
    const { lanes = 4, ...rest } = more;
    const validity = state === 'valid' ? { state } : { state, reason: 'a request failed' };
    const place = { profileId: 'c4-d6', page: 'wiki', link: 'far', block: order, order, startedAt: order, validity, readBack: [] };
    return {
      load: { ...place, lane: 0, lanes, intended: intended(profile as NonNullable<typeof profile>) },
      session: 0,
      attempt: 0,
      ...rest,
    };
  };
  const interference = { session: 0, page: 'wiki', link: 'far', profiles: [], longer: 0.05, ratioMoves: 0 };

  it('is read back as it was written', () => {
    for (const each of [line(0, 'valid'), line(1, 'void')]) appendStudyLine(path, each);
    appendStudyLine(path, { link: { name: 'far', lane: 0, at: 5, measured: { rttMs: 300, downKbps: 1990 }, ok: true } });
    const { loads, links, study: none } = readStudyLog(path);
    expect(loads).toEqual([line(0, 'valid'), line(1, 'void')]);
    expect(links).toHaveLength(1);
    expect(none).toBeUndefined();
  });

  it('cut anywhere loses the last line and nothing else', () => {
    for (const each of [line(0, 'valid'), line(1, 'valid')]) appendStudyLine(path, each);
    const whole = readFileSync(path);
    const first = whole.indexOf(0x0a) + 1;
    for (let end = first; end < whole.length; end += 7) {
      writeFileSync(path, whole.subarray(0, end));
      dropCutLine(path);
      expect(readStudyLog(path).loads).toEqual([line(0, 'valid')]);
      appendStudyLine(path, line(2, 'valid'));
      expect(readStudyLog(path).loads).toEqual([line(0, 'valid'), line(2, 'valid')]);
    }
  });

  it('takes back the piece of a line that a full disk left', () => {
    appendStudyLine(path, line(0, 'valid'));
    const whole = readFileSync(path);
    // A folder cannot be appended to: what is there already must stay.
    expect(() => appendStudyLine(folder, line(1, 'valid'))).toThrow(/cannot be written \(EISDIR\)/);
    expect(readFileSync(path)).toEqual(whole);
  });

  it('names the line that is none', () => {
    appendStudyLine(path, line(0, 'valid'));
    appendFileSync(path, '{"load": 3}\n');
    expect(() => readStudyLog(path)).toThrow(`${path}, line 2, is no line of a study`);
  });

  it('counts the last word on each cell, and never takes back a valid load', () => {
    const loads = [line(0, 'void'), line(0, 'valid', { attempt: 1 }), line(1, 'valid'), line(1, 'void', { attempt: 1 })];
    expect(
      standingLoads({ loads, interference: [{ ...interference, lanes: 4, ok: true }] }).map(({ order, validity }) => [
        order,
        validity.state,
      ]),
    ).toEqual([
      [0, 'valid'],
      [1, 'valid'],
    ]);
  });

  it('does not count what was made while lanes disturbed each other', () => {
    const loads = [line(0, 'valid', { lanes: 8 }), line(1, 'valid', { lanes: 6 })];
    const checks = [
      { ...interference, lanes: 8, ok: false },
      { ...interference, lanes: 6, ok: true },
    ];
    expect(standingLoads({ loads, interference: checks }).map(({ order }) => order)).toEqual([1]);
  });

  it.each<{ what: string; checks: readonly Checked[]; stands: boolean }>([
    { what: 'no other was checked', checks: [], stands: false },
    { what: 'as many passed', checks: [{ lanes: 10, ok: true }], stands: true },
    {
      what: 'more passed, though more than that failed',
      checks: [
        { lanes: 12, ok: true },
        { lanes: 16, ok: false },
      ],
      stands: true,
    },
    {
      what: 'only fewer passed',
      checks: [
        { lanes: 8, ok: false },
        { lanes: 6, ok: true },
      ],
      stands: false,
    },
    {
      what: 'fewer failed, though as many passed',
      checks: [
        { lanes: 8, ok: false },
        { lanes: 10, ok: true },
      ],
      stands: false,
    },
    {
      what: 'as many failed',
      checks: [
        { lanes: 10, ok: false },
        { lanes: 8, ok: true },
      ],
      stands: false,
    },
    { what: 'others could not be checked', checks: [{ lanes: 10, ok: false, notMeasured: true }], stands: false },
    {
      what: 'as many passed, and fewer could not be checked',
      checks: [
        { lanes: 10, ok: true },
        { lanes: 8, ok: false, notMeasured: true },
      ],
      stands: true,
    },
  ])('counts loads of ten lanes in a session without a check of its own ($stands) where $what', ({ checks, stands }) => {
    const loads = [line(0, 'valid', { lanes: 10 }), line(1, 'valid', { lanes: 1 })];
    const of = (more: readonly Checked[]) =>
      standingLoads({ loads, interference: more.map((check) => ({ ...interference, session: 1, ...check })) }).map(({ order }) => order);
    expect(of(checks)).toEqual(stands ? [0, 1] : [1]);
    // A check of its own that was not measured changes nothing; one that was decides.
    expect(of([...checks, { lanes: 10, ok: false, notMeasured: true, session: 0 }])).toEqual(stands ? [0, 1] : [1]);
    expect(of([...checks, { lanes: 10, ok: true, session: 0 }])).toEqual([0, 1]);
    expect(of([...checks, { lanes: 10, ok: false, session: 0 }])).toEqual([1]);
  });

  it('of before a check could be not measured, and before time-out and capture were kept, is read', () => {
    const began: StudyLine = { format: 1, id: 'a', seed: 1, repeats: 1, pages: [], links: [], profiles: [], fingerprint: 'f' };
    appendStudyLine(path, { study: began });
    appendStudyLine(path, { interference: { ...interference, lanes: 8, ok: false } });
    const read = readStudyLog(path);
    expect(read.study).toEqual(began);
    expect(read.interference).toHaveLength(1);
  });
});
