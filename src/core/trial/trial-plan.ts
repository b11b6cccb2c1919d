/**
 * The plan of a trial, a randomised comparison of profiles on everyday browsing, fixed before its first load: which profiles, how their turns are
 * drawn, when it may give a verdict and when it ends.
 */

import * as v from 'valibot';
import { intervalCount } from '../compare/compare-options.ts';
import type { ComparedProfile } from '../compare/comparison.ts';
import { pairsNeeded, planLoads } from '../compare/planned-loads.ts';
import { DEFAULT_ALPHA, MIN_PAIRS, TARGET_CHANGE } from '../compare/thresholds.ts';
import { PlumbfoxError } from '../errors.ts';
import { LEVEL_AT_END } from '../experiment/planned-end.ts';
import { carrierSchema, roleSchema } from '../profiles/profile.ts';
import { count, finite, notNegative, type Shape } from '../schema.ts';
import { percent } from '../text/figures.ts';
import { protocolLabel } from '../text/labels.ts';
import { type ProtocolPlan, protocolPlanSchema } from './protocol-plan.ts';
import {
  DEFAULT_LOADS_PER_SLOT,
  DEFAULT_MAX_LOADS_PER_ARM,
  DEFAULT_SLOTS_PER_TURN,
  EXPECTED_LOADS_PER_SLOT,
  EXPECTED_LOG_SD,
  EXPECTED_PAGES,
  MAX_ARMS,
} from './trial-defaults.ts';
import { armIdSchema, trialIdSchema } from './trial-mark.ts';

const slotRuleSchema = v.variant('kind', [
  /** This many loads; the first slot of a turn after another profile's has its washout among them. */
  v.object({ kind: v.literal('loads'), perSlot: v.pipe(count, v.minValue(1)) }),
  /** This many minutes in effect, then until no load is in progress. */
  v.object({ kind: v.literal('minutes'), perSlot: v.pipe(finite, v.gtValue(0)) }),
  /** From one start of Firefox to the next: for appliers that are not live. */
  v.object({ kind: v.literal('session') }),
]);
/** How long a slot lasts. */
export type SlotRule = Shape<typeof slotRuleSchema>;

const armSchema = v.object({
  id: armIdSchema,
  carrier: carrierSchema,
  role: roleSchema,
  connections: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255))),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
});

/** A trial's plan as it lies in the store. Format history: 1, first. */
export const trialPlanSchema = v.object({
  format: v.literal(1),
  /** `[A-Za-z0-9-]`, 1 to 64 characters. */
  id: trialIdSchema,
  /** An integer, from which every assignment can be drawn again. */
  seed: v.pipe(v.number(), v.safeInteger()),
  baseline: armIdSchema,
  profiles: v.pipe(v.array(armSchema), v.minLength(2)),
  slots: slotRuleSchema,
  /** Slots in a row that make one turn of a profile: in the first after another's, what that has left behind wears off. */
  slotsPerTurn: v.pipe(count, v.minValue(1)),
  protocols: protocolPlanSchema,
  /** Chance of a false verdict, over all candidates and all looks; in (0, 1). */
  alpha: v.pipe(finite, v.gtValue(0), v.ltValue(1)),
  /** Draws of two blocks with which it ends, until it has loads of its own to plan by (`replannedDraws`). */
  plannedDraws: v.pipe(count, v.minValue(1)),
  /** No end is planned later. */
  mostDraws: v.pipe(count, v.minValue(1)),
  /** Wall clock, ms since the epoch. */
  createdAt: notNegative,
});
export type TrialPlan = Shape<typeof trialPlanSchema>;

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
  /** Page loads of each profile after which it ends at the latest. */
  readonly mostLoadsPerArm?: number;
  /** Default: all loads are judged together until their protocols are known. */
  readonly protocols?: ProtocolPlan;
  /** Pages over links that are loaded again and again; each costs about a load to fit. */
  readonly pages?: number;
}

/**
 * The plan with its defaults filled in (`trial-defaults.ts` has the source of each).
 * @throws PlumbfoxError bad-input: fewer than two profiles, one twice, no baseline among them, slots by loads or minutes
 *   with an applier that is not live, a figure out of its range, or a trial that could end before there can be a verdict or would take too long.
 */
