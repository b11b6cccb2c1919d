/**
 * Comparisons over several protocols. What a profile does over HTTP/1.1 and what it does over HTTP/2 are two effects: the limit on
 * connections changes only the first. A mean of both is true of neither, so each protocol has its own verdicts and its own
 * recommendation, and all share the chance of an error.
 */
import { groupBy } from '../group-by.ts';
import type { ComparableLoad, Comparison, ProtocolComparison } from './comparison.ts';
import { formatOverProtocols } from './format-recommendation.ts';
import { DEFAULT_ALPHA } from './thresholds.ts';

/** What describes all loads; it has no verdict. */
export type DescribedLoads = Omit<Comparison, 'control' | 'recommendation' | 'protocols'>;
export type JudgedLoads = Pick<ProtocolComparison, 'method' | 'profiles' | 'control' | 'recommendation'>;

type Work<Options, Result> = (loads: readonly ComparableLoad[], options: Options) => Result;

interface Comparing<Options> {
  /** For loads of one protocol. */
  readonly whole: Work<Options, Comparison>;
  readonly judged: Work<Options, JudgedLoads>;
  /** For loads of several. */
  readonly described: Work<Options, DescribedLoads>;
}

/**
 * One comparison where there is one protocol; else one for each, beside what describes all loads, which then have no verdict. Loads of which
 * no protocol is known are with the only one, or by themselves.
 */
export function compareByProtocol<Options extends { readonly alpha?: number }>(
  loads: readonly ComparableLoad[],
  options: Options,
  { whole, described, judged }: Comparing<Options>,
): Comparison {
  const groups = groupBy(loads, ({ protocol }) => protocol);
  const known = [...groups.keys()].filter((protocol) => protocol !== undefined);
  if (known.length < 2) return whole(loads, options);
  // Where no two profiles have a load that can be used there is no interval that could err.
  const withIntervals = new Set([...groups].filter(([, own]) => comparesProfiles(own)).map(([protocol]) => protocol ?? 'unknown'));
  const alpha = (options.alpha ?? DEFAULT_ALPHA) / Math.max(1, withIntervals.size);
  const protocols = [...groups].map(([known, own]): ProtocolComparison => {
    const { method, profiles, control, recommendation } = judged(own, { ...options, alpha });
    return { protocol: known ?? 'unknown', pages: [...new Set(own.map(({ page }) => page))], method, profiles, control, recommendation };
  });
  const intervals = protocols.reduce((sum, { protocol, method }) => sum + (withIntervals.has(protocol) ? method.intervals : 0), 0);
  const all = described(loads, options);
  return {
    ...all,
    method: { ...all.method, intervals },
    control: undefined,
    recommendation: formatOverProtocols(protocols),
    protocols,
  };
}

function comparesProfiles(loads: readonly ComparableLoad[]): boolean {
  const isUsable = ({ valid, efficiency }: ComparableLoad) => valid && efficiency !== undefined;
  const first = loads.find(isUsable)?.profileId;
  return first !== undefined && loads.some((load) => isUsable(load) && load.profileId !== first);
}

/**
 * The comparison of one protocol in the form of a whole one, for whatever shows comparisons. A profile that was never loaded over it, as in
 * reports that were merged, is no part of it.
 */
export function comparisonOf(whole: Comparison, own: ProtocolComparison): Comparison {
  const { protocols: _, ...rest } = whole;
  const { method, recommendation } = own;
  const profiles = own.profiles.filter(({ role, loads, voidLoads }) => role === 'baseline' || loads > 0 || voidLoads > 0);
  const control = profiles.some(({ carrier }) => carrier === 'gateway') ? own.control : undefined;
  const scenarios = whole.scenarios.filter(({ page }) => own.pages.includes(page));
  return { ...rest, method, profiles, control, recommendation, scenarios };
}
