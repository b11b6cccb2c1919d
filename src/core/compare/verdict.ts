/**
 * The verdict on a profile, as data: what its separation from another shows, unless a check of its loads failed. `format-verdict.ts` words it.
 */
import { binomialTest } from '../stats/count-tests.ts';
import type { CommonFinding } from './common-effect.ts';
import type { SetAside, Verdict } from './comparison.ts';
import type { LoadIndex, ScenarioLoads } from './load-index.ts';
import type { PaintFinding } from './paint-effect.ts';
import type { Separation } from './separation.ts';
import { MAX_LOST_SHARE } from './thresholds.ts';

/**
 * Loads of a profile that were lost for causes that may depend on how long they took: those that took no time by the clock or came whole from a cache
 * among them. With a fifth of one profile's loads so lost, equal profiles were called different in 12 % of runs of 20 blocks.
 */
interface Losses {
  readonly lost: number;
  readonly attempted: number;
}

export type VerdictFault =
  | ({ readonly kind: 'most-loads-lost'; readonly profileId: string } & Losses)
  | { readonly kind: 'page-lost'; readonly profileId: string; readonly page: string; readonly link: string }
  | {
      readonly kind: 'unequal-losses';
      readonly profileId: string;
      readonly against: string;
      readonly own: Losses;
      readonly others: Losses;
    }
  /**
   * The profiles did not take turns at random: what looks like the profile may be the day. With the default on one day and a profile without
   * any effect on the next, and days that differ by 10 %, 30 % of simulated comparisons would have called it better or worse.
   */
  | { readonly kind: 'unrandomised' }
  | { readonly kind: 'gateway-cost-not-known'; readonly controlId: string };

interface VerdictInput {
  readonly profileId: string;
  readonly against: string;
  readonly separation: Separation;
  /** A check that failed; then there is no verdict, whatever the figures say. */
  readonly fault: VerdictFault | undefined;
  readonly without: readonly SetAside[];
  /** `undefined`: it cannot be estimated. */
  readonly common?: CommonFinding | undefined;
  readonly paints?: readonly PaintFinding[] | undefined;
}

export interface VerdictFinding extends VerdictInput {
  readonly verdict: Exclude<Verdict, 'baseline'>;
}

/** Equality is proven by either estimate: scenarios that count equally, or by how well their loads repeat. A difference is proven by the first alone. */
export function verdictOf(input: VerdictInput): VerdictFinding {
  const { fault, separation } = input;
  if (fault !== undefined) return { ...input, verdict: 'no-verdict' };
  return { ...input, verdict: isSameByCommon(input) ? 'no-meaningful-difference' : findingVerdict(separation.finding) };
}

/** Whether only the common effect shows that there is no real difference. */
export const isSameByCommon = ({ separation, common }: Pick<VerdictInput, 'separation' | 'common'>): boolean =>
  separation.finding === 'undecided' && common?.state === 'estimated' && common.finding === 'no-meaningful-difference';

/** The verdict of a finding where no check failed. */
export const findingVerdict = (finding: Separation['finding']): Exclude<Separation['finding'], 'undecided'> | 'need-more-loads' =>
  finding === 'undecided' ? 'need-more-loads' : finding;

interface ControlInput {
  readonly controlId: string;
  readonly baselineId: string;
  readonly separation: Separation;
  readonly fault: VerdictFault | undefined;
}

/** `used`: gateway profiles are compared with the control; it could be compared itself. */
export interface ControlFinding extends ControlInput {
  readonly used: boolean;
}

/**
 * The gateway's own cost is never taken for the profile's: wherever there is a control (c6-d1, which is what Firefox does by itself, but
 * through the gateway), gateway profiles are compared with it, whatever it measured: a comparison that was chosen by its figure would change with
 * a few loads. The control itself is compared with the baseline direct.
 */
