/**
 * One effect for all scenarios, beside the effect in which each counts the same: scenarios count by how well their loads repeat. Where a profile does
 * the same everywhere both estimate that, and a few links with losses no longer hide what all others show. Where it does not, this is another
 * figure, nearer to what the quiet links say: it is withheld where the scenarios differ detectably.
 *
 * Weights are blind: the variance within blocks of all loads, whichever profile they are of, does not change when profiles are swapped within a
 * block, so it favours none. That holds if there is no effect. So a change d is in the interval if, once the profile's loads are rid of d, the
 * weights made of what is left do not show an effect (inversion of a test): by the t interval and by the swaps, as in `separation.ts`.
 *
 * Weights blind of no effect alone miss a true one too often (7.5 % of intervals of 10 % on eight links), and weights of what is left once the
 * effects estimated are taken out make false claims (10 % of runs of two equal profiles, one three times as noisy; 600 runs each).
 */

import { mean } from '../stats/mean.ts';
import { signFlipP } from '../stats/sign-flip-test.ts';
import { stratifiedMean, stratumMeans, welchAnovaP } from '../stats/stratified-mean.ts';
import { criticalValue, type IntervalRule, type Look, lookAt } from './interval-rule.ts';
import { type LoadIndex, scenarioKeys } from './load-index.ts';
import { type BlockNoise, drawTerms, type PairedRatios, pooledVariance } from './paired-estimate.ts';
import { findingOf, isTooEarly, NO_WIDTH, type Separation, swapLevel } from './separation.ts';

export type CommonFinding =
  | {
      readonly state: 'estimated';
      readonly ratio: number;
      readonly low: number;
      readonly high: number;
      readonly finding: Separation['finding'];
      readonly scenarios: number;
    }
  /** The scenarios differ; `p`: of no difference between them. */
  | { readonly state: 'withheld'; readonly p: number };

/** How ln efficiency varies within the blocks of each scenario, whichever profile a load is of. */
export type BlindSpread = ReadonlyMap<number, ScenarioSpread>;

interface ScenarioSpread {
  /** Around the mean of the block. */
  readonly squares: number;
  readonly degreesOfFreedom: number;
  readonly profiles: ReadonlyMap<string, Share>;
}

/** What the squares become when all loads of a profile change by d: squares + 2 d `above` + d^2 `free`. */
interface Share {
  readonly above: number;
  readonly free: number;
}

export function blindSpread(index: LoadIndex): BlindSpread {
  return new Map(scenarioKeys(index).map((key) => [key, spreadOf(index, key)]));
}

function spreadOf(index: LoadIndex, scenario: number): ScenarioSpread {
  const blocks = new Map<number, { readonly id: string; readonly value: number }[]>();
  for (const [id, scenarios] of index) {
    const own = scenarios.get(scenario);
    own?.blocks.forEach((block, at) => {
      const loads = blocks.get(block) ?? [];
      loads.push({ id, value: own.blockMeans[at] ?? 0 });
      blocks.set(block, loads);
    });
  }
  const profiles = new Map<string, Share>();
  let squares = 0;
  let degreesOfFreedom = 0;
  for (const loads of blocks.values()) {
    const centre = mean(loads.map(({ value }) => value));
    for (const { id, value } of loads) {
      const { above, free } = profiles.get(id) ?? { above: 0, free: 0 };
      profiles.set(id, { above: above + value - centre, free: free + 1 - 1 / loads.length });
      squares += (value - centre) ** 2;
    }
    degreesOfFreedom += loads.length - 1;
  }
  return { squares, degreesOfFreedom, profiles };
}

/**
 * No scenario counts as if its loads repeated to better than this (standard deviation of ln efficiency): few loads can seem to repeat by chance, and
 * one scenario would decide alone. Chosen on the loads of modern-defaults (docs/results), where the quietest links repeat to 2 %.
 */
const MIN_LOG_SD = 0.02;

/** Chance of withholding an effect that is the same everywhere. */
const DIFFER_ALPHA = 0.05;

interface CommonInput {
  readonly profileId: string;
  readonly noise: BlockNoise;
  readonly blind: BlindSpread;
  readonly rule: IntervalRule;
}

/**
 * @returns `undefined` where there are fewer than two scenarios with pairs, one of them does not vary or is not yet known to, or there is no interval.
 */
