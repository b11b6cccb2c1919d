/**
 * What a trial (a randomised comparison of profiles on everyday browsing) is going to do, fixed before its first load: which
 * profiles, how their turns are drawn, when it may speak and when it ends. Nothing in it changes while the trial runs.
 */
import type { ComparedProfile } from '../compare/compared-profile.ts';
import { planLoads } from '../compare/planned-loads.ts';
import { PlumbfoxError } from '../errors.ts';
import {
  DEFAULT_LOADS_PER_SLOT,
  DEFAULT_MOST_LOADS_PER_ARM,
  DEFAULT_SCREENING_LOADS_PER_ARM,
  DEFAULT_TARGET_CHANGE,
  EXPECTED_LOADS_PER_SLOT,
  EXPECTED_LOG_SD,
  EXPECTED_PAGES,
  MOST_ARMS,
  PLANNED_POWER,
  TRIAL_ALPHA,
  TRIAL_MEANINGFUL_CHANGE,
} from './trial-defaults.ts';

/** How long one turn of a profile, a slot, lasts. */
export type SlotRule =
  /** Until so many loads have begun after the washout. */
  | { readonly kind: 'loads'; readonly perSlot: number }
  /** So many minutes in effect; then until no load is under way. */
  | { readonly kind: 'minutes'; readonly perSlot: number }
  /** From one start of Firefox to the next: for appliers that are not live. */
  | { readonly kind: 'session' };

/** Successive halving before the confirmation; see `successive-halving.ts`. */
export interface ScreeningRule {
  /** Loads of one round, over all arms together; the same in every round. */
  readonly loadsPerRound: number;
}

export interface TrialPlan {
  readonly format: 1;
  /** `[A-Za-z0-9-]`, 1 to 64 characters. */
  readonly id: string;
  /** Integer; with it every assignment can be drawn again. */
  readonly seed: number;
  /** Id of the profile that the others are compared with; among `profiles`. */
  readonly baseline: string;
  /** The arms, the baseline included. */
  readonly profiles: readonly ComparedProfile[];
  readonly slots: SlotRule;
  /** Chance, over the whole confirming stage and all looks at it, of a verdict that is false; in (0, 1). */
  readonly alpha: number;
  /** The smallest change of efficiency that means something; share, in (0, 1). */
  readonly meaningfulChange: number;
  /** The change that the displayed number of loads is meant to find; share, above `meaningfulChange`. */
  readonly targetChange: number;
  /** With which chance it is to be found: 0.8, the one `planLoads` is made for. */
  readonly power: number;
  /** Counted loads of each arm in the confirming stage that the plan expects to take; shown as the number needed. */
  readonly plannedLoadsPerArm: number;
  /** Counted loads of an arm, in each stage, after which the stage ends without separation. */
  readonly mostLoadsPerArm: number;
  /** `null`: the candidates run side by side until the interval of one excludes no change. */
  readonly screening: ScreeningRule | null;
  /** Wall clock, ms since the epoch. */
  readonly createdAt: number;
}

export interface TrialPlanOptions {
  readonly id: string;
  readonly seed: number;
  readonly baseline: string;
  /** The baseline included. */
  readonly profiles: readonly ComparedProfile[];
  /** Whether the applier changes profiles in a running Firefox; if not, slots are sessions. */
  readonly live: boolean;
  readonly createdAt: number;
  readonly slots?: SlotRule;
  readonly alpha?: number;
  readonly meaningfulChange?: number;
  readonly targetChange?: number;
  readonly mostLoadsPerArm?: number;
  readonly screening?: ScreeningRule | null;
  /** Pages over links that are loaded again and again; each costs about a load to fit. */
  readonly pages?: number;
}

/**
 * The plan with its defaults filled in (`trial-defaults.ts` says where each comes from).
 * @throws PlumbfoxError bad-input: fewer than two profiles, one twice, no baseline among them, slots by loads or minutes
 *   with an applier that is not live, a figure out of its range, or a change that would take more than 5,000 loads per profile.
 */
export function makeTrialPlan(options: TrialPlanOptions): TrialPlan {
  const { id, seed, baseline, profiles, live, createdAt } = options;
  checkArms(options);
  const { alpha, meaningfulChange, targetChange } = levelsOf(options);
  const slots = options.slots ?? (live ? { kind: 'loads', perSlot: DEFAULT_LOADS_PER_SLOT } : { kind: 'session' });
  checkSlots(slots);
  const plan: TrialPlan = {
    format: 1,
    id,
    seed,
    baseline,
    profiles,
    slots,
    alpha,
    meaningfulChange,
    targetChange,
    power: PLANNED_POWER,
    plannedLoadsPerArm: plannedLoads(slots, {
      change: targetChange,
      alpha,
      pages: options.pages ?? EXPECTED_PAGES,
      intervals: confirmingIntervals(profiles),
    }),
    mostLoadsPerArm: options.mostLoadsPerArm ?? DEFAULT_MOST_LOADS_PER_ARM,
    screening: options.screening === undefined ? { loadsPerRound: DEFAULT_SCREENING_LOADS_PER_ARM * profiles.length } : options.screening,
    createdAt,
  };
  if (!live && plan.slots.kind !== 'session') {
    throw refused('Profiles cannot be switched while this Firefox runs, so the slots of the trial must be sessions');
  }
  checkFigures(plan);
  return plan;
}

