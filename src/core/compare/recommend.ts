/**
 * The one rule by which a profile is recommended, in `tune`, reports, studies and trials: among the profiles not separated
 * from the best (not surely worse, or by less than 3 %), the cheapest (fewest connections, then smallest depth, then without the gateway).
 *
 * A profile is judged by what the person gains by using it, gateway included: the best has the highest ratio against the baseline itself, and
 * only a profile that is better there can be recommended. Where it needs the gateway it must also be better than the control, or the gain is the
 * gateway's. A cheaper profile that is separated from neither the best nor the baseline is not yet known to gain anything. A profile that sets
 * nothing but what the baseline has is no choice, whatever its figures. Nor is one that surely slows first or largest paint, or a page by more than 3 %.
 */
import { findKnob, PER_SERVER } from '../profiles/catalogue.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import type { ComparedProfile } from './comparison.ts';
import type { SlowerPage } from './page-harm.ts';
import { laterPaint, type PaintFinding } from './paint-effect.ts';
import type { TypicalTimes } from './paired-estimate.ts';
import type { Separation } from './separation.ts';
import { type ShrunkenGain, shrunkenGain } from './shrunken-gain.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';
import type { VerdictFault, VerdictFinding } from './verdict.ts';

export interface Candidate {
  readonly profile: ComparedProfile;
  /** The verdict shown: against the baseline, or against the control where it needs the gateway. */
  readonly shown: VerdictFinding;
  /** What the person gains: always against the baseline itself. */
  readonly gain: Separation;
  /** Load times of what `gain` rests on, the baseline's as `againstMs`. */
  readonly times: TypicalTimes | undefined;
  /** Against the baseline, as `gain`; none: no load has a paint. */
  readonly paints?: readonly PaintFinding[];
  /** Pages over links that are slower than with the baseline, or seem so. */
  readonly slowerPages?: readonly SlowerPage[];
}

export interface RecommendationInput {
  readonly baseline: string;
  /** Absent: no candidate is known to be the same. */
  readonly isBaseline?: (profile: ComparedProfile) => boolean;
  readonly baselineFault: VerdictFault | undefined;
  readonly candidates: readonly Candidate[];
  /** The same kind of interval between two profiles. */
  readonly separate: (profileId: string, against: string) => Separation;
}

/** Why the baseline stays: nothing is better; the gateway takes what a profile gains; or the gain is the gateway's own. */
type KeepReason = 'none-better' | 'gateway-takes-gain' | 'gain-of-gateway';

export type RecommendationFinding =
  /** `dearer`: the most efficient, where a cheaper one that is not separated from it was chosen. */
  | {
      readonly state: 'recommended';
      readonly chosen: Candidate;
      /** Its gain, allowing for its having been chosen; absent: the spread is not known. */
      readonly expected: ShrunkenGain | undefined;
      readonly dearer: Candidate | undefined;
      /** Faster for sure, and not recommended for what they slow; the highest gain first. */
      readonly withheld: readonly Withheld[];
      /** Profiles, the baseline among them, of the best of which it is within 3 % for sure; absent: that is not shown. */
      readonly bestOf: number | undefined;
    }
  /**
   * `within`: every gain is shown to be smaller, a share below 3 %; absent: not shown of all, or the closest is slower. `withoutVerdict`: candidates
   * whose checks failed, or that have no pair of loads.
   */
  | {
      readonly state: 'keep-baseline';
      readonly closest: Candidate;
      readonly within: number | undefined;
      readonly because: KeepReason;
      /** Faster for sure, and not recommended for what they slow. */
      readonly withheld: readonly Withheld[];
      readonly withoutVerdict: readonly Candidate[];
    }
  | { readonly state: 'need-more-loads'; readonly closest: Candidate; readonly withheld: readonly Withheld[] }
  | { readonly state: 'none'; readonly because: 'no-candidates' | 'all-need-gateway' | 'no-pairs' }
  /** `of`: whose checks failed, the baseline's or those of every candidate. */
  | {
      readonly state: 'none';
      readonly because: 'failed-checks';
      readonly of: 'baseline' | 'candidates';
      readonly faults: readonly VerdictFault[];
    };

