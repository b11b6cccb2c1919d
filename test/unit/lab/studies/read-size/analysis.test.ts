/** The read-size study on hand-made loads: what is counted, how repeats become cohorts, and what it answers. */
import { describe, expect, it } from 'vitest';
import { cutoffSpan, cutoffTable } from '../../../../../src/core/compare/cutoff-table.ts';
import { checkProfile } from '../../../../../src/core/profiles/check-profile.ts';
import { notRuledOut, outcomeOf } from '../../../../../src/lab/studies/read-size/analysis.ts';
import {
  cohortSpan,
  exchangeTimes,
  firstByteTimes,
  LAST_CUTOFF,
  pairedArms,
  repeatCohorts,
  typicalMs,
  winsOf,
} from '../../../../../src/lab/studies/read-size/cohorts.ts';
import { profileVerdicts } from '../../../../../src/lab/studies/read-size/verdicts.ts';
import { readSize } from '../../../../../src/lab/studies/read-size.ts';
import type { StudyData, StudyLoad, StudyRequest } from '../../../../../src/lab/studies/study.ts';
import { expectedLoadMs, type StudyCut, studyPlan } from '../../../../../src/lab/study-run/study-plan.ts';
import { publishedWeeks } from '../../../core/compare/async-slow-start.ts';
import { BARE_LOAD, madeLoad } from '../made-load.ts';

/** Handshake of 20 ms, 5 ms of waiting, and the first byte as long after the start of the handshake as is said. */
const opened = (firstByteMs: number): StudyRequest => ({
  name: 'picture.png',
  fetchStart: 0,
  connectStart: 100,
  connectEnd: 120,
  requestStart: 125,
  responseStart: 100 + firstByteMs,
  responseEnd: 200 + firstByteMs,
});

/** Its connection was there already. */
const reused: StudyRequest = { name: 'picture.png', fetchStart: 0, requestStart: 10, responseStart: 50, responseEnd: 60 };

interface Made {
  readonly profileId?: string;
  readonly block?: number;
  readonly link?: string;
  readonly times: readonly number[];
}

const load = ({ profileId = 'firefox-default', block = 0, link = 'near-20m', times }: Made): StudyLoad => ({
  ...BARE_LOAD,
  profileId,
  page: 'doors',
  link,
  block,
  requests: [...times.map(opened), reused],
});

const data = (loads: readonly StudyLoad[]): StudyData => ({ study: readSize, pages: readSize.pages, links: readSize.links, loads });
const repeated = (count: number, each: (block: number) => readonly StudyLoad[]): readonly StudyLoad[] =>
  Array.from({ length: count }, (_, block) => each(block)).flat();

describe('what is counted', () => {
  it('is every request that opened its connection, from the start of its handshake', () => {
    expect(firstByteTimes(load({ times: [45, 80] }))).toEqual([45, 80]);
    expect(firstByteTimes({})).toEqual([]);
  });

  it('is the same less the 5 ms of waiting between handshake and request', () => {
    expect(exchangeTimes(load({ times: [45, 80] }))).toEqual([40, 75]);
  });

  it('is typically the geometric mean: of 20 and 80 it is 40', () => {
    expect(typicalMs([20, 80])).toBeCloseTo(40, 9);
    expect(typicalMs([])).toBeUndefined();
  });
});

describe('cohorts', () => {
  const arms = { first: 'firefox-default', second: 'read-1k' };

  it('compare only where both arms have a load of the page over the link in the repeat', () => {
    const loads = [
      load({ times: [40] }),
      load({ times: [400], link: 'far-5m' }),
      load({ times: [50], profileId: 'read-1k' }),
      load({ times: [50], profileId: 'read-1k', block: 1 }),
    ];
    expect(pairedArms(loads, arms)).toEqual({ first: [loads[0]], second: [loads[2]] });
  });

  it('are the repeats, with the mean below each cut-off from their histograms', () => {
    // Below the cut-off of 50 % lie the 40s and the 30s: 40 is a third more than 30. Over all, 60 against 45: a third more as well.
    const [cohort] = repeatCohorts([load({ times: [40, 80] }), load({ times: [30, 60], profileId: 'read-1k' })], arms);
    if (cohort?.state !== 'compared') throw new Error('not compared');
    expect(cohort.name).toBe('repeat 1');
    const { rows, samples } = cohort.table;
    expect(samples).toEqual({ first: 2, second: 2 });
    expect(rows.map(({ cutoffPercent }) => cutoffPercent)).toEqual([50, 60, 70, 80, 90, 95, 98, 99, 99.5]);
    // A bucket is 1.9 % wide, so a mean is known to 1 %.
    for (const { meanDelta } of [rows[0], rows.at(-1)].flatMap((row) => (row ? [row] : []))) {
      expect(meanDelta.relative).toBeGreaterThan(1 / 3 - 0.03);
      expect(meanDelta.relative).toBeLessThan(1 / 3 + 0.03);
    }
    // In microseconds; smallest, middle and largest value of a bucket.
    const first = rows[0]?.first;
    expect(first?.minMean).toBeLessThanOrEqual(40_000);
    expect(first?.maxMean).toBeGreaterThanOrEqual(40_000);
    expect(first?.mean).toBeCloseTo(((first?.minMean ?? 0) + (first?.maxMean ?? 0)) / 2, 6);
  });

  it('are set aside with a reason where an arm is missing, or all its values are one', () => {
    const same = Array.from({ length: 20 }, () => 40);
    const [missing, stuck] = repeatCohorts(
      [load({ times: [40, 60] }), load({ times: same, block: 1 }), load({ times: [30, ...same], block: 1, profileId: 'read-1k' })],
      arms,
    );
    expect(missing).toMatchObject({ name: 'repeat 1', state: 'corrupt' });
    expect(missing?.state === 'corrupt' && missing.corruptions.map(({ sign }) => sign)).toEqual(['missing-arm', 'missing-arm']);
    expect(stuck).toMatchObject({ name: 'repeat 2', state: 'corrupt', corruptions: [{ sign: 'one-bucket', arm: 'first' }] });
  });
});

