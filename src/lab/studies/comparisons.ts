/** Profiles of a study compared, the shape most studies share: efficiencies against a baseline, in pairs of loads of the same turn. Pure. */
import type { CompareOptions } from '../../core/compare/compare-options.ts';
import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Comparison, Verdict, VersusBaseline } from '../../core/compare/comparison.ts';
import { DEFAULT_ALPHA } from '../../core/compare/thresholds.ts';
import { groupBy } from '../../core/group-by.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { recommendationLines, VERDICT_LABELS } from '../../core/report/shown-comparison.ts';
import { counted, formatRange, signedPercent, UNKNOWN } from '../../core/text/figures.ts';
import type { ServedBy } from '../pages/served-by.ts';
import { countText } from './findings.ts';
import type { Study, StudyData, StudyLoad } from './study.ts';

/** Which server speaks a protocol makes no difference to its name. */
export const PROTOCOL_NAMES: Readonly<Record<ServedBy, string>> = {
  embedded: 'HTTP/1.1 without TLS',
  nginx: 'HTTP/1.1 without TLS',
  https: 'HTTP/1.1',
  http2: 'HTTP/2',
  http3: 'HTTP/3',
  negotiated: 'HTTP/3 or older, as agreed',
};

/** Profiles that need the gateway go through it in every study. */
export const comparedProfile = (profile: Profile, baseline: string): ComparedProfile => ({
  ...{ id: profile.id, connections: profile.connections, depth: profile.depth, intended: profile.preferences },
  carrier: carrierFor(profile, { gateway: true }),
  role: profile.id === baseline ? 'baseline' : 'candidate',
});

/** The number of a study's loads is fixed before the first, and they are looked at once. */
export const compareOnce = (loads: readonly ComparableLoad[], options: Omit<CompareOptions, 'looks'>): Comparison =>
  compareProfiles(loads, { ...options, looks: 'once' });

/** Profiles without loads are left out. @param comparisons - Those that share the chance of an error with this one, this one included. */
export function compareOwnProfiles(
  { profiles }: Pick<Study, 'profiles'>,
  loads: readonly ComparableLoad[],
  baseline: string,
  comparisons = 1,
): Comparison {
  const loaded = new Set(loads.map(({ profileId }) => profileId));
  const own = profiles.filter(({ id }) => loaded.has(id)).map((profile) => comparedProfile(profile, baseline));
  return compareOnce(loads, { baseline, profiles: own, alpha: DEFAULT_ALPHA / comparisons });
}

/** The loads of each way of serving pages, in the order of the study's pages. */
export function loadsByServer({
  pages,
  loads,
}: StudyData): readonly { readonly servedBy: ServedBy; readonly loads: readonly StudyLoad[] }[] {
  return [...groupBy(pages, ({ servedBy }) => servedBy)].map(([servedBy, own]) => {
    const names = new Set(own.map(({ name }) => name));
    return { servedBy, loads: loads.filter(({ page }) => names.has(page)) };
  });
}

/** Whether an interval shows any difference at all. A profile that sets what is shipped must show none: it is the check of a study. */
export const excludesNoChange = (versus: Pick<VersusBaseline, 'low' | 'high'> | undefined): boolean =>
  (versus?.low ?? 1) > 1 || (versus?.high ?? 1) < 1;

/** No verdict where the check of the study differs from the baseline as well. */
export const withoutVerdict = (versus: VersusBaseline, check: string): VersusBaseline => ({
  ...versus,
  verdict: 'no-verdict',
  reason: `No verdict: ${check}, which sets Firefox's own values, differs from the baseline as well.`,
  loadsNeeded: undefined,
  loadsNeededAtMost: undefined,
});

/** A verdict in a table without the number of loads that it needs. */
export const shortVerdict = (verdict: Verdict): string => (verdict === 'need-more-loads' ? 'undecided' : VERDICT_LABELS[verdict]);

/** `+12 %`; a dash where it is not known. */
export const changeText = (ratio: number | undefined): string => (ratio === undefined ? UNKNOWN : signedPercent(ratio - 1));

/** `+8 % to +15 %`. @param open - The text where there are too few loads for an interval. */
export const intervalText = (
  { low, high }: { readonly low?: number | undefined; readonly high?: number | undefined },
  open: string = UNKNOWN,
): string => (low === undefined || high === undefined ? open : formatRange(low, high));

/** `+25 % (+18 % to +32 %; 6 pairs)`. */
export const changeWithInterval = (versus: Pick<VersusBaseline, 'ratio' | 'low' | 'high' | 'pairs'>): string =>
  `${changeText(versus.ratio)} (${intervalText(versus, 'no interval')}; ${countText(versus.pairs)} ${versus.pairs === 1 ? 'pair' : 'pairs'})`;

/** What figures of a picture rest on: `6 pairs of loads`, `5 to 6 pairs of loads`. */
export function pairsEach(pairs: readonly number[]): string {
  const [least, most] = [Math.min(...pairs), Math.max(...pairs)];
  return least === most || pairs.length === 0
    ? `${pairs.length === 0 ? 0 : countText(least)} pairs of loads`
    : `${countText(least)} to ${countText(most)} pairs of loads`;
}

/** Plumbfox's recommendation from a study's loads, below the question that this answers: it is another one than the study's own. */
export function recommendedHere({ question }: Pick<Study, 'question'>, comparison: Comparison): readonly string[] {
  const { baseline, control, protocols, scenarios } = comparison;
  const than = baseline === BASELINE_ID ? `Firefox's own settings (${BASELINE_ID})` : baseline;
  const together = `${counted(scenarios.length, 'scenario')} (a page over a link)${scenarios.length === 1 ? '' : ' together'}`;
  const gateway = control === undefined ? '' : ", the gateway's own effect included";
  const each = protocols === undefined ? '' : ', each HTTP version by itself';
  return [
    `Two questions. The study's own is answered above: "${question}"`,
    `Here the question is which profile is faster than ${than} in ${together}${each}${gateway}.`,
    ...recommendationLines(comparison),
  ];
}