export function controlFinding(input: ControlInput): ControlFinding {
  return { ...input, used: input.fault === undefined && input.separation.ratio !== undefined };
}

/** `everyPage`: every page over every link was planned for the profile; everyday loads fall on pages as they please. */
interface LossOptions {
  readonly everyPage: boolean;
}

/** The fault of a profile's loads; `undefined`: nothing. No loads at all is not a fault. */
export function lostLoads(index: LoadIndex, profileId: string, { everyPage }: LossOptions): VerdictFault | undefined {
  const scenarios = [...(index.get(profileId)?.values() ?? [])];
  const attempted = scenarios.reduce((total, scenario) => total + scenario.valid + scenario.void, 0);
  const lost = attempted - scenarios.reduce((total, scenario) => total + scenario.usable, 0);
  if (attempted === 0) return undefined;
  if (lost / attempted > MAX_LOST_SHARE) return { kind: 'most-loads-lost', profileId, lost, attempted };
  const missing = everyPage ? scenarios.find((scenario) => scenario.usable === 0 && !isUnrelated(scenario)) : undefined;
  return missing && { kind: 'page-lost', profileId, page: missing.page, link: missing.link };
}

/**
 * A profile may have no usable load of a page over a link for causes that cannot depend on how long the loads took. Leaving the page out then
 * favours no quick loads, so it is set aside and the others are compared. With any other cause the profile has no verdict.
 */
export function setAside(index: LoadIndex, { everyPage }: LossOptions): readonly SetAside[] {
  if (!everyPage) return [];
  return [...index].flatMap(([profileId, scenarios]) =>
    [...scenarios.values()]
      .filter((scenario) => scenario.usable === 0 && isUnrelated(scenario))
      .map(({ page, link }) => ({ profileId, page, link })),
  );
}

const isUnrelated = ({ valid, void: lost, voidUnrelated }: ScenarioLoads): boolean => valid === 0 && lost === voidUnrelated;

/**
 * One profile may lose this share of its loads more than the other, or two loads; more may be what makes the difference. Two of twelve are lost by
 * chance only: with 5 % of the loads of each lost at random, 13.3 % of runs of three blocks had no verdict when two held it, and 2.2 % have none
 * with three, where at most 5 % of runs with the slowest 5 to 40 % of one profile's loads lost are called different (1 to 8 pages, 3 to 6 blocks;
 * 1,500 runs each).
 */
const EXCESS = { share: 0.1, loads: 3 };
/** Chance of equal losses being called unequal by their count only. */
const UNEQUAL_P = 0.05;

/**
 * Whether one profile lost more loads than the other for causes that may depend on how long they took: what is left of it is then quicker than it
 * was. With the slowest fifth of the loads of one of two equal profiles excluded, it was called better in 12 % of runs, and with two fifths in 55 %.
 */
export function unequalLosses(index: LoadIndex, profileId: string, against: string): VerdictFault | undefined {
  const [own, others] = [lossesOf(index, profileId), lossesOf(index, against)];
  const attempted = own.attempted + others.attempted;
  const lost = own.lost + others.lost;
  if (own.attempted === 0 || others.attempted === 0 || lost === 0) return undefined;
  const excess = Math.abs(own.lost / own.attempted - others.lost / others.attempted);
  const isLarge = excess >= EXCESS.share && Math.abs(own.lost - others.lost) >= EXCESS.loads;
  if (!isLarge && binomialTest(own.lost, lost, own.attempted / attempted).p >= UNEQUAL_P) return undefined;
  return { kind: 'unequal-losses', profileId, against, own, others };
}

function lossesOf(index: LoadIndex, profileId: string): Losses {
  let [lost, attempted] = [0, 0];
  for (const scenario of index.get(profileId)?.values() ?? []) {
    lost += scenario.void - scenario.voidUnrelated + scenario.valid - scenario.usable;
    attempted += scenario.valid + scenario.void;
  }
  return { lost, attempted };
}
