/** Other ways to spend the loads of `tune`, with what our race does not have: the spread is known to them, and loads are normal. */
import { lookBlocks } from '../../../src/core/compare/interval-rule.ts';
import { normalQuantile } from '../../../src/core/stats/distributions.ts';
import { lookLevels } from '../../../src/core/stats/group-sequential.ts';

export interface RivalTruth {
  readonly profiles: number;
  /** Loads of one block of one profile: pages. */
  readonly scenarios: number;
  readonly sd: number;
  /** ln speed over the baseline of a profile, as the `n`th block of it has it on average over its pages. */
  readonly block: (profile: number, n: number) => number;
}

export interface RivalEnd {
  readonly loads: number;
  readonly recommended: number | undefined;
}

const ALPHA = 0.05;
const MIN_GAIN = Math.log1p(0.03);
const MAX_BLOCKS = 400;

const sums = (truth: RivalTruth, profile: number, blocks: number): number =>
  Array.from({ length: blocks }, (_, n) => truth.block(profile, n)).reduce((sum, value) => sum + value, 0);
const gainAfter = (truth: RivalTruth, profile: number, blocks: number): number =>
  (sums(truth, profile, blocks) - sums(truth, 0, blocks)) / blocks;
const errorAfter = ({ sd, scenarios }: RivalTruth, blocks: number): number => sd * Math.sqrt(2 / (scenarios * blocks));

/** All profiles in every block, O'Brien and Fleming's looks at an end that is right for the spread; `profiles` 2: the pair that matters, known beforehand. */
export function obrienFleming(truth: RivalTruth, profiles: number): RivalEnd {
  const alpha = ALPHA / (profiles - 1);
  const z = normalQuantile(1 - 0.845 * (alpha / 2)) + normalQuantile(0.8);
  const end = Math.ceil((z / Math.log(1.1)) ** 2 * ((2 * truth.sd ** 2) / truth.scenarios));
  const looks = lookBlocks(Math.max(3, end));
  const levels = lookLevels(
    looks.map((look) => look / Math.max(3, end)),
    alpha,
  );
  const loadsOf = (blocks: number) => blocks * profiles * truth.scenarios;
  for (const [at, blocks] of looks.entries()) {
    const critical = normalQuantile(1 - (levels[at] ?? 0) / 2) * errorAfter(truth, blocks);
    const found = bestBeyond(truth, { profiles, blocks, bound: Math.max(critical, MIN_GAIN) });
    if (found !== undefined) return { loads: loadsOf(blocks), recommended: found };
  }
  return { loads: loadsOf(looks.at(-1) ?? 0), recommended: undefined };
}

/** All profiles in every block until the sequence of one excludes no gain (Waudby-Smith and others 2024, tuned for 10 blocks). */
export function asymptoticSequence(truth: RivalTruth): RivalEnd {
  const alpha = ALPHA / (truth.profiles - 1);
  const rho = Math.sqrt((-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / 10);
  for (let blocks = 2; blocks <= MAX_BLOCKS; blocks++) {
    const t = blocks * rho ** 2 + 1;
    const half = errorAfter(truth, 1) * Math.sqrt((t / (blocks ** 2 * rho ** 2)) * 2 * Math.log(Math.sqrt(t) / alpha));
    const found = bestBeyond(truth, { profiles: truth.profiles, blocks, bound: Math.max(half, MIN_GAIN) });
    if (found !== undefined) return { loads: blocks * truth.profiles * truth.scenarios, recommended: found };
  }
  return { loads: MAX_BLOCKS * truth.profiles * truth.scenarios, recommended: undefined };
}

function bestBeyond(
  truth: RivalTruth,
  { profiles, blocks, bound }: { readonly profiles: number; readonly blocks: number; readonly bound: number },
): number | undefined {
  const ordered = Array.from({ length: profiles - 1 }, (_, at) => ({ at: at + 1, gain: gainAfter(truth, at + 1, blocks) }));
  const [best] = ordered.toSorted((a, b) => b.gain - a.gain);
  return best !== undefined && best.gain > bound ? best.at : undefined;
}

/**
 * EB-TC-epsilon: the leader is the best so far, the challenger the one with the smallest transportation cost to it; half of the loads go to each (Jourdan,
 * Degenne & Kaufmann, NeurIPS 2023). It stops when the leader is within 3 % of the best by their threshold, and then the baseline may be the leader.
 */
export function topTwo(truth: RivalTruth): RivalEnd {
  const { profiles, scenarios, sd } = truth;
  const counts = Array.from({ length: profiles }, () => 1);
  const totals = counts.map((_, at) => truth.block(at, 0));
  const variance = sd ** 2 / scenarios;
  for (let step = profiles; step < MAX_BLOCKS * profiles; step++) {
    const means = totals.map((total, at) => total / (counts[at] ?? 1));
    const leader = means.indexOf(Math.max(...means));
    const costs = means.map((mean, at) => {
      const gap = Math.max(0, (means[leader] ?? 0) - mean + MIN_GAIN);
      return at === leader ? Number.POSITIVE_INFINITY : gap ** 2 / (2 * variance * (1 / (counts[leader] ?? 1) + 1 / (counts[at] ?? 1)));
    });
    const challenger = costs.indexOf(Math.min(...costs));
    const threshold = Math.log((profiles - 1) / ALPHA) + 2 * Math.log(4 + Math.log(step / 2));
    if ((costs[challenger] ?? 0) > threshold) return { loads: step * scenarios, recommended: leader === 0 ? undefined : leader };
    const next = step % 2 === 0 ? leader : challenger;
    totals[next] = (totals[next] ?? 0) + truth.block(next, counts[next] ?? 0);
    counts[next] = (counts[next] ?? 0) + 1;
  }
  return { loads: MAX_BLOCKS * profiles * scenarios, recommended: undefined };
}
