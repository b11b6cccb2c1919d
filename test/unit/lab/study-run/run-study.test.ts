/** Lanes side by side without a browser: when they are checked, when they are made fewer, and what comes of lanes that break. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { wiki } from '../../../../src/lab/pages/wiki.ts';
import type { LaneRun } from '../../../../src/lab/study-run/lane-scheduler.ts';
import { measureAlone, type Reference, ROUNDS_ALONE, ROUNDS_BESIDE, referenceCell } from '../../../../src/lab/study-run/lanes-check.ts';
import { workOf, workSideBySide } from '../../../../src/lab/study-run/run-study.ts';
import type { StudyLane, StudyOrder } from '../../../../src/lab/study-run/study-lane.ts';
import { appendStudyLine, readStudyLog, standingLoads } from '../../../../src/lab/study-run/study-log.ts';
import { cellKey, type StudyBlock, type StudyPlan, studyPlan } from '../../../../src/lab/study-run/study-plan.ts';
import { blockTimes } from '../../../../src/lab/study-run/work-left.ts';
import { type Stage, stage } from './staged-lanes.ts';

const planOf = (repeats: number): StudyPlan =>
  studyPlan(
    {
      id: 'sample',
      question: 'Is it so?',
      source: 'nobody',
      pages: [{ name: 'wiki', recipe: wiki, servedBy: 'embedded', connections: 'cold' }],
      links: [{ name: 'far', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 }],
      profiles: resolveProfiles(['c1-d1', 'c4-d1']),
      baseline: 'c1-d1',
      repeats,
      timeoutS: 60,
      cut: { pages: ['wiki'], links: ['far'], profiles: ['c4-d1'], repeats: 1 },
      findings: () => ({ tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: {} }),
    },
    { cut: {}, seed: 1 },
  );

let folder: string;
let logPath: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-lanes-'));
  logPath = join(folder, 'loads.jsonl');
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LARGE = planOf(400);
const isReference = ({ planned }: { readonly planned: { readonly order: number } }) => planned.order >= 1_000_000;
const crash = new PlumbfoxError('environment', 'Firefox ended');

/** Loads take a second, alone and beside. */
function set(plan: StudyPlan, reopen: (staged: Stage, number: number) => StudyLane = (staged, number) => staged.lane(number)) {
  const staged = stage(plan);
  const cell = referenceCell(plan, 'c1-d1');
  if (!cell) throw new Error('the plan has two profiles');
  const second = Array.from({ length: ROUNDS_ALONE }, () => 1000);
  const reference: Reference = { cell, alone: [second, second], steps: 1 };
  const run: LaneRun = {
    plan,
    logPath,
    session: 0,
    now: staged.now,
    notify: (line) => void said.push(line),
    onProgress: () => {},
    interrupted: () => false,
    reopen: async (number) => reopen(staged, number),
    blockMs: blockTimes(plan),
  };
  return { ...staged, staged, cell, reference, run };
}

const verdicts = () =>
  readStudyLog(logPath).interference.map(({ lanes, ok, notMeasured }) => `${lanes} ${notMeasured ? 'not measured' : ok ? 'ok' : 'not ok'}`);
const standing = () => standingLoads(readStudyLog(logPath)).filter(({ validity }) => validity.state === 'valid');
const wholly = (plan: StudyPlan) => plan.blocks.flatMap(({ loads }) => loads.map(cellKey)).sort();