/** The profiles compared with the baseline, in the order of the plan. */
export function candidatesOf({ profiles, baseline }: TrialPlan): readonly string[] {
  return profiles.filter(({ id, role }) => id !== baseline && role !== 'control').map(({ id }) => id);
}

function checkArms({ id, seed, baseline, profiles }: TrialPlanOptions): void {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) {
    throw refused(`The trial's id may have 1 to 64 letters, digits and hyphens, not ${JSON.stringify(id)}`);
  }
  if (!Number.isSafeInteger(seed)) throw refused(`The trial's seed is a whole number, not ${seed}`);
  const ids = profiles.map((profile) => profile.id);
  const twice = ids.find((one, at) => ids.indexOf(one) !== at);
  if (twice !== undefined) throw refused(`Profile ${twice} is named twice in one trial`);
  if (!ids.includes(baseline)) throw refused(`The baseline ${baseline} is not among the profiles: ${ids.join(', ')}`);
  if (profiles.every(({ id, role }) => id === baseline || role === 'control'))
    throw refused('A trial compares at least two profiles: name one beside the baseline');
  if (ids.length > MOST_ARMS) throw refused(`A trial compares at most ${MOST_ARMS} profiles, not ${ids.length}`);
}

function checkSlots(slots: SlotRule): void {
  if (slots.kind === 'loads') wholeFrom1(slots.perSlot, 'loads of a slot');
  if (slots.kind === 'minutes' && !(slots.perSlot > 0 && slots.perSlot <= MOST_MINUTES)) {
    throw refused(`A slot lasts more than 0 and at most ${MOST_MINUTES} minutes, not ${slots.perSlot}`);
  }
}

/** Two blocks are one draw, turned round for the second (`assignmentAt`): in the middle of it there is not much more to be seen. */
const BLOCKS_PER_DRAW = 2;

/** One candidate against the baseline; with a control also that against the baseline, and the candidate against it (`compareProfiles`). */
const confirmingIntervals = (profiles: readonly ComparedProfile[]): number => (profiles.some(({ role }) => role === 'control') ? 3 : 1);

interface PlanTerms {
  readonly intervals: number;
  readonly change: number;
  readonly alpha: number;
  readonly pages: number;
}

/** Blocks are the independent units of the verdict, and pages are fitted beside them (`adjustedFit`, `planLoads`). */
function plannedLoads(slots: SlotRule, { change, alpha, pages, intervals }: PlanTerms): number {
  const everyday = { loadsPerSlot: loadsPerSlot(slots), pages };
  return planLoads({ logSd: EXPECTED_LOG_SD, change, alpha, intervals, looks: 'any', pairsPerLook: BLOCKS_PER_DRAW, everyday })
    .loadsPerProfile;
}

/** As planned; for slots by time, as expected. */
export function loadsPerSlot(slots: SlotRule): number {
  return slots.kind === 'loads' ? slots.perSlot : EXPECTED_LOADS_PER_SLOT;
}

function levelsOf(options: TrialPlanOptions): Pick<TrialPlan, 'alpha' | 'meaningfulChange' | 'targetChange'> {
  const { alpha = TRIAL_ALPHA, meaningfulChange = TRIAL_MEANINGFUL_CHANGE, targetChange = DEFAULT_TARGET_CHANGE } = options;
  share(alpha, 'alpha');
  share(meaningfulChange, 'the meaningful change');
  share(targetChange, 'the change to be found');
  if (targetChange <= meaningfulChange) {
    throw refused(`The change to be found, ${targetChange}, must be above the meaningful change, ${meaningfulChange}`);
  }
  return { alpha, meaningfulChange, targetChange };
}

function checkFigures(plan: TrialPlan): void {
  const { mostLoadsPerArm, screening, createdAt } = plan;
  wholeFrom1(mostLoadsPerArm, 'most loads of an arm');
  if (screening !== null) wholeFrom1(screening.loadsPerRound, 'loads of a screening round');
  if (!(Number.isFinite(createdAt) && createdAt >= 0)) throw refused(`The trial's time of creation is ms since 1970, not ${createdAt}`);
}

const MOST_MINUTES = 24 * 60;

function wholeFrom1(value: number, what: string): void {
  if (!(Number.isSafeInteger(value) && value >= 1)) throw refused(`The number of ${what} is a whole number from 1, not ${value}`);
}

function share(value: number, what: string): void {
  if (!(value > 0 && value < 1)) throw refused(`${what} lies in (0, 1), not at ${value}`);
}

function refused(message: string): PlumbfoxError {
  return new PlumbfoxError('bad-input', message);
}
