/**
 * Comparisons over several protocols. What a profile does over HTTP/1.1 and what it does over HTTP/2 are two effects: the limit on
 * connections changes the first alone. A mean of both is true of neither, so that each protocol has its own verdicts and its own
 * recommendation, and all share the chance of an error.
 */
import type { ComparableLoad, Comparison, LoadProtocol, ProtocolComparison, Recommendation, VersusBaseline } from './comparison.ts';
import { DEFAULT_ALPHA } from './thresholds.ts';

/** Protocols as headings and sentences name them. */
export const PROTOCOL_LABELS: Readonly<Record<ProtocolComparison['protocol'], string>> = {
  'http/1.1': 'HTTP/1.1',
  'http/2': 'HTTP/2',
  'http/3': 'HTTP/3',
  mixed: 'Several HTTP versions',
  unknown: 'HTTP version not known',
};

interface ComparedAtLevel {
  readonly alpha?: number;
}

/** The loads of each protocol, in the order in which they first came; loads of which none is known are with the only one, or by themselves. */
function groupsOf(loads: readonly ComparableLoad[]): ReadonlyMap<LoadProtocol | undefined, readonly ComparableLoad[]> {
  const groups = new Map<LoadProtocol | undefined, ComparableLoad[]>();
  for (const load of loads) {
    const group = groups.get(load.protocol);
    if (group === undefined) groups.set(load.protocol, [load]);
    else group.push(load);
  }
  return groups;
}

/**
 * One comparison where there is one protocol; else one for each, beside what describes all loads, which then have no verdict.
 * @param compare - Compares loads of one protocol.
 */
export function compareByProtocol<Options extends ComparedAtLevel>(
  loads: readonly ComparableLoad[],
  options: Options,
  compare: (loads: readonly ComparableLoad[], options: Options) => Comparison,
): Comparison {
  const groups = groupsOf(loads);
  const known = [...groups.keys()].filter((protocol) => protocol !== undefined);
  const whole = compare(loads, options);
  if (known.length < 2) return whole;
  // Where no two profiles have a load that can be used there is no interval that could err.
  const withIntervals = new Set([...groups].filter(([, own]) => comparesProfiles(own)).map(([protocol]) => protocol));
  const alpha = (options.alpha ?? DEFAULT_ALPHA) / Math.max(1, withIntervals.size);
  const protocols = [...groups].map(([known, own]): ProtocolComparison => {
    const protocol = known ?? 'unknown';
    const { method, profiles, control, recommendation } = compare(own, { ...options, alpha });
    return { protocol, pages: [...new Set(own.map(({ page }) => page))], method, profiles, control, recommendation };
  });
  const intervals = [...withIntervals].reduce(
    (sum, known) => sum + (protocols.find(({ protocol }) => protocol === (known ?? 'unknown'))?.method.intervals ?? 0),
    0,
  );
  return {
    ...whole,
    method: { ...whole.method, intervals },
    profiles: whole.profiles.map((profile) =>
      profile.role === 'baseline' ? profile : { ...profile, versusBaseline: notPooled(profile.versusBaseline) },
    ),
    control: undefined,
    recommendation: recommendationOver(protocols),
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

function notPooled({ against }: VersusBaseline): VersusBaseline {
  return {
    verdict: 'no-verdict',
    reason: 'No verdict over several protocols: each has its own.',
    against,
    ratio: undefined,
    low: undefined,
    high: undefined,
    loadsNeeded: undefined,
    loadsNeededAtMost: undefined,
    pairs: 0,
    pairsAhead: 0,
    detectableChange: undefined,
    p: undefined,
  };
}

/** What is recommended for every protocol is recommended; where they differ, no profile is named for all. */
function recommendationOver(protocols: readonly ProtocolComparison[]): Recommendation {
  const named = protocols.map(({ protocol, recommendation }) => ({ label: PROTOCOL_LABELS[protocol], recommendation }));
  const settingsAlone = over(named.map(({ label, recommendation }) => ({ label, one: recommendation.settingsAlone })));
  const overall = over(named.map(({ label, recommendation }) => ({ label, one: recommendation })));
  const gateway = overall.state === 'recommended' ? named[0]?.recommendation.gateway : undefined;
  return { ...overall, ...(gateway && { gateway }), settingsAlone };
}

type Plain = Recommendation['settingsAlone'];

function over(all: readonly { readonly label: string; readonly one: Plain }[]): Plain {
  const sentence = all.map(({ label, one }) => `${label}: ${one.sentence}`).join(' ');
  const [first] = all;
  const isSame = first !== undefined && all.every(({ one }) => one.state === first.one.state && one.profileId === first.one.profileId);
  if (isSame) return { profileId: first.one.profileId, state: first.one.state, sentence };
  return { profileId: null, state: 'none', sentence: `Each protocol has its own answer. ${sentence}` };
}
