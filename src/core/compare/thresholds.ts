/** The figures that the rule of verdicts is made of. */

/** The smallest change that means something to a person; smaller ones are "no meaningful difference". */
export const MEANINGFUL_CHANGE = 0.03;

/** Chance, over all intervals of a comparison and all looks at it, that any of them misses the truth. */
export const DEFAULT_ALPHA = 0.05;

/**
 * Precision of the mixture over the effect size (mean log ratio of a pair over its standard deviation): for effects of about 3
 * standard deviations, as in the lab, where a pair's ratio varies by 3 to 10 % and a profile changes it by 5 to 30 %. Any
 * value is valid; it only decides after how many pairs the interval is short. With 1/10 three blocks of four scenarios are
 * bounded however unequally the scenarios vary; at 200 pairs the interval is 7 to 10 % wider than with 1, and 15
 * to 22 % wider than with the precision that is best there (at alpha 1 and 5 %).
 */
export const EFFECT_PRECISION = 0.1;

/**
 * The same for everyday loads, whose noise is several times the effect: with it the interval is shortest after about 60 blocks. A trial
 * that knows how many it plans passes that number instead.
 */
export const EVERYDAY_PRECISION = 6;

/**
 * Blocks before which there is no finding. Where loads of one page are slow by chance two times of five, both profiles' first two blocks fall the same way
 * in 12 % of runs, and then seem to have no noise; three do in 3 % (2 * 0.24^3).
 */
export const MIN_BLOCKS = 3;

/** A profile that lost more than this share of its loads gets no verdict: what is left may not be like what was lost. */
export const MAX_LOST_SHARE = 0.5;

/** Pairs before which there is no finding: with fewer, no way to swap profiles within them is rarer than one in twenty. */
export const MIN_PAIRS = 6;

/**
 * The change of speed that a run is planned to find, in four of five runs (Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988): a
 * person notices 10 %, and less takes thousands of loads.
 */
export const TARGET_CHANGE = 0.1;
