/**
 * The plan of a trial, a randomised comparison of profiles on everyday browsing, fixed before its first load: which profiles, how their turns are
 * drawn, when it may give a verdict and when it ends.
 */

import * as v from 'valibot';
import type { ComparedProfile } from '../compare/comparison.ts';
import { SHARE_AT_LOOKS } from '../compare/interval-rule.ts';
import { MAX_PLANNED_LOADS, planLoads } from '../compare/planned-loads.ts';
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { PlumbfoxError } from '../errors.ts';
import { carrierSchema, roleSchema } from '../profiles/profile.ts';
import { count, finite, notNegative, type Shape } from '../schema.ts';
import { percent } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import type { ProtocolPlan } from './protocol-plan.ts';
import {
  DEFAULT_LOADS_PER_SLOT,
  DEFAULT_MAX_LOADS_PER_ARM,
  DEFAULT_SCREENING_LOADS_PER_ARM,
  DEFAULT_SLOTS_PER_TURN,
  DEFAULT_TARGET_CHANGE,
  EXPECTED_LOADS_PER_SLOT,
  EXPECTED_LOG_SD,
  EXPECTED_PAGES,
  MAX_ARMS,
  PLANNED_POWER,
} from './trial-defaults.ts';
import { armIdSchema, trialIdSchema } from './trial-mark.ts';

const slotRuleSchema = v.variant('kind', [
  /** Until this many loads have begun after the washout. */
  v.object({ kind: v.literal('loads'), perSlot: v.pipe(count, v.minValue(1)) }),
  /** This many minutes in effect, then until no load is in progress. */
  v.object({ kind: v.literal('minutes'), perSlot: v.pipe(finite, v.gtValue(0)) }),
  /** From one start of Firefox to the next: for appliers that are not live. */
  v.object({ kind: v.literal('session') }),
]);
/** How long a slot lasts. */
export type SlotRule = Shape<typeof slotRuleSchema>;

/** Successive halving before the confirmation; see `successive-halving.ts`. */
const screeningRuleSchema = v.object({
  /** Loads of one round, over all arms together; the same in every round. */
  loadsPerRound: v.pipe(count, v.minValue(1)),
});
type ScreeningRule = Shape<typeof screeningRuleSchema>;

const armSchema = v.object({
  id: armIdSchema,
  carrier: carrierSchema,
  role: roleSchema,
  connections: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255))),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
});

const openShare = v.pipe(finite, v.gtValue(0), v.ltValue(1));

/** The plan as all formats have it; see `trial-record.ts`. */
export const trialPlanSchema = v.object({
  /** `[A-Za-z0-9-]`, 1 to 64 characters. */
  id: trialIdSchema,
  /** An integer, from which every assignment can be drawn again. */
  seed: v.pipe(v.number(), v.safeInteger()),
  baseline: armIdSchema,
  profiles: v.pipe(v.array(armSchema), v.minLength(2)),
  slots: slotRuleSchema,
  /** Chance of a false verdict, over the whole confirming stage and all looks at it; in (0, 1). */
  alpha: openShare,
  /** The smallest change of efficiency that means something, a share. */
  meaningfulChange: openShare,
  /** The change that the displayed number of loads is meant to find; share, above `meaningfulChange`. */
  targetChange: openShare,
  /** The chance of finding it: 0.8, the one `planLoads` is made for. */
  power: openShare,
  /** Counted loads of each arm, of all protocols, that the confirming stage is expected to take. */
  plannedLoadsPerArm: v.pipe(count, v.minValue(1)),
  /** Counted loads of an arm, of all protocols, in each stage, after which the stage ends without separation. */
  mostLoadsPerArm: v.pipe(count, v.minValue(1)),
  /** `null`: the candidates run side by side until the interval of one excludes no change. */
  screening: v.nullable(screeningRuleSchema),
  /** Wall clock, ms since the epoch. */
  createdAt: notNegative,
});

export interface TrialPlan extends Shape<typeof trialPlanSchema> {
  /** 1: an earlier rule of turns and verdict; 2: all protocols were judged together. No trial goes on under them (`advance`). */
  readonly format: 1 | 2 | 3;
  /** Slots in a row that make one turn of a profile; from 2 on, what the profile before has left behind wears off in the first. */
  readonly slotsPerTurn: number;
  readonly protocols: ProtocolPlan;
}

export interface TrialPlanOptions {
  readonly id: string;
  readonly seed: number;
  readonly baseline: string;
  readonly profiles: readonly ComparedProfile[];
  /** Whether the applier changes profiles in a running Firefox; if not, slots are sessions. */
  readonly live: boolean;
  readonly createdAt: number;
  readonly slots?: SlotRule;
  readonly slotsPerTurn?: number;
  readonly alpha?: number;
  readonly targetChange?: number;
  readonly mostLoadsPerArm?: number;
  readonly screening?: ScreeningRule | null;
  /** Default: all loads are judged together until their protocols are known. */
  readonly protocols?: ProtocolPlan;
  /** Pages over links that are loaded again and again; each costs about a load to fit. */
  readonly pages?: number;
}

