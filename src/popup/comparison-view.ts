/** The comparison in words and bars: one row per profile, and the gateway's control. What follows from it is the answer's to say. */

import type { Comparison, ProfileComparison, Verdict, VersusBaseline } from '../core/compare/comparison.ts';
import { atMostInWords, MOST_LOADS_NAMED } from '../core/compare/loads-needed-words.ts';
import { assertNever } from '../core/errors.ts';
import type { Figures } from '../views/figures.ts';
import { carrierName } from './profile-view.ts';

/** By which chart and table choose their colours. */
export type BarKind = 'baseline' | 'candidate' | 'recommended' | 'control';
export type VerdictTone = 'good' | 'bad' | 'plain';

/** One bar of the chart; all figures are percentages of efficiency, 0..100. */
export interface ComparisonBar {
  readonly id: string;
  readonly kind: BarKind;
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | undefined;
}

export interface ComparisonRow {
  readonly id: string;
  readonly kind: BarKind;
  /** What the profile is here, its loads and its carrier. */
  readonly note: string;
  readonly efficiency: string;
  readonly interval: string;
  readonly loadTime: string;
  readonly verdict: { readonly word: string; readonly tone: VerdictTone };
  /** Efficiency against the profile compared with; empty for the baseline itself. */
  readonly change: string;
  readonly reason: string;
}

export interface ComparisonView {
  readonly baseline: string;
  readonly bars: readonly ComparisonBar[];
  /** How to read the bars, or why there are none. */
  readonly caption: string;
  readonly rows: readonly ComparisonRow[];
  /** The gateway's own cost, where it was measured. */
  readonly control: string | undefined;
}

const CAPTION =
  'Efficiency: the share of the speed the link allows; 100\u00a0% means that no transport could be faster. The link is estimated. The verdicts rest on comparing loads of the same page on the same kind of link.';
const NO_BARS = 'No profile’s efficiency is known yet, so there are no bars to show.';

/** `recommended`: the profile that the answer names; `undefined`: none. */
export interface ComparisonViewOptions {
  readonly figures: Figures;
  readonly recommended: string | undefined;
}

export function comparisonView(comparison: Comparison, { figures, recommended }: ComparisonViewOptions): ComparisonView {
  const kindOf = barKind(recommended);
  const bars = comparison.profiles.flatMap((profile) => bar(profile, kindOf(profile)));
  return {
    baseline: comparison.baseline,
    bars,
    caption: bars.length === 0 ? NO_BARS : CAPTION,
    rows: comparison.profiles.map((profile) => row(profile, { kind: kindOf(profile), baseline: comparison.baseline, figures })),
    control: controlWords(comparison),
  };
}

function barKind(recommended: string | undefined): (profile: ProfileComparison) => BarKind {
  return ({ id, role }) => (role === 'candidate' && id === recommended ? 'recommended' : role);
}

function bar({ id, efficiency }: ProfileComparison, kind: BarKind): readonly ComparisonBar[] {
  const { estimate, low, high } = efficiency;
  if (estimate === undefined) return [];
  const interval = low === undefined || high === undefined ? undefined : { low: low * 100, high: high * 100 };
  return [{ id, kind, value: estimate * 100, interval }];
}

interface RowContext {
  readonly kind: BarKind;
  readonly baseline: string;
  readonly figures: Figures;
}

function row(profile: ProfileComparison, { kind, baseline, figures }: RowContext): ComparisonRow {
  const { efficiency, versusBaseline, loadTimeMs } = profile;
  const { estimate, low, high } = efficiency;
  return {
    id: profile.id,
    kind,
    note: rowNote(profile, { kind, baseline, figures }),
    efficiency: estimate === undefined ? 'not known' : figures.percent(estimate),
    interval: estimate === undefined ? '' : low === undefined || high === undefined ? '' : figures.percentRange(low, high),
    loadTime: loadTimeMs.median === undefined ? 'not known' : figures.duration(loadTimeMs.median),
    verdict: verdictWord(versusBaseline.verdict),
    change: changeWords(versusBaseline, { baseline, figures }),
    reason: reasonWords(versusBaseline, figures),
  };
}

function rowNote(profile: ProfileComparison, { kind, figures }: RowContext): string {
  const role = { baseline: ['baseline'], candidate: [], recommended: ['recommended'], control: ['control'] }[kind];
  const loads = figures.count(profile.loads, { one: 'load', many: 'loads' });
  const voids = profile.voidLoads === 0 ? '' : ` (${profile.voidLoads} void)`;
  const carrier = profile.carrier === 'none' ? [] : [`depth ${carrierName(profile.carrier)}`];
  return [...role, `${loads}${voids}`, ...carrier].join(' · ');
}

function changeWords(versus: VersusBaseline, { baseline, figures }: Omit<RowContext, 'kind'>): string {
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
  if (verdict !== 'need-more-loads' || loadsNeeded === undefined || loadsNeeded > MOST_LOADS_NAMED) return reason;
  const needed = figures.count(loadsNeeded, { one: 'more load', many: 'more loads' });
  return `${reason}${/[.!?]$/.test(reason) || reason === '' ? '' : '.'} About ${needed} per profile${atMostInWords({ more: loadsNeeded, atMost: loadsNeededAtMost })} would settle it at the spread seen so far.`.trim();
}

function verdictWord(verdict: Verdict): ComparisonRow['verdict'] {
  switch (verdict) {
    case 'better':
      return { word: 'better', tone: 'good' };
    case 'worse':
      return { word: 'worse', tone: 'bad' };
    case 'no-meaningful-difference':
      return { word: 'no meaningful difference', tone: 'plain' };
    case 'need-more-loads':
      return { word: 'need more loads', tone: 'plain' };
    case 'baseline':
      return { word: 'baseline', tone: 'plain' };
    case 'no-verdict':
      return { word: 'no verdict', tone: 'plain' };
    default:
      return assertNever(verdict);
  }
}

function controlWords({ control }: Comparison): string | undefined {
  if (control === undefined) return undefined;
  return control.used
    ? `${control.sentence} Profiles that go through the gateway are therefore compared with ${control.profileId}, not with the baseline.`
    : control.sentence;
}