describe('the check beside the others', () => {
  it('begins once every other lane has begun a load', async () => {
    const { run, reference, lane, play, begun } = set(LARGE);
    await play(workSideBySide(run, [lane(0), lane(1, { checkMs: 3000 }), lane(2, { checkMs: 7000 })], reference));
    expect(begun.find(isReference)?.at).toBe(7000);
    expect(verdicts()).toEqual(['3 ok']);
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
    expect(begun.filter((load) => !isReference(load))).toHaveLength(LARGE.loads);
  });

  it('counts no round in which another lane broke, and waits for it', async () => {
    let loads = 0;
    const { run, reference, lane, play, begun } = set(LARGE, (staged, number) => staged.lane(number, { checkMs: 9000 }));
    // Its second load begins a second after the first, in the middle of the first round.
    const breaking = lane(1, { load: () => (++loads === 2 ? crash : 1000) });
    await play(workSideBySide(run, [lane(0), breaking, lane(2)], reference));
    // Round 1 from 5 s to 7 s does not count; the lane is back at work after a check of 9 s, at 6.001 s + 9 s.
    expect(begun.filter(isReference).map(({ at }) => at)).toEqual([
      5000,
      6000,
      ...Array.from({ length: 2 * ROUNDS_BESIDE }, (_, i) => 15_001 + 1000 * i),
    ]);
    expect(verdicts()).toEqual(['3 ok']);
    expect(readStudyLog(logPath).interference[0]?.profiles.map(({ besideMs }) => besideMs.length)).toEqual([ROUNDS_BESIDE, ROUNDS_BESIDE]);
  });

  it('says nothing where the others run out of work; then their loads do not stand, and fewer lanes make them', async () => {
    // So quick are the loads that all work is done in less than the check takes.
    const plan = planOf(72);
    const { run, reference, lane, play } = set(plan);
    const quick = (number: number) => lane(number, { checkMs: 1, load: (order) => (isReference(order) ? 1000 : 1) });
    await play(workSideBySide(run, [quick(0), quick(1), quick(2)], reference));
    expect(verdicts()).toEqual(['3 not measured', '2 not measured']);
    expect(new Set(standing().map(({ lanes }) => lanes))).toEqual(new Set([1]));
    expect(standing().map(cellKey).sort()).toEqual(wholly(plan));
  });

  it('that was not measured lets loads stand where so many lanes passed before, and nothing is made twice', async () => {
    appendStudyLine(logPath, { interference: { session: 0, lanes: 4, page: 'wiki', link: 'far', profiles: [], ok: true } });
    const plan = planOf(3);
    const { run, reference, lane, play, begun } = set(plan);
    await play(workSideBySide({ ...run, session: 1 }, [lane(0), lane(1), lane(2)], reference));
    expect(verdicts()).toEqual(['4 ok', '3 not measured']);
    expect(begun.filter((load) => !isReference(load))).toHaveLength(plan.loads);
    expect(standing()).toHaveLength(plan.loads);
  });

  it('makes lanes fewer where they disturb each other', async () => {
    const { run, reference, lane, play, closed } = set(LARGE);
    const disturbed = (number: number) => lane(number, { load: ({ lanes }) => (lanes > 3 ? 1100 : 1000) });
    await play(workSideBySide(run, [0, 1, 2, 3].map(disturbed), reference));
    expect(verdicts()).toEqual(['4 not ok', '3 ok']);
    expect(closed).toEqual([3]);
    expect(new Set(standing().map(({ lanes }) => lanes))).toEqual(new Set([3]));
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
  });
});

describe('a lane that breaks in the check', () => {
  const breaksInCheck = { load: (order: Parameters<typeof isReference>[0]) => (isReference(order) ? crash : 1000) };

  it('and does not start again is given up: the others stop with the load under way, and fewer go on', async () => {
    let reopened = 0;
    const { run, reference, lane, play, begun } = set(LARGE, () => {
      reopened += 1;
      throw crash;
    });
    await play(workSideBySide(run, [lane(0, breaksInCheck), lane(1), lane(2), lane(3)], reference));
    expect(reopened).toBeGreaterThan(0);
    expect(verdicts()).toEqual(['4 not ok', '3 ok']);
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
    // A load was under way in each, and the next may have begun in the millisecond before: no more is thrown away.
    expect(begun.filter((load) => !isReference(load) && load.lanes === 4).length).toBeLessThanOrEqual(6);
  });

  it('ends the run only where it was the last', async () => {
    const { run, reference, lane, play } = set(LARGE, () => {
      throw crash;
    });
    const broken = lane(1, { load: () => crash });
    await expect(play(workSideBySide(run, [lane(0, breaksInCheck), broken], reference))).rejects.toThrow('Every lane broke too often');
    await expect(workSideBySide(run, [], reference)).rejects.toThrow('Every lane broke too often');
  });
});

it('what a lane leaves when it is given up is done by those that had nothing left to do', async () => {
  appendStudyLine(logPath, { interference: { session: 0, lanes: 2, page: 'wiki', link: 'far', profiles: [], ok: true } });
  const plan = planOf(2);
  const { run, reference, lane, play } = set(plan, () => {
    throw crash;
  });
  let loads = 0;
  const slow = lane(1, { load: () => (++loads === 2 ? crash : 90_000) });
  await play(workSideBySide({ ...run, session: 1 }, [lane(0), slow], reference));
  expect(standing().map(cellKey).sort()).toEqual(wholly(plan));
});

describe('loads alone', () => {
  it('are made again in a lane opened anew where it breaks once', async () => {
    const { run, cell, lane, play, closed } = set(LARGE);
    let loads = 0;
    const { lane: after, reference } = await play(
      measureAlone(run, lane(0, { load: () => (++loads === 3 ? crash : 1000) }), { cell, lanes: 2 }),
    );
    expect(closed).toEqual([0]);
    expect(after.number).toBe(0);
    const each = Array.from({ length: ROUNDS_ALONE }, () => 1000);
    expect(reference?.alone).toEqual([each, each]);
  });

  it('that break a second time leave one lane, which goes on', async () => {
    const breaksAlone = (staged: Stage, number: number) => staged.lane(number, { load: () => crash });
    const { run, cell, lane, play } = set(LARGE, breaksAlone);
    const { reference } = await play(measureAlone(run, lane(0, { load: () => crash }), { cell, lanes: 2 }));
    expect(reference).toBeUndefined();
    expect(said.at(-1)).toBe('How long loads take alone could not be measured, one lane continues: Firefox ended');
  });
});

