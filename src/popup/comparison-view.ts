/** The comparison in words and bars: one row per profile, and the gateway's control. What follows from it is the answer's to say. */

import { comparisonOf, PROTOCOL_LABELS } from '../core/compare/by-protocol.ts';
import type { Comparison, ProfileComparison, Verdict, VersusBaseline } from '../core/compare/comparison.ts';
import { formatAtMost, MAX_LOADS_NAMED } from '../core/compare/format-verdict.ts';
import type { WhyExcluded } from '../core/field/comparable-figures.ts';
import { boundedShare } from '../core/measure/bounded-share.ts';
import { MAX_REQUESTS } from '../core/measure/max-requests.ts';
import { VERDICT_LABELS } from '../core/report/verdict-words.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import { type Figures, LINK_DISPROVED } from '../core/text/number-format.ts';
import { carrierName } from './profile-view.ts';

/** By which chart and table choose their colours. */
export type BarKind = 'baseline' | 'candidate' | 'recommended' | 'control';
export type VerdictTone = 'good' | 'bad' | 'plain';

/** One bar of the chart. */
export interface ComparisonBar {
  readonly id: string;
  readonly kind: BarKind;
  /** Efficiency in per cent, 0..100. */
  readonly value: number;
}

export interface ComparisonRow {
  readonly id: string;
  readonly kind: BarKind;
  /** What the profile is here, its loads and its carrier. */
  readonly note: string;
  readonly efficiency: string;
  readonly loadTime: string;
  readonly verdict: { readonly word: string; readonly tone: VerdictTone };
  /** Efficiency against the profile compared with; empty for the baseline itself. */
  readonly change: string;
  readonly reason: string;
}

/** Pages that came over one HTTP version, or all pages where there is one. */
export interface ComparisonGroup {
  /** By which the person chooses. */
  readonly key: string;
  readonly label: string;
  readonly bars: readonly ComparisonBar[];
  /** How to read the bars, or why there are none. */
  readonly caption: string;
  readonly rows: readonly ComparisonRow[];
  /** The gateway's own cost, where it was measured. */
  readonly control: string | undefined;
}

export interface ComparisonView {
  readonly baseline: string;
  /** The one with the most loads first; never none. */
  readonly groups: readonly [ComparisonGroup, ...ComparisonGroup[]];
  /** Which loads are in no figure, and why; absent: all are. */
  readonly excluded: string | undefined;
}

const CAPTION =
  'Efficiency: the share of the speed the link allows; 100\u00a0% means that no transport could be faster. The link is estimated. The verdicts rest on comparing loads of the same page on the same kind of link.';
const DISPROVED =
  'Link figures disproved: loads were faster than the estimated link allows, so their efficiency is not known. Profiles can still be compared with each other.';
const NO_BARS = 'No profile’s efficiency is known yet, so there are no bars to show.';

/** `recommended`: the profile that the answer names; `undefined`: none. */
export interface ComparisonViewOptions {
  readonly figures: Figures;
  readonly recommended: string | undefined;
  readonly excluded?: string | undefined;
}

export function comparisonView(comparison: Comparison, { figures, recommended, excluded }: ComparisonViewOptions): ComparisonView {
  const options = { figures, recommended };
  const { protocols = [], baseline } = comparison;
  const [largest, ...others] = protocols
    .map((own) => ({ own, loads: loadsOf(own) }))
    .sort((a, b) => b.loads - a.loads)
    .map(({ own, loads }) => {
      const label = `${PROTOCOL_LABELS[own.protocol]} (${figures.count(loads, { one: 'load', many: 'loads' })})`;
      return groupView(comparisonOf(comparison, own), { ...options, key: own.protocol, label });
    });
  const groups: ComparisonView['groups'] = largest
    ? [largest, ...others]
    : [groupView(comparison, { ...options, key: 'all', label: 'All loads' })];
  return { baseline, groups, excluded };
}

const loadsOf = ({ profiles }: Pick<Comparison, 'profiles'>): number => profiles.reduce((sum, { loads }) => sum + loads, 0);

/** The group that the person chose; the largest where there is no such group. */
export const chosenGroup = ({ groups }: ComparisonView, key: string | undefined): ComparisonGroup =>
  groups.find((group) => group.key === key) ?? groups[0];

interface GroupOptions extends Pick<ComparisonViewOptions, 'figures' | 'recommended'> {
  readonly key: string;
  readonly label: string;
}

function groupView(comparison: Comparison, { figures, recommended, key, label }: GroupOptions): ComparisonGroup {
  const kindOf = barKind(recommended);
  const isDisproved = comparison.profiles.some(
    ({ efficiency: { estimate } }) => estimate !== undefined && boundedShare(estimate) === undefined,
  );
  const bars = isDisproved ? [] : comparison.profiles.flatMap((profile) => bar(profile, kindOf(profile)));
  return {
    key,
    label,
    bars,
    caption: isDisproved ? DISPROVED : bars.length === 0 ? NO_BARS : CAPTION,
    rows: comparison.profiles.map((profile) =>
      row(profile, { kind: kindOf(profile), baseline: comparison.baseline, figures, isDisproved }),
    ),
    control: controlWords(comparison),
  };
}

function barKind(recommended: string | undefined): (profile: ProfileComparison) => BarKind {
  return ({ id, role }) => (role === 'candidate' && id === recommended ? 'recommended' : role);
}

function bar({ id, efficiency: { estimate } }: ProfileComparison, kind: BarKind): readonly ComparisonBar[] {
  const share = estimate === undefined ? undefined : boundedShare(estimate);
  return share === undefined ? [] : [{ id, kind, value: share * 100 }];
}