export function makeTrialPlan(options: TrialPlanOptions): TrialPlan {
  const { id, seed, baseline, profiles, live, createdAt, alpha = DEFAULT_ALPHA, protocols = ONE_PROTOCOL } = options;
  checkArms(options);
  if (!(alpha > 0 && alpha < 1)) throw refused(`alpha lies in (0, 1), not at ${alpha}`);
  const slots = options.slots ?? (live ? { kind: 'loads', perSlot: DEFAULT_LOADS_PER_SLOT } : { kind: 'session' });
  checkSlots(slots);
  if (!live && slots.kind !== 'session') {
    throw refused('Profiles cannot be switched while this Firefox runs, so the slots of the trial must be sessions');
  }
  const slotsPerTurn = options.slotsPerTurn ?? DEFAULT_SLOTS_PER_TURN;
  wholeFrom1(slotsPerTurn, 'slots of a turn');
  if (!(protocols.share > 0 && protocols.share <= 1))
    throw refused(`The share of the judged loads lies in (0, 1], not at ${protocols.share}`);
  if (!(Number.isFinite(createdAt) && createdAt >= 0)) throw refused(`The trial's time of creation is ms since 1970, not ${createdAt}`);
  const turns = { slots, slotsPerTurn, protocols };
  const ofDraw = loadsPerDraw(turns);
  const expected = expectedDraws(turns, { profiles, baseline, alpha, pages: options.pages ?? EXPECTED_PAGES });
  const most = options.mostLoadsPerArm ?? Math.max(Math.ceil(DEFAULT_MAX_LOADS_PER_ARM / protocols.share), expected * ofDraw);
  wholeFrom1(most, 'most loads of an arm');
  const mostDraws = Math.floor(most / ofDraw);
  if (mostDraws < MIN_PAIRS) throw refused(`A trial takes at least ${MIN_PAIRS * ofDraw} loads of each profile, not ${most}`);
  if (expected * ofDraw > MAX_PLANNED_LOADS) throw refused(tooLong(protocols));
  const plannedDraws = Math.min(expected, mostDraws);
  return { format: 1, id, seed, baseline, profiles, slots, slotsPerTurn, alpha, protocols, plannedDraws, mostDraws, createdAt };
}

/** Loads of each profile beyond which nobody waits for the answer. Chosen, not measured. */
const MAX_PLANNED_LOADS = 5_000;

function tooLong({ judged, share }: ProtocolPlan): string {
  const takes = `change of ${percent(TARGET_CHANGE)} would take more than ${MAX_PLANNED_LOADS} loads of each profile`;
  return share < 1 ? `Pages over ${protocolLabel(judged)} are only ${percent(share)} of your newest loads: a ${takes}` : `A ${takes}`;
}

/** All loads are judged together. */
const ONE_PROTOCOL: ProtocolPlan = { judged: 'unknown', share: 1, reached: [] };

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

interface Expected extends Pick<TrialPlan, 'profiles' | 'baseline' | 'alpha'> {
  readonly pages: number;
}

/** Draws are the independent units of the verdict, and pages are fitted beside them (`adjustedFit`, `planLoads`). */
function expectedDraws(turns: Turns, { pages, ...plan }: Expected): number {
  const settled = Math.max(1, settledLoadsPerDraw(turns, plan.profiles.some(({ role }) => role === 'control') ? 3 : 2));
  const { loadsPerProfile } = planLoads({
    logSd: EXPECTED_LOG_SD,
    change: TARGET_CHANGE,
    alpha: plan.alpha * LEVEL_AT_END,
    intervals: intervalCount(plan),
    everyday: { loadsPerDraw: settled, pages: pages * turns.protocols.share },
  });
  return Math.max(MIN_PAIRS, Math.ceil(loadsPerProfile / settled));
}

/** Draws with which `TARGET_CHANGE` is found in four of five trials. @param variance of one draw's log ratio, whichever profile is which. */
export function replannedDraws(plan: TrialPlan, variance: number): number {
  const level = (plan.alpha * LEVEL_AT_END) / intervalCount(plan);
  const draws = pairsNeeded(Math.log1p(TARGET_CHANGE) / Math.sqrt(variance), level) ?? plan.mostDraws;
  return Math.min(plan.mostDraws, Math.max(MIN_PAIRS, draws));
}

type Turns = Pick<TrialPlan, 'slots' | 'slotsPerTurn' | 'protocols'>;

/** Page loads that a profile has in a draw, washout among them; with slots by time, as many as expected. */
export const loadsPerDraw = ({ slots, slotsPerTurn }: Pick<Turns, 'slots' | 'slotsPerTurn'>): number =>
  2 * slotsPerTurn * (slots.kind === 'loads' ? slots.perSlot : EXPECTED_LOADS_PER_SLOT);

/**
 * Those of them that findings rest on (`settledLoads`), of the judged protocol, on average: not those of a turn's first slot, unless the turn before
 * is of the same arm. Of k arms that is so for the two turns that meet in the middle of a draw, and once in k for those that meet at its end.
 */
function settledLoadsPerDraw({ slots, slotsPerTurn, protocols }: Turns, arms: number): number {
  const followOwn = (1 + 1 / arms) / (2 * arms);
  const all = Math.max(1, ((slotsPerTurn - 1 + followOwn) / slotsPerTurn) * loadsPerDraw({ slots, slotsPerTurn }));
  const judged = all * protocols.share;
  // Which loads of a draw are of the judged protocol is chance, and n loads of one arm and m of another are worth nm / (n + m) pairs. For Poisson
  // numbers that is the mean over 2 less (1 - e^(-2 mean)) / 4; for a share of a fixed number the loss is smaller as the variance is.
  const uneven = ((1 - protocols.share) * -Math.expm1(-2 * judged)) / (2 * judged);
  return judged * (1 - uneven);
}

const MAX_MINUTES = 24 * 60;

function wholeFrom1(value: number, what: string): void {
  if (!(Number.isSafeInteger(value) && value >= 1)) throw refused(`The number of ${what} is a whole number from 1, not ${value}`);
}

function refused(message: string): PlumbfoxError {
  return new PlumbfoxError('bad-input', message);
}