export function commonEffect(paired: PairedRatios, { profileId, noise, blind, rule }: CommonInput): CommonFinding | undefined {
  const known = { prior: pooledVariance(paired, noise), minVariances: paired.clockVariances };
  const means = stratumMeans(paired.strata, known);
  const p = means && welchAnovaP(means);
  if (means === undefined || p === undefined) return undefined;
  if (p < DIFFER_ALPHA) return { state: 'withheld', p };
  const look = lookAt({ tried: paired.tried, pairsPerBlock: paired.scenariosTried }, rule);
  const weightsAt = (change: number) => paired.scenarios.map((key) => weightOf(blind.get(key), profileId, change));
  const testAt = (change: number) => testOf(paired, { ...known, change, weights: weightsAt(change) }, { rule, look });
  const centre = estimate(testAt);
  const bounds = centre === undefined ? undefined : boundsAround(centre, testAt);
  if (centre === undefined || bounds === undefined) return undefined;
  const [low, high, ratio] = [Math.exp(bounds.low), Math.exp(bounds.high), Math.exp(centre)];
  const finding = isTooEarly({ ...paired, paired }) ? 'undecided' : findingOf(ratio, low, high);
  return { state: 'estimated', ratio, low, high, finding, scenarios: means.length };
}

/** How much the scenario counts, were the profile's loads rid of that change. */
function weightOf(spread: ScenarioSpread | undefined, profileId: string, change: number): number {
  if (spread === undefined || spread.degreesOfFreedom === 0) return 0;
  const { above, free } = spread.profiles.get(profileId) ?? { above: 0, free: 0 };
  const variance = (spread.squares - 2 * change * above + change ** 2 * free) / spread.degreesOfFreedom;
  return 1 / Math.max(MIN_LOG_SD ** 2, variance);
}

interface ChangeTest {
  /** The weighted mean of the ratios once they are rid of the change. */
  readonly mean: number;
  readonly standardError: number;
  readonly isBeyondInterval: boolean;
  /** The swaps reject the change too; they take longer. */
  readonly isRejected: () => boolean;
}

/** `undefined`: nothing could be rejected with so few values. */
type TestAt = (change: number) => ChangeTest | undefined;

function testOf(
  paired: PairedRatios,
  {
    change,
    ...known
  }: NonNullable<Parameters<typeof stratifiedMean>[1]> & { readonly change: number; readonly weights: readonly number[] },
  { rule, look }: { readonly rule: IntervalRule; readonly look: Look },
): ChangeTest | undefined {
  const shifted = paired.strata.map((stratum) => stratum.map((ratio) => ratio - change));
  const summary = stratifiedMean(shifted, known);
  const spread = summary?.separate;
  if (summary === undefined || spread === undefined || spread.standardError < NO_WIDTH) return undefined;
  const design = { effectiveCount: summary.effectiveCount, degreesOfFreedom: spread.degreesOfFreedom };
  const critical = criticalValue(design, { ...rule, look });
  if (critical === undefined) return undefined;
  const isBeyondInterval = Math.abs(summary.mean) > critical * spread.standardError;
  const level = swapLevel(summary, look.alpha / rule.alpha);
  return {
    mean: summary.mean,
    standardError: spread.standardError,
    isBeyondInterval,
    isRejected: () => isBeyondInterval && signFlipP(drawTerms(paired, { change, weights: known.weights })) <= level * (1 + 1e-9),
  };
}

/** After these the estimate moves by far less than its error. */
const ROUNDS = 20;

/** The change that leaves a weighted mean of 0, from no change on. */
function estimate(testAt: TestAt): number | undefined {
  let change = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const left = testAt(change);
    if (left === undefined) return undefined;
    change += left.mean;
    if (Math.abs(left.mean) < 1e-6) return change;
  }
  return change;
}

/** Beyond these factors of its own error no bound is looked for. */
const MAX_DOUBLINGS = 20;

/** The t interval; where it excludes no change the swaps must as well, and no change itself must be rejected by both. */
function boundsAround(centre: number, testAt: TestAt): { readonly low: number; readonly high: number } | undefined {
  const byInterval = (change: number) => testAt(change)?.isBeyondInterval ?? false;
  const byBoth = (change: number) => testAt(change)?.isRejected() ?? false;
  const step = testAt(centre)?.standardError ?? 0;
  const low = boundFrom(centre, -step, byInterval);
  const high = boundFrom(centre, step, byInterval);
  if (low === undefined || high === undefined || low * high <= 0)
    return low === undefined || high === undefined ? undefined : { low, high };
  const nearest = byBoth(low > 0 ? low : high) ? (low > 0 ? low : high) : boundFrom(centre, low > 0 ? -step : step, byBoth);
  const bound = nearest === undefined || !byBoth(0) ? 0 : nearest;
  return low > 0 ? { low: Math.min(low, bound), high } : { low, high: Math.max(high, bound) };
}

function boundFrom(centre: number, step: number, isRejected: (change: number) => boolean): number | undefined {
  let open = centre;
  let distance = step;
  for (let doubling = 0; !isRejected(centre + distance); doubling++) {
    if (doubling === MAX_DOUBLINGS) return undefined;
    open = centre + distance;
    distance *= 2;
  }
  let rejected = centre + distance;
  for (let halving = 0; halving < 12; halving++) {
    const middle = (open + rejected) / 2;
    if (isRejected(middle)) rejected = middle;
    else open = middle;
  }
  return rejected;
}
