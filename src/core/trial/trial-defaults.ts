/** The figures of trials, each with its source. */

/** Loads of a slot. The verdict counts draws of two blocks, so longer slots take more loads. */
export const DEFAULT_LOADS_PER_SLOT = 3;
/**
 * Slots of a turn. The first of a turn after another profile's has no part in a verdict: with 3 and two profiles 19 loads in 24 have a part, with
 * 2 only 11 in 16, with 4 27 in 32, but then a block lasts half an hour of browsing.
 */
export const DEFAULT_SLOTS_PER_TURN = 3;
/** Loads of a slot by time, as planned. Ten minutes of everyday browsing. */
export const EXPECTED_LOADS_PER_SLOT = 5;
/** A block of two profiles then takes twenty minutes of browsing, well below the hours over which networks drift. */
export const DEFAULT_MINUTES_PER_SLOT = 10;

/**
 * Spread of a load's log efficiency when page, link and block are allowed for. Assumed; what a trial finds may differ. 0.25 between loads of
 * a page that stays as it is, and 0.24 from what is on it that time, as in our simulations (test/calibration).
 */
export const EXPECTED_LOG_SD = 0.35;

/** Pages over links that a person comes back to while a trial lasts. Assumed, as in our simulations (test/calibration). */
export const EXPECTED_PAGES = 60;

/** Page loads of each profile that the end is planned with at most. Chosen, not measured. */
export const DEFAULT_MAX_LOADS_PER_ARM = 720;

/** Room for the 18 profiles of the Fennec memo; more would take months of everyday browsing. */
export const MAX_ARMS = 32;

/** A profile less efficient by this is dropped before the planned end. */
export const HARMFUL_CHANGE = 0.1;
/**
 * Chance, over all looks at a trial, that a harmless arm is dropped as harmful. It comes on top of `DEFAULT_ALPHA`, as the harm stop
 * never calls anything better. Chosen, not measured.
 */
export const HARM_ALPHA = 0.01;
/** The same chance for each of the four protocols besides the judged one: a quarter, so that it holds over all of them. */
export const OTHERS_HARM_ALPHA = 0.01 / 4;
/** Blocks at which the harm stop's interval is shortest. Soon, as harm is to be ended soon. */
export const HARM_BLOCKS = 10;

/** Failed attempts in one slot to put an arm in effect, after which it is dropped. A lock or a policy does not go away by trying. */
export const MAX_SWITCH_FAILURES = 3;

/**
 * After this time a load that has not settled is lost: an observation ends 60 s after its navigation at the latest (`loadTime`), and the event
 * page may have been away for as long again.
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
 * With this evidence a verdict waits until it is gone: that happens in at most 1 sound trial in 10, and the evidence of a sound trial falls.
 */
export const WARNING_EVIDENCE = 10;

/**
 * No verdict survives if an arm's slots lose a share larger than the others' by this, whatever the cause: with a quarter more of the loads
 * missing, a difference of 10 % may come from the missing ones.
 */
export const MAX_EXCESS_LOST_SHARE = 0.25;

/**
 * Settled loads of each arm below which the checks cannot vouch for it. The lost-loads check sees a profile that
 * loses half its loads in about as many (test/unit/core/trial/share-checks.test.ts).
 */
export const CHECKED_LOADS_PER_ARM = 20;

/** Loads not in effect are void; above this share of an arm's, and from this many on, the arm is not what it is called. Chosen, not measured. */
export const MAX_NOT_IN_EFFECT_SHARE = 0.1;
export const MIN_NOT_IN_EFFECT = 3;

/** Turns per arm below which the carry-over check says nothing. Each arm then came after each of two others twice or more. */
export const CHECKED_TURNS_PER_ARM = 5;
/** A verdict waits while what a profile leaves behind may flatter a candidate at this level, over all arms: by chance at 1 look in 10. */
export const FLATTERED_P = 0.1;

/** The part of the planned page loads that a trial takes on average: most end at an earlier look (lines `trial-equal` and `planted-trial`). */
export const EXPECTED_SHARE = 0.75;
