/** Simulated loads, put before the comparison as the loads of a trial are. */
import { judgeCandidates } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, Estimate, Looks, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import { formatVersus } from '../../../src/core/compare/format-verdict.ts';

export const BASELINE = 'firefox-default';

export interface JudgeOptions {
  /** Without the baseline. */
  readonly candidates: readonly string[];
  readonly estimate: Estimate;
  readonly looks: Looks;
  /** Blocks, known before the first load; the comparison's own choice unless said. */
  readonly plannedPairs?: number;
  /** Loads from before the comparison. */
  readonly earlier?: readonly ComparableLoad[];
}

/** The verdicts on the candidates, in their order, by what trials judge with and `compareProfiles` shows. */
export function judge(loads: readonly ComparableLoad[], { candidates, ...options }: JudgeOptions): readonly VersusBaseline[] {
  const profiles = [BASELINE, ...candidates].map((id) => ({
    id,
    carrier: 'none' as const,
    role: id === BASELINE ? ('baseline' as const) : ('candidate' as const),
    depth: 1,
  }));
  return judgeCandidates(loads, { baseline: BASELINE, profiles, ...options }).candidates.map(({ shown }) => formatVersus(shown));
}

/** The interval excludes no change. */
export function separated({ low, high }: VersusBaseline): boolean {
  return low !== undefined && high !== undefined && (low > 1 || high < 1);
}

/** A verdict that there is a difference. */
export function claimed({ verdict }: VersusBaseline): boolean {
  return verdict === 'better' || verdict === 'worse';
}

/** What a person sees who looks so often, each time after as many more loads. */
export function looksAt<T>(loads: readonly ComparableLoad[], count: number, look: (loads: readonly ComparableLoad[]) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => look(loads.slice(0, Math.round((loads.length * (at + 1)) / count))));
}

export function firstBlocks(loads: readonly ComparableLoad[], blocks: number): readonly ComparableLoad[] {
  return loads.filter(({ block }) => block < blocks);
}