/**
 * The plan with its defaults filled in (`trial-defaults.ts` has the source of each).
 * @throws PlumbfoxError bad-input: fewer than two profiles, one twice, no baseline among them, slots by loads or minutes
 *   with an applier that is not live, a figure out of its range, or a change that would take more than 5,000 loads per profile.
 */
export function makeTrialPlan(options: TrialPlanOptions): TrialPlan {
  const { id, seed, baseline, profiles, live, createdAt, alpha = DEFAULT_ALPHA, targetChange = DEFAULT_TARGET_CHANGE } = options;
  checkArms(options);
  share(alpha, 'alpha');
  share(targetChange, 'the change to be found');
  if (targetChange <= MEANINGFUL_CHANGE)
    throw refused(`The change to be found, ${targetChange}, must be above the meaningful change, ${MEANINGFUL_CHANGE}`);
  const slots = options.slots ?? (live ? { kind: 'loads', perSlot: DEFAULT_LOADS_PER_SLOT } : { kind: 'session' });
  checkSlots(slots);
  const slotsPerTurn = options.slotsPerTurn ?? DEFAULT_SLOTS_PER_TURN;
  wholeFrom1(slotsPerTurn, 'slots of a turn');
  const protocols = options.protocols ?? ONE_PROTOCOL;
  if (!(protocols.share > 0 && protocols.share <= 1))
    throw refused(`The share of the judged loads lies in (0, 1], not at ${protocols.share}`);
  const inAll = (loads: number) => Math.ceil(loads / protocols.share);
  const arms = profiles.some(({ role }) => role === 'control') ? 3 : 2;
  const pages = options.pages ?? EXPECTED_PAGES;
  const plannedLoadsPerArm = plannedLoads({ slots, slotsPerTurn, protocols }, { change: targetChange, alpha, pages, arms });
  if (plannedLoadsPerArm > MAX_PLANNED_LOADS) throw refused(tooLong(targetChange, protocols));
  const plan: TrialPlan = {
    format: 3,
    id,
    seed,
    baseline,
    profiles,
    slots,
    slotsPerTurn,
    alpha,
    meaningfulChange: MEANINGFUL_CHANGE,
    targetChange,
    power: PLANNED_POWER,
    protocols,
    plannedLoadsPerArm,
    mostLoadsPerArm: options.mostLoadsPerArm ?? Math.max(inAll(DEFAULT_MAX_LOADS_PER_ARM), plannedLoadsPerArm),
    screening:
      options.screening === undefined ? { loadsPerRound: inAll(DEFAULT_SCREENING_LOADS_PER_ARM * profiles.length) } : options.screening,
    createdAt,
  };
  if (!live && plan.slots.kind !== 'session') {
    throw refused('Profiles cannot be switched while this Firefox runs, so the slots of the trial must be sessions');
  }
  checkFigures(plan);
  return plan;
}

function tooLong(change: number, { judged, share }: ProtocolPlan): string {
  const takes = `change of ${percent(change)} would take more than ${MAX_PLANNED_LOADS} loads of each profile`;
  return share < 1 ? `Pages over ${protocolLabel(judged)} are only ${percent(share)} of your newest loads: a ${takes}` : `A ${takes}`;
}

/** All loads are judged together, as in plans of earlier formats. */
export const ONE_PROTOCOL: ProtocolPlan = { judged: 'unknown', share: 1, reached: [] };

/** Planned loads of each arm in the confirming stage, of the judged protocol. */
export const judgedLoadsPlanned = ({ plannedLoadsPerArm, protocols }: TrialPlan): number =>
  Math.round(plannedLoadsPerArm * protocols.share);

/** The profiles compared with the baseline, in the order of the plan. */
export function candidatesOf({ profiles, baseline }: TrialPlan): readonly string[] {
  return profiles.filter(({ id, role }) => id !== baseline && role !== 'control').map(({ id }) => id);
}

function checkArms({ id, seed, baseline, profiles }: TrialPlanOptions): void {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) {
    throw refused(`The trial's id may have 1 to 64 letters, digits and hyphens, not ${JSON.stringify(id)}`);
  }
  if (!Number.isSafeInteger(seed)) throw refused(`The trial's seed must be a whole number, not ${seed}`);
  const ids = profiles.map((profile) => profile.id);
  const twice = ids.find((one, at) => ids.indexOf(one) !== at);
  if (twice !== undefined) throw refused(`Profile ${twice} is named twice in one trial`);
  if (!ids.includes(baseline)) throw refused(`The baseline ${baseline} is not among the profiles: ${ids.join(', ')}`);
  if (profiles.every(({ id, role }) => id === baseline || role === 'control'))
    throw refused('A trial compares at least two profiles: name one besides the baseline');
  if (ids.length > MAX_ARMS) throw refused(`A trial compares at most ${MAX_ARMS} profiles, not ${ids.length}`);
}

