import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blindSpread } from '../../../../src/core/compare/common-effect.ts';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { CommonEffect, ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { indexLoads } from '../../../../src/core/compare/load-index.ts';
import { groupBy } from '../../../../src/core/group-by.ts';
import { type Random, seededRandom } from '../../../../src/core/random.ts';
import { comparableReport } from '../../../../src/core/report/comparable-loads.ts';
import { soundnessNotes } from '../../../../src/core/report/shown-comparison.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';
import { BASELINE, baseline, direct, gaussian, simulate } from './simulated-run.ts';

const BLOCKS = 5;
const candidate = direct(8, 0.55);
/** Two quiet scenarios, and two that repeat to 50 %. */
const mixed = (random: Random, scenario: number) => (scenario < 2 ? 0.02 : 0.5) * gaussian(random);

function run({ gain = 1.1, noise = mixed, seed = 1 } = {}): readonly ComparableLoad[] {
  return simulate({ profiles: [baseline(0.5), { ...candidate, efficiency: 0.5 * gain }], blocks: BLOCKS, seed, noise });
}

const versus = (loads: readonly ComparableLoad[], against = BASELINE) =>
  compareProfiles(loads, { baseline: against, plannedBlocks: BLOCKS }).profiles.find(({ id }) => id !== against)?.versusBaseline;

function estimated(common: CommonEffect | undefined) {
  if (common?.state !== 'estimated') throw new Error(`a common effect, not ${common?.state}`);
  return common;
}

describe('blindSpread', () => {
  const logs = { a: [1, 5], b: [2, 2], c: [3, 5] };
  const loads = Object.entries(logs).flatMap(([profileId, own]) =>
    own.map((log, block) => ({ profileId, page: 'p', link: 'l', block, valid: true, efficiency: Math.exp(log), loadTimeMs: 1 })),
  );

  it('sums squares around the mean of each block', () => {
    // Around 2: 1, 0, 1; around 4: 1, 4, 1. Of a: -1 + 1 above the mean, and 2 (1 - 1/3) of its own.
    const spread = blindSpread(indexLoads(loads, ['a', 'b', 'c'])).get(0);
    expect(spread?.squares).toBeCloseTo(8, 12);
    expect(spread?.degreesOfFreedom).toBe(4);
    expect(spread?.profiles.get('a')?.above).toBeCloseTo(0, 12);
    expect(spread?.profiles.get('a')?.free).toBeCloseTo(4 / 3, 12);
  });

  it('does not know which load of a block is of which profile', () => {
    const swapped = loads.map((load) =>
      load.block === 1 ? { ...load, profileId: { a: 'b', b: 'c', c: 'a' }[load.profileId] ?? '' } : load,
    );
    expect(blindSpread(indexLoads(swapped, ['a', 'b', 'c'])).get(0)?.squares).toBeCloseTo(8, 12);
  });
});

describe('the common effect', () => {
  it('finds what noisy links hide', () => {
    const found = versus(run());
    const common = estimated(found?.commonEffect);
    expect(found?.verdict).toBe('need-more-loads');
    expect(common.verdict).toBe('better');
    expect(common.scenarios).toBe(4);
    expect(common.low).toBeLessThan(1.1);
    expect(common.high).toBeGreaterThan(1.1);
  });

  it('is the inverse of the baseline’s against the profile', () => {
    const loads = run();
    const [own, other] = [versus(loads), versus(loads, candidate.id)].map((found) => estimated(found?.commonEffect));
    // Bounds are found to 1/4096 of their distance from the estimate.
    expect(Math.log(own?.ratio ?? 0)).toBeCloseTo(-Math.log(other?.ratio ?? 0), 5);
    expect(Math.log(own?.low ?? 0)).toBeCloseTo(-Math.log(other?.high ?? 0), 3);
  });

  it('is withheld where scenarios differ', () => {
    const half = run({ gain: 1, noise: (random) => 0.02 * gaussian(random) }).map((load) =>
      load.profileId === candidate.id && load.page === 'page-0' ? { ...load, efficiency: (load.efficiency ?? 0) * 1.4 } : load,
    );
    const common = versus(half)?.commonEffect;
    expect(common?.state).toBe('withheld');
  });

  it('is not estimated over one page and link, without a verdict, or of everyday loads', () => {
    const loads = run();
    const first = loads.filter(({ page, link }) => page === 'page-0' && link === 'link-0');
    expect(versus(first)?.commonEffect).toBeUndefined();
    const lost = loads.map((load) => (load.profileId === candidate.id && load.block > 0 ? { ...load, valid: false } : load));
    expect(versus(lost)?.verdict).toBe('no-verdict');
    expect(versus(lost)?.commonEffect).toBeUndefined();
    expect(versus(loads.map((load, slot) => ({ ...load, slot })))?.commonEffect).toBeUndefined();
  });

  it('has no verdict before the third block', () => {
    const early = versus(run({ gain: 2 }).filter(({ block }) => block < 2))?.commonEffect;
    expect(early === undefined || early.state === 'withheld' || early.verdict === 'need-more-loads').toBe(true);
  });

  it('is named in one line where it decides and the table does not', () => {
    const notes = soundnessNotes(compareProfiles(run(), { baseline: BASELINE, plannedBlocks: BLOCKS }));
    expect(notes.filter((note) => note.startsWith('Common effect: faster for c8-d1 (+'))).toHaveLength(1);
    const quiet = compareProfiles(run({ noise: (random) => 0.02 * gaussian(random) }), { baseline: BASELINE, plannedBlocks: BLOCKS });
    expect(soundnessNotes(quiet).filter((note) => note.startsWith('Common effect'))).toEqual([]);
  });
});

/** Recomputed from the loads that are stored (docs/results/modern-defaults): nine profiles, two pages, eight links, three blocks. */
describe('the common effect of modern-defaults', () => {
  const report = parseReport(
    JSON.parse(gunzipSync(readFileSync(new URL('../../../../docs/results/modern-defaults/report.json.gz', import.meta.url))).toString()),
  );
  const loads = comparableReport(report);
  const over = (protocol: string) => loads.filter((load) => load.protocol === protocol);
  const comparison = (own: readonly ComparableLoad[]) =>
    // A third of alpha for each protocol, as in the report.
    compareProfiles(own, { baseline: BASELINE, profiles: report.profiles, plannedBlocks: 3, alpha: 0.05 / 3 });
  const common = (own: readonly ComparableLoad[]) =>
    comparison(own).profiles.flatMap(({ versusBaseline }) => versusBaseline.commonEffect ?? []);
  const halfWidth = ({ low, high }: { readonly low: number; readonly high: number }) => Math.sqrt(high / low) - 1;

  it('is known to 3 % over HTTP/2, and says that nothing differs', () => {
    const found = common(over('http/2')).map(estimated);
    expect(found).toHaveLength(8);
    expect(Math.max(...found.map(halfWidth))).toBeLessThan(0.03);
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['no-meaningful-difference']));
  });

  it('is withheld for six of eight profiles over HTTP/1.1', () => {
    expect(common(over('http/1.1')).filter(({ state }) => state === 'withheld')).toHaveLength(6);
  });

  it('claims nothing in at most 5 % of runs in which profiles were swapped within blocks', () => {
    const random = seededRandom(14);
    const runs = 40;
    let claims = 0;
    for (let at = 0; at < runs; at++) {
      const own = common(swappedWithinBlocks(over('http/2'), random));
      if (own.some((one) => one.state === 'estimated' && (one.low > 1 || one.high < 1))) claims += 1;
    }
    // 5 % and three standard errors.
    expect(claims / runs).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs));
  });
});

function swappedWithinBlocks(loads: readonly ComparableLoad[], random: Random): readonly ComparableLoad[] {
  const blocks = groupBy(loads, ({ page, link, block }) => `${page} ${link} ${block}`);
  return [...blocks.values()].flatMap((own) => {
    const drawn = own.map(({ profileId }) => ({ profileId, key: random.next() })).sort((a, b) => a.key - b.key);
    return own.map((load, at) => ({ ...load, profileId: drawn[at]?.profileId ?? load.profileId }));
  });
}
