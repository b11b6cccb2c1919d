/** The figures that trials are made of, each with where it comes from. */
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../compare/thresholds.ts';

/** The level and the smallest meaningful change of every verdict of ours (`compare/thresholds.ts`). */
export const TRIAL_ALPHA = DEFAULT_ALPHA;
export const TRIAL_MEANINGFUL_CHANGE = MEANINGFUL_CHANGE;

/**
 * Counted loads of a slot; one load of washout comes on top, so a sixth of the loads is spent on it. Our own choice: longer
 * slots waste less but leave fewer of them in the same time, and drift is only as well removed as blocks are short.
 */
export const DEFAULT_LOADS_PER_SLOT = 5;
/** Our own choice: a block of two profiles then takes twenty minutes of browsing, well below the hours over which networks drift. */
export const DEFAULT_MINUTES_PER_SLOT = 10;

/** The change of efficiency that trials are planned for, and the chance of finding it: the usual 80 % (Cohen 1988). */
export const DEFAULT_TARGET_CHANGE = 0.1;
export const DEFAULT_POWER = 0.8;

/** Twice the 200 loads that the anytime-valid interval takes for 10 % at a log spread of 0.25 (our own choice: then it gives up). */
export const DEFAULT_MOST_LOADS_PER_ARM = 400;

/** Our own choice: loads per arm of the first screening round; at a log spread of 0.25 a change of 10 % then shows in 80 of 100. */
export const DEFAULT_SCREENING_LOADS_PER_ARM = 10;

/** The 18 profiles of the Fennec memo and some; more would take months of everyday browsing. */
export const MOST_ARMS = 32;

/** A profile that much less efficient is dropped at once (design: from loads to a recommendation). */
export const HARMFUL_CHANGE = 0.1;

/** After so many failed attempts in one slot to put it in effect, an arm is dropped. Our own choice: a lock or a policy does not go away by trying. */
export const MOST_SWITCH_FAILURES = 3;

/**
 * A load that began so long ago and of which nothing more was heard is lost: an observation ends 60 s after its navigation at
 * the latest (`loadTime`), and the event page may have been away for as long again.
 */
export const LOAD_LOST_AFTER_MS = 120_000;