const outcome = (loads: readonly StudyLoad[]) => {
  const verdicts = profileVerdicts(data(loads));
  return { ...outcomeOf(verdicts), possible: [notRuledOut(verdicts, 'firstByte'), notRuledOut(verdicts, 'exchange')] };
};

describe('findings', () => {
  /** A tenth of a per cent to and fro, so that there is a spread to judge by. */
  const shaken = (block: number, times: readonly number[]) => times.map((time) => time * (block % 2 === 0 ? 1 : 1.001));

  it('say yes where a smaller buffer brings the first byte sooner', () => {
    const loads = repeated(6, (block) => [
      load({ block, times: shaken(block, [45, 85]) }),
      load({ block, times: [35, 65], profileId: 'read-1k' }),
    ]);
    const { answer, figures, tables } = readSize.findings(data(loads));
    // Without the 5 ms of waiting: sqrt(30 x 60) over sqrt(40 x 80) is 0.75; sqrt(35 x 65) over sqrt(45 x 85) is 0.7712.
    expect(figures).toMatchObject({
      verdicts: [
        {
          ...{ id: 'read-1k', loads: 6, intervals: 1 },
          firstByte: { ratio: expect.closeTo(0.771, 3), verdict: 'better', pairs: 6 },
          exchange: { ratio: expect.closeTo(0.75, 3), verdict: 'better', pairs: 6 },
        },
      ],
    });
    // A gain of 23 % is not one of 2 to 3 %.
    expect(outcome(loads)).toEqual({ state: 'sooner', ids: ['read-1k'], possible: [[], []] });
    expect(answer.at(-1)).toContain('nothing checks these figures');
    expect(tables.map(({ title }) => title.split(/[ :]/)[0])).toEqual(['Against', 'Outcome', 'Time', 'All']);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  });

  it('say yes of a sure gain of 2 %, as the mail found', () => {
    // 39.2 of 40 and 78.4 of 80, without the 5 ms of waiting.
    const loads = repeated(6, (block) => [
      load({ block, times: shaken(block, [45, 85]) }),
      load({ block, times: [44.2, 83.4], profileId: 'read-1k' }),
    ]);
    expect(outcome(loads)).toMatchObject({ state: 'sooner', ids: ['read-1k'], possible: [{}, ['read-1k']] });
  });

  it('name the largest gain that the intervals leave, and what of the mail they leave open', () => {
    // Six ratios, by turns 1.02 and 0.98: no change, and with five degrees of freedom about 2 % either way.
    const to = (block: number) => (block % 2 === 0 ? 1.02 : 0.98);
    const loads = repeated(6, (block) => [
      load({ block, times: [40, 80].map((time) => time + 5) }),
      load({ block, times: [40, 80].map((time) => time * to(block) + 5), profileId: 'read-4k' }),
    ]);
    // ln 1.02 and ln 0.98 have a mean of -0.0002 and a standard deviation of 0.0219; t(0.975, 5) = 2.571 over sqrt(6) makes 2.30 %: exp(-0.0232) is 2.29 % below 1.
    const possible = [['read-4k'], ['read-4k']];
    expect(outcome(loads)).toEqual({ state: 'ruled-out', bar: 0.03, id: 'read-4k', gain: 0.023, possible });
    expect(readSize.findings(data(loads)).tables[0]?.rows[1]?.slice(4)).toEqual([
      '0 %',
      '2.3 % later to 2.3 % sooner',
      'not enough data yet',
    ]);
  });

  it('say no where every smaller buffer is within 0.8 %, and name the A/A profile as chance', () => {
    const loads = repeated(6, (block) =>
      ['firefox-default', 'read-1k', 'read-4k', 'read-32k'].map((profileId) =>
        load({ block, times: profileId === 'read-4k' ? shaken(block + 1, [45, 85]) : shaken(block, [45, 85]), profileId }),
      ),
    );
    const { answer } = readSize.findings(data(loads));
    expect(outcome(loads)).toMatchObject({ state: 'ruled-out', bar: 0.008, id: 'read-4k', possible: [[], []] });
    expect(answer.at(-1)).toContain('0 of 6 cohorts of read-32k');
  });

  it('give no answer where what changes nothing differs as well', () => {
    const loads = repeated(6, (block) => [
      load({ block, times: shaken(block, [45, 85]) }),
      ...['read-1k', 'read-32k'].map((profileId) => load({ block, times: [35, 65], profileId })),
    ]);
    const { tables } = readSize.findings(data(loads));
    expect(outcome(loads)).toEqual({ state: 'check-differs', possible: [[], []] });
    expect(tables[0]?.rows.filter(([id]) => id === 'read-1k').map((row) => row.at(-1))).toEqual([
      'no verdict',
      'no verdict',
      // No load of these has an efficiency.
      'no verdict',
    ]);
  });

  it('give no verdict by the efficiency of whole loads alone where what changes nothing differs by that alone', () => {
    const took = (loadTimeMs: number) => {
      const { measures } = madeLoad({ profileId: '', page: '', link: '', loadTimeMs });
      return measures === undefined ? {} : { measures };
    };
    const loads = repeated(6, (block) => [
      { ...load({ block, times: shaken(block, [45, 85]) }), ...took(1000 + block) },
      ...['read-1k', 'read-32k'].map((profileId) => ({
        ...load({ block, times: shaken(block, [45, 85]), profileId }),
        ...took(900 + (block % 3)),
      })),
    ]);
    const { tables, figures } = readSize.findings(data(loads));
    expect(outcome(loads)).toMatchObject({ state: 'ruled-out', bar: 0.008 });
    // 1,000 over 900 is 1.11.
    expect(tables[0]?.rows.map(([id, , , , change, , verdict]) => [id, change, verdict])).toEqual([
      ['read-1k', '0 %', 'within 0.8 %'],
      ['read-1k', '0 %', 'within 0.8 %'],
      ['read-1k', '11 % faster', 'no verdict'],
      ['read-32k', '0 %', 'within 0.8 %'],
      ['read-32k', '0 %', 'within 0.8 %'],
      ['read-32k', '11 % faster', 'faster'],
    ]);
    expect(tables[0]?.columns[5]?.name).toBe('95 % interval, 2 together');
    expect(figures).toMatchObject({ verdicts: [{ load: { reason: expect.stringContaining('read-32k') } }, {}] });
  });

  it('give no verdict on what is told from the baseline and not from what changes nothing', () => {
    // The baseline's own loads are slow by chance: by 3 % against read-1k, and by 1.5 % against what changes nothing. A ratio varies by 2 %
    // to and fro, so six of them are known to about 2 %: 3 % are told from none, 1.5 % are not, and neither are 3 % from 1.5 %.
    const times = (by: number) => [40, 80].map((time) => time * by + 5);
    const loads = repeated(6, (block) => [
      load({ block, times: times(1) }),
      load({ block, times: times(0.97 * (block % 2 === 0 ? 1.02 : 0.98)), profileId: 'read-1k' }),
      load({ block, times: times(0.985 * (block < 3 ? 1.02 : 0.98)), profileId: 'read-32k' }),
    ]);
    const { figures, tables } = readSize.findings(data(loads));
    expect(figures).toMatchObject({ verdicts: [{ exchange: { verdict: 'need-more-loads', toldFromCheck: false } }, { id: 'read-32k' }] });
    expect(tables[0]?.rows[1]?.at(-1)).toBe('not shown to differ from read-32k');
    expect(outcome(loads).state).not.toBe('sooner');
  });

  it('say that too little was measured, of nothing and of two repeats', () => {
    expect(outcome([])).toMatchObject({ state: 'unmeasured' });
    expect(readSize.findings(data([])).answer).toEqual([]);
    const two = repeated(2, (block) => [
      load({ block, times: [45 + 20 * block, 85] }),
      load({ block, times: [40, 80], profileId: 'read-1k' }),
    ]);
    expect(outcome(two)).toMatchObject({ state: 'open', ids: ['read-1k'] });
  });

  it('say which cohort is set aside, and why, in the table', () => {
    const loads = [
      load({ times: [45, 85] }),
      load({ times: [40, 80], profileId: 'read-1k' }),
      load({ times: [45, 85], block: 1 }),
      load({ times: [], block: 1, profileId: 'read-1k' }),
    ];
    const { tables } = readSize.findings(data(loads));
    expect(tables[2]?.rows.at(-1)?.[0]).toBe('repeat 2, excluded: empty-arm (second): its histograms count nothing');
  });

  it("stand beside the mail's figures, also where nothing was measured", () => {
    const { comparisonWithOriginal } = readSize.findings(data([]));
    expect(comparisonWithOriginal.map(({ ours }) => ours).slice(0, 2)).toEqual(['not measured', 'not measured']);
    expect(comparisonWithOriginal[0]?.original).toContain('0.8 % to 6.3 %');
    expect(comparisonWithOriginal[0]?.why).toContain('Windows');
  });

  it("say beside the mail's gain how much sooner or later, and count cohorts at its cut-offs and at all", () => {
    // Sooner but for the slowest of 40 connections: mixed at 98 % and above, a win up to 95 %.
    const spread = Array.from({ length: 40 }, (_, at) => 40 + at);
    const loads = repeated(6, (block) => [
      load({ block, times: spread }),
      load({ block, times: [...spread.slice(0, -1).map((time) => time * 0.97), 1000], profileId: 'read-1k' }),
      load({ block, times: spread.map((time) => time * (block === 0 ? 0.9 : 1.1)), profileId: 'read-32k' }),
    ]);
    const { comparisonWithOriginal, tables } = readSize.findings(data(loads));
    expect(comparisonWithOriginal[0]?.ours).toMatch(
      /^6 of 6 sound cohorts a win at the cut-offs up to 95 %, .*; 0 of 6 at all cut-offs up to 99\.5 %; 0 excluded; of read-32k, which changes nothing, 1 of 6 a win and 5 a loss$/,
    );
    expect(tables[1]?.rows[0]?.[1]).toMatch(/^win \+/);
    // 39 of 40 times 0.97 and one times 1000 / 79: exp((39 ln 0.97 + ln 12.658) / 40) = 1.0343.
    expect(comparisonWithOriginal[1]?.ours).toMatch(/^3\.4 % later \(95 % interval, 2 profiles together: .*; 6 pairs of loads\): /);
  });

  it('have the rule by which the ten weeks of the mail are wins, and the stricter one by which six are', () => {
    const up = (most: number) =>
      publishedWeeks().filter(({ rows }) => rows.filter(([percent]) => Number(percent) <= most).every((row) => Number(row[12]) > 0));
    expect(publishedWeeks()).toHaveLength(10);
    expect(up(LAST_CUTOFF)).toHaveLength(10);
    expect(up(99.5).map(({ from }) => from)).toEqual(['08/30', '09/06', '09/13', '09/20', '11/08', '11/29']);
    // The first weeks print seven cut-offs, the later ones nine.
    const tablesOf = publishedWeeks().map(({ first, second, rows }) =>
      cutoffTable(
        first,
        second,
        rows.map(([percent]) => Number(percent)),
      ),
    );
    expect(winsOf(tablesOf.map(cohortSpan))).toBe(10);
    expect(winsOf(tablesOf.map((table) => cutoffSpan(table)))).toBe(6);
  });
});