interface RowContext {
  readonly kind: BarKind;
  readonly baseline: string;
  readonly figures: Figures;
  /** Figures of one link are wrong for every profile over it. */
  readonly isDisproved: boolean;
}

function row(profile: ProfileComparison, { kind, baseline, figures, isDisproved }: RowContext): ComparisonRow {
  const {
    efficiency: { estimate },
    versusBaseline,
    loadTimeMs,
  } = profile;
  return {
    id: profile.id,
    kind,
    note: rowNote(profile, { kind, figures }),
    efficiency: estimate === undefined ? 'not known' : isDisproved ? LINK_DISPROVED : figures.percent(Math.min(estimate, 1)),
    loadTime: loadTimeMs.median === undefined ? 'not known' : figures.duration(loadTimeMs.median),
    verdict: verdictWord(versusBaseline.verdict),
    change: changeWords(versusBaseline, { baseline, figures }),
    reason: reasonWords(versusBaseline, figures),
  };
}

function rowNote(profile: ProfileComparison, { kind, figures }: Pick<RowContext, 'kind' | 'figures'>): string {
  const role = { baseline: ['baseline'], candidate: [], recommended: ['recommended'], control: ['control'] }[kind];
  const loads = figures.count(profile.loads, { one: 'load', many: 'loads' });
  const voids = profile.voidLoads === 0 ? '' : ` (${profile.voidLoads} excluded)`;
  const carrier = profile.carrier === 'none' ? [] : [`depth ${carrierName(profile.carrier)}`];
  return [...role, `${loads}${voids}`, ...carrier].join(' · ');
}

function changeWords(versus: VersusBaseline, { baseline, figures }: Pick<RowContext, 'baseline' | 'figures'>): string {
  if (versus.ratio === undefined || versus.verdict === 'baseline') return '';
  const against = versus.against === baseline ? '' : ` against ${versus.against}`;
  const { low, high } = versus;
  const change = `${figures.change(versus.ratio)}${against}`;
  if (low === undefined && high === undefined) return change;
  const from = low === undefined ? 'no lower bound yet' : figures.change(low);
  const to = high === undefined ? 'no upper bound yet' : figures.change(high);
  return `${change} (${from} to ${to})`;
}

function reasonWords({ verdict, reason, loadsNeeded, loadsNeededAtMost }: VersusBaseline, figures: Figures): string {
  if (verdict !== 'need-more-loads' || loadsNeeded === undefined || loadsNeeded > MAX_LOADS_NAMED) return reason;
  const needed = figures.count(loadsNeeded, { one: 'more load', many: 'more loads' });
  return `${reason}${/[.!?]$/.test(reason) || reason === '' ? '' : '.'} About ${needed} per profile${formatAtMost({ more: loadsNeeded, atMost: loadsNeededAtMost })} would settle it at the spread seen so far.`.trim();
}

function verdictWord(verdict: Verdict): ComparisonRow['verdict'] {
  return { word: VERDICT_LABELS[verdict], tone: verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'plain' };
}

function controlWords({ control }: Comparison): string | undefined {
  if (control === undefined) return undefined;
  return control.used
    ? `${control.sentence} Profiles that go through the gateway are therefore compared with ${control.profileId}, not with the baseline.`
    : control.sentence;
}

const LOADS = { one: 'load', many: 'loads' };

/** `undefined`: it is as new as the loads. */
export function comparisonStatus({ comparing, comparisonFailure }: PopupState, figures: Figures): string | undefined {
  if (comparing !== undefined) {
    const { missing, loads } = comparing;
    if (missing === 0) return 'Comparing all loads anew…';
    return `Preparing loads that were recorded by an earlier version: ${figures.share(1 - missing / loads)} of ${figures.count(loads, LOADS)} done. You can close this and go on later.`;
  }
  return comparisonFailure === undefined ? undefined : `The loads could not be compared: ${comparisonFailure}`;
}

/** Why there is no comparison to be shown. */
export function noComparison({ comparing, loads }: PopupState): string {
  return comparing !== undefined && loads > 0
    ? 'The first comparison is under way.'
    : 'Nothing to compare yet: a comparison needs loads of the same page under at least two profiles.';
}

/** After the number of loads; empty where every record can be read. */
export function unreadableWords(unreadable: number | undefined, figures: Figures): string {
  if (unreadable === undefined || unreadable === 0) return '';
  return ` ${figures.count(unreadable, { one: 'record', many: 'records' })} cannot be read and ${unreadable === 1 ? 'is' : 'are'} left out.`;
}

/** Below the comparison; `undefined`: every load is in it. */
export function excludedWords({ excluded = [], withoutLink = 0 }: PopupState, figures: Figures): string | undefined {
  const causes = excluded.toSorted((a, b) => b.loads - a.loads).map(({ why, loads }) => `${loads} ${EXCLUSION_LABELS[why]}`);
  const all = [...causes, ...(withoutLink === 0 ? [] : [`${withoutLink} over a network that is not known`])];
  const total = excluded.reduce((sum, { loads }) => sum + loads, withoutLink);
  return total === 0 ? undefined : `${figures.count(total, LOADS)} excluded: ${all.join(', ')}.`;
}

const EXCLUSION_LABELS: Readonly<Record<WhyExcluded, string>> = {
  'no-timing': 'without timing',
  'not-in-effect': 'under other settings than intended',
  unfit: 'set aside by a trial',
  washout: 'right after a trial changed settings',
  'document-failed': 'that could not be fetched',
  'no-load-event': 'that never finished',
  'page-left': 'left before they finished',
  'too-many-requests': `with more than ${MAX_REQUESTS} requests`,
};
