/** The figures the verdict rule is made of (design: from loads to a recommendation). */

/** The smallest change that means something to a person; smaller ones are "no meaningful difference". */
export const MEANINGFUL_CHANGE = 0.03;

/** Chance, over all intervals of a comparison and all looks at it, that any of them misses the truth. */
export const DEFAULT_ALPHA = 0.05;

/**
 * Precision of the mixture over the effect size (mean log ratio of a pair over its standard deviation): effects of about
 * 2 standard deviations, as in the lab, where a pair's ratio varies by 3 to 10 % and a profile changes it by 5 to 30 %.
 * Any value is valid; it decides only after how many pairs the interval is short. With 1/4 it is bounded from 5 pairs in one
 * scenario (1 would take 7) and at 200 pairs is 6 % wider than with 1.
 */
export const EFFECT_PRECISION = 0.25;

/** Power at which the loads still needed are estimated. */
export const PLANNED_POWER = 0.8;

/** A profile that lost more than this share of its loads gets no verdict: what is left may not be what was lost. */
export const MOST_LOST_SHARE = 0.5;