describe('the study', () => {
  /** What a load takes besides its own time, ms, as the design allows at most. */
  const AROUND_LOAD_MS = 600;
  const minutes = (cut: StudyCut) => {
    const once = studyPlan(readSize, { cut: { ...cut, repeats: 1 }, seed: 1 });
    const ms = once.blocks.map((block) => {
      const times = expectedLoadMs(block, once.profiles);
      return block.loads.reduce((sum, { profileId }) => sum + (times.get(profileId) ?? Number.NaN) + AROUND_LOAD_MS, 0);
    });
    return ((cut.repeats ?? readSize.repeats) * ms.reduce((a, b) => a + b, 0)) / 60_000;
  };

  it('is predicted to take at most ten minutes in one lane, and its cut one', () => {
    expect(minutes({})).toBeLessThan(10);
    expect(minutes({})).toBeGreaterThan(2);
    expect(minutes(readSize.cut)).toBeLessThan(1);
  });

  it('has profiles that Firefox may be given, each with a name of its own', () => {
    for (const profile of readSize.profiles) checkProfile(profile);
    expect(readSize.profiles.map(({ id }) => id)).toEqual([
      'firefox-default',
      'read-1k',
      'read-4k',
      'read-16k',
      'read-32k',
      'read-128k',
      'read-1k-x768',
    ]);
    // As much room as 24 segments of 32 kB.
    expect(readSize.profiles.at(-1)?.preferences).toEqual({ 'network.buffer.cache.size': 1024, 'network.buffer.cache.count': 768 });
  });
});
