/** What it takes to prove settings by a trial at a person's pace: page loads a day, and how long a trial takes, or still takes, with them. */
import { EXPECTED_LOADS_PER_SLOT } from '../trial/trial-defaults.ts';

/** A trial that takes longer is not offered: a person has forgotten it by then. Chosen, not measured. */
export const MAX_TRIAL_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How a trial would go at this person's pace. */
export type Proof =
  | { readonly state: 'working' }
  /** The pace is not known yet. */
  | { readonly state: 'loads'; readonly loads: number }
  | { readonly state: 'days'; readonly days: number; readonly loads: number }
  /** It would take `days` at `perDay` page loads a day; `needed` a day would end it in time. */
  | { readonly state: 'too-slow'; readonly days: number; readonly perDay: number; readonly needed: number }
  /** Each start of Firefox is a turn, and it takes this many. */
  | { readonly state: 'restarts'; readonly restarts: number }
  | { readonly state: 'not-possible'; readonly why: string };

/** How a trial of known length would go. */
export type PlannedProof = Exclude<Proof, { readonly state: 'working' | 'not-possible' }>;

/** What a trial in progress still takes; `undefined`: the pace is not known yet. */
export type TrialLeft = { readonly unit: 'days' | 'restarts'; readonly count: number } | undefined;

/** A person's newest page loads. */
interface NewestLoads {
  readonly loads: number;
  /** When the oldest of them began, wall clock, ms since the epoch. */
  readonly since: number;
}

/** The pace of these page loads. `undefined`: they began less than a day ago, and some minutes or hours of browsing say nothing of a day. */
export function loadsPerDay({ loads, since }: NewestLoads, now: number): number | undefined {
  const spanMs = now - since;
  return spanMs < DAY_MS ? undefined : loads / (spanMs / DAY_MS);
}

interface TrialLoads {
  /** Page loads, those that are left out included. */
  readonly loads: number;
  /** Whether settings can be switched while Firefox runs; else each start of Firefox is a turn. */
  readonly isLive: boolean;
  /** Page loads a day; `undefined`: not known yet. */
  readonly perDay: number | undefined;
  /** How many of the newest page loads could have been such; absent: all. */
  readonly countable?: CountableLoads | undefined;
}

/** How many of the newest page loads, `of`, could have counted in a trial. */
export interface CountableLoads {
  readonly could: number;
  readonly of: number;
}

const restartsFor = (loads: number): number => Math.ceil(loads / EXPECTED_LOADS_PER_SLOT);
const daysFor = (loads: number, perDay: number): number => Math.max(1, Math.ceil(loads / perDay));

/** Page loads that a person makes until so many could count; `undefined`: none could. */
const madeFor = (loads: number, { could, of }: CountableLoads = { could: 1, of: 1 }): number | undefined =>
  could === 0 ? undefined : Math.ceil((loads * of) / could);

/** How a trial would go: offered only where it can end in `MAX_TRIAL_DAYS`, with one start of Firefox a day where those are its turns. */
export function proofOf({ loads, isLive, perDay, countable }: TrialLoads): PlannedProof {
  const restarts = isLive ? 0 : restartsFor(loads);
  if (restarts > MAX_TRIAL_DAYS) return { state: 'restarts', restarts };
  const made = madeFor(loads, countable);
  if (perDay === undefined || perDay <= 0 || made === undefined) return { state: 'loads', loads };
  const days = Math.max(restarts, daysFor(made, perDay));
  if (days <= MAX_TRIAL_DAYS) return { state: 'days', days, loads };
  return { state: 'too-slow', days, perDay: Math.max(1, Math.round(perDay)), needed: Math.ceil(made / MAX_TRIAL_DAYS) };
}

/** How long a trial in progress still takes, at one start of Firefox for each turn where those are its turns. */
export function trialLeft({ loads, isLive, perDay, countable }: TrialLoads): TrialLeft {
  if (!isLive) return { unit: 'restarts', count: Math.max(1, restartsFor(loads)) };
  const made = madeFor(loads, countable);
  return perDay === undefined || perDay <= 0 || made === undefined ? undefined : { unit: 'days', count: daysFor(made, perDay) };
}
