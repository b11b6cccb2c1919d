/**
 * Evidence that one arm has more or less than its share of something, that holds at every look.
 *
 * In a stretch the arm made the share p of the attempts. If each attempt came to the same end with the same chance whatever its arm,
 * then of n such ends x in the arm follow the hypergeometric distribution, and for any odds ratio theta
 *
 *     L = theta^x / (1 - p + p * theta)^n
 *
 * has an expectation of at most 1: exactly 1 for the binomial, and theta^x is convex in x, so drawing without replacement only lowers
 * it (Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58 (1963), theorem 4). Stretches multiply, and the
 * mean over a fixed set of theta is again such a value: the mixture of Lindon & Malek, "Anytime-valid inference for multinomial count
 * data", NeurIPS 2022, with a discrete prior, and with the share taken from the attempts, so that bursts of browsing raise no alarm.
 * Between complete blocks the share moves, and a dead network takes the loads of a whole slot: of 1000 simulated trials each, looked at after
 * every slot, none raised a false alarm where loads were lost one by one, and 5 in 100 where a twentieth of slots of 8 loads on average was dead.
 */

/** Our own choice: from a third more or less to ten times, even in the logarithm. */
const ODDS_RATIOS = [4 / 3, 2, 3, 5, 10].flatMap((theta) => [theta, 1 / theta]);

export interface ShareCount {
  /** In the arm. */
  readonly own: number;
  readonly total: number;
  /** The arm's share of the attempts, in [0, 1]. */
  readonly share: number;
}

/** @param stretches one count each. @returns the e-value, above 0; 1 without counts. */
export function shareEvidence(stretches: readonly ShareCount[]): number {
  const likelihoods = ODDS_RATIOS.map((theta) => {
    const logs = stretches.map(({ own, total, share }) => own * Math.log(theta) - total * Math.log1p(share * (theta - 1)));
    return Math.exp(logs.reduce((sum, log) => sum + log, 0));
  });
  return likelihoods.reduce((sum, likelihood) => sum + likelihood, 0) / likelihoods.length;
}
