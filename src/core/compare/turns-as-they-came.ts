/**
 * Loads whose profiles did not take turns at random get figures and no verdict: what looks like the profile may be the day. With the
 * default on one day and a profile without any effect on the next, and days that differ by 10 %, 30 % of simulated comparisons would
 * have called it better or worse.
 */
export const TURNS_AS_THEY_CAME =
  'the profiles did not take turns at random, so the times and networks of the loads may make the difference: a trial decides';
