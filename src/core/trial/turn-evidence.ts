/**
 * Evidence that the slots of one arm have more, or less, of something than the slots of the others, that holds at every look.
 *
 * If the arm makes no difference, then whatever the turns of one draw came to, the arm's could as well have been any of them: its place was
 * drawn. So for any lambda
 *
 *     L = exp(lambda * y_arm) / mean over the arms of exp(lambda * y)
 *
 * is 1 on average whatever the y are, draws multiply, and the mean over a fixed set of lambda is again such a value: a test martingale
 * by randomisation (Fisher, "The Design of Experiments", 1935; Ramdas & Manole, "Randomized and exchangeable improvements of Markov's,
 * Chebyshev's and Chernoff's inequalities", 2023). Nothing is assumed of how losses cluster: a dead network takes all loads of one slot.
 */

/** Our own choice: y are shares, so that these are odds of e to e^8 between an arm that lost everything and one that lost nothing. */
const TILTS = [1, 2, 4, 8].flatMap((lambda) => [lambda, -lambda]);

/** @param draws for each, the arm's own value and those of all arms, its own among them. @returns the e-value; 1 without draws. */
export function turnEvidence(draws: readonly { readonly own: number; readonly all: readonly number[] }[]): number {
  const products = TILTS.map((lambda) => {
    const logs = draws.map(({ own, all }) => lambda * own - Math.log(all.reduce((sum, y) => sum + Math.exp(lambda * y), 0) / all.length));
    return Math.exp(logs.reduce((sum, log) => sum + log, 0));
  });
  return products.reduce((sum, product) => sum + product, 0) / products.length;
}
