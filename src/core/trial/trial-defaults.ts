/** The figures that trials are made of, each with where it comes from. */
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../compare/thresholds.ts';

/** The level and the smallest meaningful change of every verdict of ours (`compare/thresholds.ts`). */
export const TRIAL_ALPHA = DEFAULT_ALPHA;
export const TRIAL_MEANINGFUL_CHANGE = MEANINGFUL_CHANGE;

/**
 * Counted loads of a slot; one load of washout comes on top, so a quarter of the loads is spent on it. Our own choice: blocks are what the
 * verdict counts, so longer slots take more loads, and shorter ones more washout.
 */
export const DEFAULT_LOADS_PER_SLOT = 3;
/**
 * Slots of a turn. The first of a turn that follows another profile's has no part in a verdict, so with 3 of two profiles 19 loads in 24
 * have one; with 2 it would be 11 in 16, with 4 it is 27 in 32 and a block lasts half an hour of browsing. Our own choice.
 */
export const DEFAULT_SLOTS_PER_TURN = 3;
/** Loads taken for a slot in planning where its rule does not say. Our own choice: ten minutes of everyday browsing. */
export const EXPECTED_LOADS_PER_SLOT = 5;
/** Our own choice: a block of two profiles then takes twenty minutes of browsing, well below the hours over which networks drift. */
export const DEFAULT_MINUTES_PER_SLOT = 10;

/**
 * The change of efficiency that trials are planned for (our own choice: a person notices 10 %, and less takes thousands of loads),
 * and the chance of finding it: the usual 80 % (Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988), `planLoads`.
 */
export const DEFAULT_TARGET_CHANGE = 0.1;
export const PLANNED_POWER = 0.8;
/**
 * Spread of a load's log efficiency when page, link and block are allowed for. Assumed; what a trial finds may differ. 0.25 between loads of
 * a page that stays as it is, and 0.24 from what is on it that time, as in our simulations (test/calibration).
 */
export const EXPECTED_LOG_SD = 0.35;

/** Pages over links that a person comes back to while a trial lasts. Assumed, as in our simulations (test/calibration). */
export const EXPECTED_PAGES = 60;

/** A quarter more than is planned for 10 % at the expected spread. Our own choice: then it gives up. Plans that need more give up at their end. */
export const DEFAULT_MAX_LOADS_PER_ARM = 500;

/**
 * Loads per arm of the first screening round. Our own choice: a round ends with a block, so that two arms have 18 loads each, of which 14 decide
 * it; a change of 10 % is then ahead in 76 of 100 rounds at the expected spread, ln 1.1 / (0.35 * sqrt(2 / 14)) = 0.72 standard deviations.
 * With more, the round costs more than its mistakes.
 */
export const DEFAULT_SCREENING_LOADS_PER_ARM = 10;

/** The 18 profiles of the Fennec memo and some; more would take months of everyday browsing. */
export const MAX_ARMS = 32;

/** A profile that much less efficient is dropped before the planned end (design: from loads to a recommendation). */
export const HARMFUL_CHANGE = 0.1;
/**
 * Chance, over a stage and all looks at it, that a harmless arm is dropped as harmful: of the harm stop alone, beside `TRIAL_ALPHA`, because it
 * never calls anything better. Our own choice.
 */
export const HARM_ALPHA = 0.01;
/**
 * The same chance, over all protocols but the judged one together: each of the four that a trial can have has a quarter of it. Our own choice.
 */
export const OTHERS_HARM_ALPHA = 0.01 / 4;
/** Blocks at which the harm stop's interval is shortest. Our own choice: soon, as harm is to be ended soon. */
export const HARM_BLOCKS = 10;

/** After so many failed attempts in one slot to put it in effect, an arm is dropped. Our own choice: a lock or a policy does not go away by trying. */
export const MAX_SWITCH_FAILURES = 3;

/**
 * A load that began so long ago and of which nothing more was heard is lost: an observation ends 60 s after its navigation at
 * the latest (`loadTime`), and the event page may have been away for as long again.
 */
export const LOAD_LOST_AFTER_MS = 120_000;

/**
 * Evidence (an e-value, 1 on average if nothing is wrong) that raises the alarm of a check: by Ville's inequality a check of a sound
 * trial ever reaches it, however often it is looked at, with a chance of at most 1 in 100. 0.01 is the level that sample-ratio checks
 * are run at in practice (Fabijan et al., "Diagnosing sample ratio mismatch in online controlled experiments", KDD 2019); theirs is
 * for one look.
 */
export const ALARM_EVIDENCE = 100;
/**
 * With so much evidence a verdict waits until it has gone again: in at most 1 sound trial in 10 at any time, and it goes, because the
 * evidence of a sound trial falls. Our own choice.
 */
export const WARNING_EVIDENCE = 10;

/**
 * Excess of the share that an arm's slots lose over the others' that no verdict survives, whatever its cause: with a quarter more of the loads missing, a
 * difference of 10 % may be the missing ones'. Our own choice.
 */
export const MAX_EXCESS_LOST_SHARE = 0.25;

/**
 * Settled loads of each arm below which the checks cannot vouch for it. Our own choice: the lost-loads check sees a profile that
 * loses half its loads in about as many (test/unit/trial/share-checks.test.ts).
 */
export const CHECKED_LOADS_PER_ARM = 20;

/** Loads not in effect are void; above this share of an arm's, and from this many on, the arm is not what it is called. Our own choice. */
export const MAX_NOT_IN_EFFECT_SHARE = 0.1;
export const MIN_NOT_IN_EFFECT = 3;

/** Slots per arm below which the carry-over check says nothing. Our own choice: each arm then came after each of two others twice or more. */
export const CHECKED_SLOTS_PER_ARM = 5;
