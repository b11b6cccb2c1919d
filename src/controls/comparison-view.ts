/** The comparison as rows and points: one per profile, and the gateway's control. The answer says what follows from it. */
import type { Change } from '../core/answer/answer.ts';
import { comparisonOf } from '../core/compare/by-protocol.ts';
import type { Comparison, ProfileComparison, Verdict, VersusBaseline } from '../core/compare/comparison.ts';
import { MAX_LOADS_NAMED, versusSentence } from '../core/compare/format-verdict.ts';
import type { WhyExcluded } from '../core/field/load-summary.ts';
import { boundedShare } from '../core/measure/efficiency.ts';
import { MAX_REQUESTS } from '../core/measure/load-measures.ts';
import type { Carrier } from '../core/profiles/profile.ts';
import { VERDICT_LABELS } from '../core/report/shown-comparison.ts';
import { PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { MessageId, PlainId } from '../core/text/messages.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { coreLanguage, fixedText, format, language, text } from '../views/text.ts';

/** Decides the colours in chart and table. */
export type PointKind = 'baseline' | 'candidate' | 'recommended' | 'control';
type VerdictTone = 'good' | 'bad' | 'plain';

export interface ComparisonPoint {
  readonly id: string;
  readonly kind: PointKind;
  /** Against what the profile is compared with: .12 is 12 % faster. */
  readonly change: number;
  /** The interval's ends; `undefined`: not known yet. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}

export interface ComparisonRow {
  readonly id: string;
  readonly kind: PointKind;
  /** The profile's role, loads and carrier. */
  readonly note: string;
  readonly efficiency: string;
  readonly loadTime: string;
  readonly verdict: { readonly word: string; readonly tone: VerdictTone };
  /** Efficiency against the profile compared with; empty for the baseline itself. */
  readonly change: string;
  readonly reason: string;
}

/** Pages over one HTTP version, or all pages if there is only one. */
interface ComparisonGroup {
  readonly key: string;
  readonly label: string;
  readonly points: readonly ComparisonPoint[];
  /** How to read them, or why there are none. */
  readonly caption: string;
  readonly rows: readonly ComparisonRow[];
  /** The gateway's own cost, where it was measured. */
  readonly control: string | undefined;
}

export interface ComparisonView {
  readonly baseline: string;
  /** The groups, the one with the most loads first. */
  readonly groups: readonly [ComparisonGroup, ...ComparisonGroup[]];
  /** Which loads are excluded, and why; absent: none. */
  readonly excluded: string | undefined;
}

/** `recommended`: the profile that the answer names; `undefined`: none. */
interface ComparisonViewOptions {
  readonly recommended: string | undefined;
  /** What the trial under way says of its candidates, which is the only thing said of them; absent: nothing is known of it yet. */
  readonly inTrial?: ReadonlyMap<string, Change | undefined>;
  readonly excluded?: string | undefined;
}

/** Pure. */
export function comparisonView(comparison: Comparison, { recommended, inTrial, excluded }: ComparisonViewOptions): ComparisonView {
  const { protocols = [], baseline } = comparison;
  const [largest, ...others] = protocols
    .map((own) => ({ own, loads: loadsOf(own) }))
    .sort((a, b) => b.loads - a.loads)
    .map(({ own, loads }) => {
      const label = text('comparison.protocol', {
        protocol: fixedText(PROTOCOL_LABELS[own.protocol]),
        loads: text('count.loads', { count: loads }),
      });
      return groupView(comparisonOf(comparison, own), { recommended, inTrial, key: own.protocol, label });
    });
  const groups: ComparisonView['groups'] = largest
    ? [largest, ...others]
    : [groupView(comparison, { recommended, inTrial, key: 'all', label: text('comparison.all') })];
  return { baseline, groups, excluded };
}

const loadsOf = ({ profiles }: Pick<Comparison, 'profiles'>): number => profiles.reduce((sum, { loads }) => sum + loads, 0);

/** The group that the person chose, or the largest. */
export const chosenGroup = ({ groups }: ComparisonView, key: string | undefined): ComparisonGroup =>
  groups.find((group) => group.key === key) ?? groups[0];

interface GroupOptions extends Pick<ComparisonViewOptions, 'recommended'> {
  readonly inTrial: ComparisonViewOptions['inTrial'] | undefined;
  readonly key: string;
  readonly label: string;
}

function groupView(comparison: Comparison, { recommended, inTrial = new Map(), key, label }: GroupOptions): ComparisonGroup {
  const kindOf = pointKind(recommended);
  const isDisproved = comparison.profiles.some(
    ({ efficiency: { estimate } }) => estimate !== undefined && boundedShare(estimate) === undefined,
  );
  const points = comparison.profiles.flatMap((profile) =>
    inTrial.has(profile.id) ? trialPoint(profile.id, inTrial.get(profile.id), kindOf(profile)) : point(profile, kindOf(profile)),
  );
  // The baseline alone says nothing.
  const shown = points.length > 1 ? points : [];
  return {
    key,
    label,
    points: shown,
    caption: text(isDisproved ? 'comparison.networkWrong' : shown.length === 0 ? 'comparison.noPoints' : 'comparison.caption'),
    rows: comparison.profiles.map((profile) => {
      const own = row(profile, { kind: kindOf(profile), baseline: comparison.baseline, isDisproved });
      return inTrial.has(profile.id) ? { ...own, ...trialColumns(inTrial.get(profile.id)) } : own;
    }),
    control: controlLabel(comparison),
  };
}

function pointKind(recommended: string | undefined): (profile: ProfileComparison) => PointKind {
  return ({ id, role }) => (role === 'candidate' && id === recommended ? 'recommended' : role);
}

function point({ id, versusBaseline: { ratio, low, high } }: ProfileComparison, kind: PointKind): readonly ComparisonPoint[] {
  const change = (of: number | undefined) => (of === undefined ? undefined : of - 1);
  const isBounded = low !== undefined || high !== undefined || kind === 'baseline';
  return ratio === undefined || !isBounded ? [] : [{ id, kind, change: ratio - 1, low: change(low), high: change(high) }];
}

function trialPoint(id: string, change: Change | undefined, kind: PointKind): readonly ComparisonPoint[] {
  return change?.low === undefined ? [] : [{ id, kind, change: change.gain, low: change.low, high: change.high }];
}

/** A trial's figure rests on its own turns, everyday loads give another: the page says one. */
function trialColumns(change: Change | undefined): Pick<ComparisonRow, 'verdict' | 'change' | 'reason'> {
  const { low, high } = change ?? {};
  const label =
    change === undefined || low === undefined || high === undefined
      ? text('card.row.early')
      : text('figure.interval', { figure: format.gain(change.gain), low: format.gain(low), high: format.gain(high) });
  return { verdict: { word: text('comparison.inTrial'), tone: 'plain' }, change: label, reason: '' };
}

interface RowContext {
  readonly kind: PointKind;
  readonly baseline: string;
  /** The link's estimate is wrong, and with it the efficiency of every profile over it. */
  readonly isDisproved: boolean;
}

function row(profile: ProfileComparison, { kind, baseline, isDisproved }: RowContext): ComparisonRow {
  const {
    efficiency: { estimate },
    versusBaseline,
    loadTimeMs,
  } = profile;
  return {
    id: profile.id,
    kind,
    note: rowNote(profile, kind),
    efficiency:
      estimate !== undefined && !isDisproved
        ? format.percent(Math.min(estimate, 1))
        : text(estimate === undefined ? 'figure.unknown' : 'figure.networkWrong'),
    loadTime: loadTimeMs.median === undefined ? text('figure.unknown') : format.duration(loadTimeMs.median),
    verdict: verdictLabel(versusBaseline.verdict),
    change: changeLabel(versusBaseline, baseline),
    reason: reasonLabel(profile),
  };
}

function rowNote({ loads: count, voidLoads, carrier }: ProfileComparison, kind: PointKind): string {
  const loads = text('count.loads', { count });
  return [
    ...(kind === 'candidate' ? [] : [text(ROLES[kind])]),
    voidLoads === 0 ? loads : text('comparison.loads', { loads, excluded: voidLoads }),
    ...(carrier === 'none' ? [] : [text(CARRIERS[carrier])]),
  ].join(' · ');
}

const ROLES = {
  baseline: 'comparison.baseline',
  recommended: 'comparison.recommended',
  control: 'comparison.control',
} as const satisfies Record<Exclude<PointKind, 'candidate'>, PlainId>;

const CARRIERS = {
  gateway: 'comparison.byGateway',
  http2: 'comparison.byHttp2',
  legacy: 'comparison.byFirefox',
} as const satisfies Record<Exclude<Carrier, 'none'>, PlainId>;

function changeLabel({ ratio, low, high, verdict, against }: VersusBaseline, baseline: string): string {
  if (ratio === undefined || verdict === 'baseline') return '';
  const change = format.change(ratio);
  const figure = against === baseline ? change : text('comparison.change', { change, baseline: against });
  // A change without an interval says nothing yet, on any page.
  if (low === undefined && high === undefined) return text('card.row.early');
  return text('figure.interval', {
    figure,
    low: low === undefined ? text('comparison.noLow') : format.change(low),
    high: high === undefined ? text('comparison.noHigh') : format.change(high),
  });
}

function reasonLabel({ id, versusBaseline }: Pick<ProfileComparison, 'id' | 'versusBaseline'>): string {
  const { verdict, reason: english, loadsNeeded: count, loadsNeededAtMost: most } = versusBaseline;
  const said = fixedText(english);
  const reason = language === 'en' || said !== english ? said : versusSentence(id, versusBaseline, coreLanguage);
  if (verdict !== 'need-more-loads' || count === undefined || count > MAX_LOADS_NAMED) return reason;
  const atMost = most === undefined || most <= count || most > MAX_LOADS_NAMED ? '' : text('comparison.atMost', { most });
  const needed = text('comparison.needed', { count, atMost });
  return `${reason}${/[.!?]$/.test(reason) || reason === '' ? '' : '.'} ${needed}`.trim();
}

function verdictLabel(verdict: Verdict): ComparisonRow['verdict'] {
  return { word: fixedText(VERDICT_LABELS[verdict]), tone: verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'plain' };
}

function controlLabel({ control }: Comparison): string | undefined {
  if (control === undefined) return undefined;
  const { profileId, used } = control;
  const sentence = fixedText(control.sentence);
  return used ? text('comparison.controlUsed', { control: sentence, profile: profileId }) : sentence;
}

/** Whether a newer comparison is computed or has failed; `undefined`: the comparison is up to date. */
export function comparisonStatus({ comparing, comparisonFailure }: PopupState): string | undefined {
  if (comparing !== undefined) {
    const { missing, loads: count, newest } = comparing;
    if (newest !== undefined) return text('comparison.newest', { newest: text('count.loads', { count: newest }), all: count });
    if (missing === 0) return text('comparison.again');
    return text('comparison.preparing', { done: 1 - missing / count, loads: text('count.loads', { count }) });
  }
  return comparisonFailure === undefined ? undefined : text('comparison.failed', { why: fixedText(comparisonFailure) });
}

/** Why there is no comparison to show. */
export const noComparison = ({ comparing, loads }: PopupState): string =>
  text(comparing !== undefined && loads > 0 ? 'comparison.first' : 'comparison.none');

/** The loads excluded from the comparison; `undefined`: none. */
export function excludedLabel({ excluded = [], withoutLink = 0 }: PopupState): string | undefined {
  const all = [
    ...excluded.toSorted((a, b) => b.loads - a.loads),
    ...(withoutLink === 0 ? [] : [{ why: 'no-network', loads: withoutLink } as const]),
  ];
  const count = all.reduce((sum, { loads }) => sum + loads, 0);
  if (count === 0) return undefined;
  const causes = all.map(({ why, loads }) => text(EXCLUSIONS[why], { count: loads, most: MAX_REQUESTS })).join(', ');
  return text('comparison.excluded', { loads: text('count.loads', { count }), causes });
}

const EXCLUSIONS = {
  'no-timing': 'excluded.noTiming',
  'not-in-effect': 'excluded.notInEffect',
  unfit: 'excluded.unfit',
  washout: 'excluded.washout',
  'document-failed': 'excluded.documentFailed',
  'no-load-event': 'excluded.noLoadEvent',
  'page-left': 'excluded.pageLeft',
  'too-many-requests': 'excluded.tooManyRequests',
  'no-network': 'excluded.noNetwork',
} as const satisfies Record<WhyExcluded | 'no-network', MessageId>;
