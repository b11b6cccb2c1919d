/** What a comparison is asked for, checked, with its defaults: its profiles, its method, and the rule of its intervals. */
import { PlumbfoxError } from '../errors.ts';
import { carrierFor } from '../profiles/carrier.ts';
import { CONTROL_ID, findProfile } from '../profiles/presets.ts';
import type { ComparableLoad, ComparedProfile, ComparisonMethod, Estimate, Looks } from './comparison.ts';
import { type IntervalRule, SHARE_AT_LOOKS } from './interval-rule.ts';
import { type LoadIndex, scenarioKeys } from './load-index.ts';
import { precisionFor } from './planned-loads.ts';
import { DEFAULT_ALPHA, EFFECT_PRECISION, EVERYDAY_PRECISION } from './thresholds.ts';

/** Which profiles to compare, with which baseline, and how sure a verdict must be. */
export interface CompareOptions {
  readonly baseline: string;
  /** The baseline included, in the order in which they are to be shown. Default: the profiles of the loads, known by their ids. */
  readonly profiles?: readonly ComparedProfile[];
  /** Chance, over all intervals and all looks, that any of them misses the truth. Default: 0.05. */
  readonly alpha?: number;
  /**
   * Default: `planned` where `plannedPairs` or `plannedBlocks` is given, else `any`. `once` is for a number of loads that was fixed before the
   * first: its intervals are shorter, and hold only for that look.
   */
  readonly looks?: Looks;
  /** Default: `adjusted` where loads have slots, else `paired`. */
  readonly estimate?: Estimate;
  /**
   * Pairs (adjusted: draws of two blocks) with which the run ends, known before its first load: most of alpha is spent there. A run that ends before or goes on
   * stays valid.
   */
  readonly plannedPairs?: number;
  /** The same, as blocks of every page over every link. */
  readonly plannedBlocks?: number | undefined;
  /** `as-they-came`: the profiles took no turns drawn at random, so there are figures and no verdict. */
  readonly turns?: 'as-they-came' | undefined;
  /**
   * Everyday loads from before the comparison, in blocks of their own, whatever their profile: what they say of their pages narrows the interval,
   * and they count for nothing else.
   */
  readonly earlier?: readonly ComparableLoad[] | undefined;
  /** `left-out`: nobody will be told which pages' loads fall into groups. */
  readonly modes?: 'left-out' | undefined;
  /** `left-out`: nobody will be told how many more loads a verdict takes. */
  readonly forecast?: 'left-out' | undefined;
  /** Ignored, as nothing is drawn at random here: accepted from callers that pass one seed to all they call. */
  readonly seed?: number;
}

/** The options with the profiles that they come to. */
export type Options = CompareOptions & Required<Pick<CompareOptions, 'profiles'>>;

/** A baseline without loads stays out, and is refused later: it is more likely a wrong name. */
export function profilesOf(loads: readonly ComparableLoad[], baseline: string): readonly ComparedProfile[] {
  const ids = new Set(loads.map(({ profileId }) => profileId));
  const ordered = ids.has(baseline) || ids.size === 0 ? [baseline, ...[...ids].filter((id) => id !== baseline)] : [...ids];
  return ordered.map((id) => {
    const known = findProfile(id);
    const carrier = known === undefined ? 'none' : carrierFor(known, { gateway: true });
    const role = id === baseline ? 'baseline' : id === CONTROL_ID ? 'control' : 'candidate';
    return { id, carrier, role, connections: known?.connections, depth: known?.depth ?? 1, intended: known?.preferences };
  });
}

export function methodOf(loads: readonly ComparableLoad[], options: Options): ComparisonMethod {
  const estimate = options.estimate ?? (loads.some(({ slot }) => slot !== undefined) ? 'adjusted' : 'paired');
  const { plannedPairs, plannedBlocks } = options;
  const isPlanned = plannedPairs !== undefined || plannedBlocks !== undefined;
  const looks = options.looks ?? (isPlanned ? 'planned' : 'any');
  const common = { estimate, looks, alpha: options.alpha ?? DEFAULT_ALPHA, intervals: intervalCount(options) };
  if (looks !== 'planned') return common;
  return { ...common, ...(plannedBlocks !== undefined ? { plannedBlocks } : plannedPairs !== undefined && { plannedPairs }) };
}

export function ruleOf({ plannedPairs, plannedBlocks, forecast }: Options, index: LoadIndex, method: ComparisonMethod): IntervalRule {
  const { looks, estimate } = method;
  const alpha = method.alpha / method.intervals;
  const pairsPerBlock = estimate === 'paired' ? Math.max(1, scenarioKeys(index).length) : 1;
  const pairs = plannedBlocks === undefined ? plannedPairs : plannedBlocks * pairsPerBlock;
  const ownChoice = estimate === 'paired' ? EFFECT_PRECISION : EVERYDAY_PRECISION;
  const level = looks === 'planned' ? alpha * (1 - SHARE_AT_LOOKS) : alpha;
  const precision = pairs === undefined ? ownChoice : precisionFor(pairs, level);
  const plan = plannedBlocks !== undefined ? { blocks: plannedBlocks } : plannedPairs !== undefined ? { pairs: plannedPairs } : undefined;
  return { alpha, looks, precision, plan, forecast };
}

/**
 * Intervals a reader may be shown: each profile against the baseline and, because which of the two is shown depends on the
 * data, each gateway profile against the control as well.
 */
export function intervalCount({ baseline, profiles }: Pick<Options, 'baseline' | 'profiles'>): number {
  const others = profiles.filter(({ id }) => id !== baseline);
  const hasControl = others.some(({ role }) => role === 'control');
  const againstControl = hasControl ? others.filter(needsGateway).length : 0;
  return Math.max(1, others.length + againstControl);
}

export function needsGateway({ carrier, role }: ComparedProfile): boolean {
  return carrier === 'gateway' && role !== 'control';
}

export function checkOptions({ baseline, profiles, alpha = DEFAULT_ALPHA, plannedPairs, plannedBlocks }: Options): void {
  const ids = profiles.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new PlumbfoxError('bad-input', `Profile ${twice} is named twice in one comparison`);
  if (!ids.includes(baseline))
    throw new PlumbfoxError('bad-input', `The baseline ${baseline} is not among the profiles: ${ids.join(', ')}`);
  if (profiles.filter(({ role }) => role === 'control').length > 1) {
    throw new PlumbfoxError('bad-input', 'A comparison has one control at most');
  }
  if (!(alpha > 0 && alpha < 1)) throw new PlumbfoxError('bad-input', `alpha is a chance in (0, 1), not ${alpha}`);
  for (const [what, planned] of Object.entries({ 'Planned pairs': plannedPairs, 'Planned blocks': plannedBlocks })) {
    if (planned !== undefined && !(planned >= 1 && planned < Number.POSITIVE_INFINITY))
      throw new PlumbfoxError('bad-input', `${what} are 1 or more, and finite, not ${planned}`);
  }
}