describe('how many lanes go to work', () => {
  it('is all there are for a large plan, and one where the work is over before a check is', () => {
    const { run, cell } = set(LARGE);
    expect(workOf(run, 10, cell).lanes).toBe(10);
    const small = set(planOf(3));
    expect(workOf(small.run, 10, small.cell).lanes).toBe(1);
    expect(workOf(run, 10, undefined).lanes).toBe(1);
  });

  it('is as many as passed before, whatever is left to do, but no more than there are blocks', () => {
    appendStudyLine(logPath, { interference: { session: 0, lanes: 2, page: 'wiki', link: 'far', profiles: [], ok: true } });
    const { run, cell } = set(planOf(3));
    expect(workOf(run, 10, cell).lanes).toBe(2);
    appendStudyLine(logPath, { interference: { session: 0, lanes: 8, page: 'wiki', link: 'far', profiles: [], ok: true } });
    expect(workOf(run, 10, cell).lanes).toBe(3);
  });
});

describe('a run that was killed before its check ended', () => {
  const killed = async (lanes: number) => {
    const { staged } = set(LARGE);
    for (const { loads, page, link } of LARGE.blocks.slice(0, 3)) {
      for (const planned of loads) {
        const { load } = await staged.play(staged.lane(1).load({ page, link, planned, attempt: 0, lanes }));
        appendStudyLine(logPath, { load, session: 0, attempt: 0 });
      }
    }
  };

  it('keeps its loads where as many lanes pass when it is taken up again: none is made a second time', async () => {
    await killed(3);
    const made = readStudyLog(logPath).loads.length;
    const { run, reference, lane, play, begun } = set(LARGE);
    await play(workSideBySide({ ...run, session: 1 }, [lane(0), lane(1), lane(2)], reference));
    expect(verdicts()).toEqual(['3 ok']);
    expect(begun.filter((load) => !isReference(load))).toHaveLength(LARGE.loads - made);
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
  });

  it('does not where only fewer pass: they are made again', async () => {
    await killed(4);
    const { run, reference, lane, play } = set(LARGE);
    const disturbed = (number: number) => lane(number, { load: ({ lanes }) => (lanes > 2 ? 1100 : 1000) });
    await play(workSideBySide({ ...run, session: 1 }, [0, 1, 2].map(disturbed), reference));
    expect(verdicts()).toEqual(['3 not ok', '2 ok']);
    expect(new Set(standing().map(({ lanes }) => lanes))).toEqual(new Set([2]));
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
  });

  it('does not where fewer take it up, and pass: they cannot speak for it', async () => {
    await killed(4);
    const { run, reference, lane, play } = set(LARGE);
    await play(workSideBySide({ ...run, session: 1 }, [lane(0), lane(1), lane(2)], reference));
    expect(verdicts()).toEqual(['3 ok']);
    expect(new Set(standing().map(({ lanes }) => lanes))).toEqual(new Set([3]));
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
  });

  it('does not where one lane takes it up, which checks nothing', async () => {
    await killed(3);
    const { run, lane, play } = set(LARGE);
    await play(workSideBySide({ ...run, session: 1 }, [lane(0)], undefined));
    expect(new Set(standing().map(({ lanes }) => lanes))).toEqual(new Set([1]));
    expect(standing().map(cellKey).sort()).toEqual(wholly(LARGE));
  });
});

describe('the time left', () => {
  it.each([undefined, 'captures'])(
    'counts the checks of links and the limits that are shown, and captures (%s) twice',
    async (captures) => {
      const plan = planOf(30);
      const { run, lane, play, staged } = set(plan);
      const progress: { readonly at: number; readonly leftMs: number }[] = [];
      // A check of this link is likely to take 4 s and 16 round trips of 300 ms, a control 0.85 s. What a load takes is as predicted, and .6 s around.
      const checkMs = 4000 + 16 * 300 + 2 * 850;
      const took = (order: StudyOrder) => {
        const once = run.blockMs({ ...(plan.blocks[0] as StudyBlock), loads: [order.planned] }) - 600;
        return { once, ms: (once + 600) * (captures !== undefined && order.planned.block === 0 ? 2 : 1) };
      };
      const scripted = lane(0, { checkMs, load: (order) => took(order).ms });
      const first: StudyLane = {
        ...scripted,
        load: async (order) => {
          const { load } = await scripted.load(order);
          return {
            load: { ...load, measures: { ...load.measures, loadTimeMs: took(order).once } as NonNullable<typeof load.measures> },
            overheadMs: 600,
          };
        },
      };
      const onProgress = ({ leftMs }: { readonly leftMs: number }) => void progress.push({ at: staged.now(), leftMs });
      await play(workSideBySide({ ...run, onProgress, ...(captures && { captures }) }, [first], undefined));
      const end = progress.at(-1)?.at ?? 0;
      expect(progress).toHaveLength(plan.loads);
      for (const { at, leftMs } of progress) expect(Math.abs(leftMs - (end - at))).toBeLessThan(0.02 * end);
    },
  );
});