function checkSlots(slots: SlotRule): void {
  if (slots.kind === 'loads') wholeFrom1(slots.perSlot, 'loads of a slot');
  if (slots.kind === 'minutes' && !(slots.perSlot > 0 && slots.perSlot <= MAX_MINUTES)) {
    throw refused(`A slot lasts more than 0 and at most ${MAX_MINUTES} minutes, not ${slots.perSlot}`);
  }
}

interface PlanInput {
  /** Arms of the confirming stage: baseline and candidate, and the control where there is one. */
  readonly arms: number;
  readonly change: number;
  readonly alpha: number;
  readonly pages: number;
}

/**
 * Blocks are the independent units of the verdict, and pages are fitted beside them (`adjustedFit`, `planLoads`). Most of alpha is spent on one
 * look at the end, so the plan is for that look, in whole draws of two blocks each (`assignmentAt`).
 */
function plannedLoads(turns: Turns, { change, alpha, pages, arms }: PlanInput): number {
  const settled = settledLoadsPerBlock(turns, arms);
  const { loadsPerProfile } = planLoads({
    logSd: EXPECTED_LOG_SD,
    change,
    alpha: alpha * SHARE_AT_LOOKS,
    // With a control, also its own against the baseline, and the candidate's against it (`compareProfiles`).
    intervals: arms === 2 ? 1 : 3,
    everyday: { loadsPerDraw: Math.max(1, settled), pages: pages * turns.protocols.share },
  });
  const draws = Math.ceil(loadsPerProfile / settled / 2) + MORE_DRAWS;
  return 2 * draws * countedLoadsPerBlock(turns);
}

/**
 * Allows for what the formula leaves out: arms with unequally many loads in a block, and checks that a verdict waits for. By simulation,
 * 80.9 % of 698 trials then confirmed 10 % by their planned end (docs/trials.md).
 */
const MORE_DRAWS = 1;

type Turns = Pick<TrialPlan, 'slots' | 'slotsPerTurn' | 'protocols'>;

/** The planned number; with slots by time, the expected one. */
const loadsPerSlot = (slots: SlotRule): number => (slots.kind === 'loads' ? slots.perSlot : EXPECTED_LOADS_PER_SLOT);

/** Counted loads of an arm in a block. */
export const countedLoadsPerBlock = ({ slots, slotsPerTurn }: Pick<Turns, 'slots' | 'slotsPerTurn'>): number =>
  slotsPerTurn * loadsPerSlot(slots);

/**
 * Those of them that findings rest on (`settledLoads`), of the judged protocol, on average: not those of a turn's first slot, unless the turn before
 * is of the same arm. Of k arms that is so for the two turns that meet in the middle of a draw, and once in k for those that meet at its end.
 */
function settledLoadsPerBlock({ slots, slotsPerTurn, protocols }: Turns, arms: number): number {
  const followOwn = (1 + 1 / arms) / (2 * arms);
  const all = Math.max(1, (slotsPerTurn - 1 + followOwn) * loadsPerSlot(slots));
  const judged = all * protocols.share;
  // Which loads of a block are of the judged protocol is chance, and n loads of one arm and m of another are worth nm / (n + m) pairs. For Poisson
  // numbers that is the mean over 2 less (1 - e^(-2 mean)) / 4; for a share of a fixed number the loss is smaller as the variance is.
  const uneven = ((1 - protocols.share) * -Math.expm1(-2 * judged)) / (2 * judged);
  return judged * (1 - uneven);
}

/** Blocks with which the confirming stage is planned to end. */
export function blocksPlanned(plan: TrialPlan): number {
  const loads = Math.min(plan.plannedLoadsPerArm, plan.mostLoadsPerArm);
  return Math.max(1, Math.ceil(loads / countedLoadsPerBlock(plan)));
}

function checkFigures(plan: TrialPlan): void {
  const { mostLoadsPerArm, screening, createdAt } = plan;
  wholeFrom1(mostLoadsPerArm, 'most loads of an arm');
  if (screening !== null) wholeFrom1(screening.loadsPerRound, 'loads of a screening round');
  if (!(Number.isFinite(createdAt) && createdAt >= 0)) throw refused(`The trial's time of creation is ms since 1970, not ${createdAt}`);
}

const MAX_MINUTES = 24 * 60;

function wholeFrom1(value: number, what: string): void {
  if (!(Number.isSafeInteger(value) && value >= 1)) throw refused(`The number of ${what} is a whole number from 1, not ${value}`);
}

function share(value: number, what: string): void {
  if (!(value > 0 && value < 1)) throw refused(`${what} lies in (0, 1), not at ${value}`);
}

function refused(message: string): PlumbfoxError {
  return new PlumbfoxError('bad-input', message);
}