/** A profile that is faster by load time, and what it surely slows. */
export interface Withheld {
  readonly candidate: Candidate;
  readonly slows: { readonly paint: PaintFinding } | { readonly page: SlowerPage };
}

export interface RecommendationFindings {
  readonly overall: RecommendationFinding;
  /** Without the profiles that need the gateway: only this has an effect in a `user.js` or a policy. */
  readonly settingsAlone: RecommendationFinding;
}

export function recommend({ isBaseline = () => false, ...given }: RecommendationInput): RecommendationFindings {
  const input = { ...given, candidates: given.candidates.filter(({ profile }) => !isBaseline(profile)) };
  const overall = recommendAmong(input);
  // What is recommended, or most promising, and needs no gateway is the answer to both.
  const named = overall.state === 'recommended' ? overall.chosen : overall.state === 'need-more-loads' ? overall.closest : undefined;
  if (named !== undefined && !needsGateway(named)) return { overall, settingsAlone: overall };
  const candidates = input.candidates.filter((candidate) => !needsGateway(candidate));
  const isNoneLeft = candidates.length === 0 && input.candidates.length > 0;
  const settingsAlone = isNoneLeft ? ALL_NEED_GATEWAY : recommendAmong({ ...input, candidates });
  return { overall, settingsAlone };
}

const ALL_NEED_GATEWAY: RecommendationFinding = { state: 'none', because: 'all-need-gateway' };

function recommendAmong(input: RecommendationInput): RecommendationFinding {
  const { baselineFault, candidates } = input;
  if (baselineFault !== undefined) return { state: 'none', because: 'failed-checks', of: 'baseline', faults: [baselineFault] };
  const judged = candidates.filter(({ shown, gain }) => shown.verdict !== 'no-verdict' && gain.ratio !== undefined);
  const best = highest(judged);
  if (best === undefined) return noneOf(candidates);
  const withheld = judged
    .filter(isProven)
    .flatMap(withheldFor)
    .toSorted((a, b) => gainOf(b.candidate) - gainOf(a.candidate));
  const open = judged.filter((each) => withheld.every(({ candidate }) => candidate !== each));
  const proven = open.filter(isProven);
  const highestOpen = highest(open);
  if (proven.length > 0 && highestOpen !== undefined) return recommended(input, { best: highestOpen, proven, withheld });
  const undecided = highest(open.filter((candidate) => !isDecided(candidate)));
  if (undecided !== undefined) return { state: 'need-more-loads', closest: undecided, withheld };
  const withoutVerdict = candidates.filter((candidate) => !judged.includes(candidate));
  return {
    state: 'keep-baseline',
    closest: best,
    because: keepReason(best),
    within: isShownEqual(best) ? mostOf(judged) : undefined,
    withheld,
    withoutVerdict,
  };
}

function withheldFor(candidate: Candidate): readonly Withheld[] {
  const paint = laterPaint(candidate.paints ?? []);
  if (paint !== undefined) return [{ candidate, slows: { paint } }];
  const page = candidate.slowerPages?.find(({ how }) => how === 'surely-more');
  return page === undefined ? [] : [{ candidate, slows: { page } }];
}

const isShownEqual = ({ shown, gain }: Candidate): boolean => [shown.verdict, gain.finding].includes('no-meaningful-difference');

/** The highest that any of them may gain; `undefined`: one may gain what means something, or none may gain anything. */
function mostOf(judged: readonly Candidate[]): number | undefined {
  const most = Math.max(...judged.map(({ shown, gain }) => mostGain(shown, gain) ?? Number.POSITIVE_INFINITY)) - 1;
  return most > 0 && most <= MEANINGFUL_CHANGE ? most : undefined;
}

/** The upper end of what decided: the interval of the gain, else of the common effect, which is estimated of the verdict shown. */
function mostGain({ common }: VerdictFinding, gain: Separation): number | undefined {
  const isByCommon = gain.finding === 'undecided' && !cannotGain(gain) && common?.state === 'estimated';
  return isByCommon ? common.high : gain.high;
}

interface Choices {
  readonly best: Candidate;
  readonly proven: readonly Candidate[];
  readonly withheld: readonly Withheld[];
}

function recommended(input: RecommendationInput, { best, proven, withheld }: Choices): RecommendationFinding {
  const { separate } = input;
  // A lead that is certain but means nothing to a person is not worth a more expensive profile.
  const isLevel = (one: Candidate, other: Candidate) => separate(one.profile.id, other.profile.id).finding !== 'worse';
  const among = proven.filter((candidate) => candidate === best || isLevel(candidate, best));
  // The best may itself be unproven (wide interval), and ahead of all that are proven: then they are compared with their own best.
  const field = among.length > 0 ? { choices: among, isLevel: () => true } : { choices: proven, isLevel };
  const choice = cheapestLevel(field.choices, { costOf, gainOf, isLevel: field.isLevel });
  if (choice === undefined) return { state: 'none', because: 'no-candidates' };
  const { chosen, best: fastest } = choice;
  const dearer = fastest === chosen ? undefined : fastest;
  return { state: 'recommended', chosen, expected: shrunkenGain(chosen.gain), dearer, withheld, bestOf: certified(chosen, input) };
}

/**
 * A certificate as those of fixed confidence in best-arm identification (Jourdan, Degenne & Kaufmann, "An epsilon-best-arm identification algorithm for
 * fixed-confidence and beyond", NeurIPS 2023), by the intervals of the comparison: no other profile may be 3 % better. It is wrong only if the interval
 * between the chosen and the best misses the truth on one side; there are as many such intervals as profiles less one, and alpha is shared by as many.
 */
function certified(chosen: Candidate, { candidates, separate }: RecommendationInput): number | undefined {
  const others = candidates.filter((each) => each !== chosen);
  return others.every(({ profile }) => cannotGain(separate(profile.id, chosen.profile.id))) ? others.length + 2 : undefined;
}

const costOf = ({ profile }: Candidate) => profile;
const gainOf = ({ gain }: Candidate): number => gain.ratio ?? 0;
const needsGateway = ({ profile }: Candidate): boolean => profile.carrier === 'gateway';

const highest = (candidates: readonly Candidate[]): Candidate | undefined =>
  cheapestLevel(candidates, { costOf, gainOf, isLevel: () => false })?.best;

const isProven = ({ shown, gain }: Candidate): boolean => shown.verdict === 'better' && gain.finding === 'better';

function isDecided({ shown, gain }: Candidate): boolean {
  const decided = (finding: string) => finding === 'worse' || finding === 'no-meaningful-difference';
  return cannotGain(gain) || decided(shown.verdict) || decided(gain.finding);
}

/** However far below no change it may yet be, a gain that means something is ruled out. */
const cannotGain = ({ isEarly, high }: Separation): boolean => !isEarly && high !== undefined && high <= 1 + MEANINGFUL_CHANGE;

function keepReason({ shown, gain }: Candidate): KeepReason {
  if (shown.verdict === 'better') return 'gateway-takes-gain';
  return gain.finding === 'better' ? 'gain-of-gateway' : 'none-better';
}

function noneOf(candidates: readonly Candidate[]): RecommendationFinding {
  const faults = candidates.flatMap(({ shown }) => shown.fault ?? []);
  if (faults.length > 0) return { state: 'none', because: 'failed-checks', of: 'candidates', faults };
  return { state: 'none', because: candidates.length === 0 ? 'no-candidates' : 'no-pairs' };
}

/** Whether both are known to set the same values: those that differ from what Firefox ships, sent the same way. */
export function setsTheSame(one: ComparedProfile, other: ComparedProfile): boolean {
  const [own, others] = [changedValues(one), changedValues(other)];
  if (own === undefined || others === undefined || one.depth !== other.depth || one.carrier !== other.carrier) return false;
  return own.size === others.size && [...own].every(([name, value]) => others.get(name) === value);
}

function changedValues({ intended, connections }: ComparedProfile): ReadonlyMap<string, PreferenceValue> | undefined {
  const set = intended ?? (connections === undefined ? undefined : { [PER_SERVER]: connections });
  return set && new Map(Object.entries(set).filter(([name, value]) => findKnob(name)?.defaults.desktop !== value));
}
