/** Wilcoxon's signed-rank test of paired samples. */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { normalUpperTail } from './distributions.ts';
import { midranks } from './mann-whitney.ts';
import { requireFiniteSample } from './sample-checks.ts';

interface WilcoxonOptions {
  /** Half a step towards the mean, only in the normal approximation. False unless given, as in SciPy. */
  readonly correction?: boolean;
  /**
   * 'exact' counts the signs; 'asymptotic' is the normal approximation, its variance corrected for ties; 'auto' (the default)
   * is exact for up to 50 pairs without ties or zeros and up to 13 with them, else asymptotic, as in SciPy.
   */
  readonly method?: 'exact' | 'asymptotic' | 'auto';
}

interface Wilcoxon {
  /** The lesser of the rank sums of the positive and of the negative differences. */
  readonly w: number;
  /** Two-sided, in (0, 1]. */
  readonly p: number;
}

/**
 * Two-sided, as scipy.stats.wilcoxon with zero_method 'wilcox': pairs without a difference are left out. 'exact' is so with ties too, over
 * all signs of the midranks seen, where SciPy's 'exact' rounds and its 'auto' permutes (we agree with the latter). Without any difference w
 * is 0 and p is 1, where SciPy, above 13 pairs, says NaN. One-sided tests and other treatments of zeros are not offered.
 *
 * @param b as long as a; the differences are a - b.
 * @throws PlumbfoxError bad-input for empty samples, unequal lengths, NaN, an infinity, or a difference too large for a number.
 */
export function wilcoxonSignedRank(a: readonly number[], b: readonly number[], options: WilcoxonOptions = {}): Wilcoxon {
  requireFiniteSample(a);
  requireFiniteSample(b);
  if (a.length !== b.length) throw new PlumbfoxError('bad-input', `Pairs are needed, not ${a.length} values against ${b.length}`);
  const all = a.map((value, index) => value - (b[index] ?? 0));
  requireFiniteSample(all);
  const differences = all.filter((difference) => difference !== 0);
  if (differences.length === 0) return { w: 0, p: 1 };
  const { ranks, tieTerm } = midranks(differences.map(Math.abs));
  const plus = ranks.reduce((sum, rank, index) => sum + ((differences[index] ?? 0) > 0 ? rank : 0), 0);
  const count = differences.length;
  const minus = (count * (count + 1)) / 2 - plus;
  const w = Math.min(plus, minus);
  const exact = isExact(options.method ?? 'auto', all.length, tieTerm > 0 || count < all.length);
  return { w, p: Math.min(1, 2 * (exact ? exactTail(w, ranks) : asymptoticTail(w, count, tieTerm, options.correction ?? false))) };
}

/** SciPy's bounds: the second is where its permutation test is complete, 2^13 signs being fewer than its 9,999 resamples. */
const EXACT_UP_TO = 50;
const EXACT_WITH_TIES_UP_TO = 13;

function isExact(method: 'exact' | 'asymptotic' | 'auto', pairs: number, tiedOrZero: boolean): boolean {
  switch (method) {
    case 'exact':
      return true;
    case 'asymptotic':
      return false;
    case 'auto':
      return pairs <= (tiedOrZero ? EXACT_WITH_TIES_UP_TO : EXACT_UP_TO);
    default:
      return assertNever(method);
  }
}

/** P(T <= w), every sign as likely as its opposite. Ranks are doubled to be integers; cost 2 n^3 steps. */
function exactTail(w: number, ranks: Float64Array): number {
  const last = Math.round(2 * w);
  const chances = new Float64Array(last + 1);
  chances[0] = 1;
  for (const rank of ranks) {
    const step = Math.round(2 * rank);
    for (let sum = last; sum >= 0; sum--) chances[sum] = ((chances[sum] ?? 0) + (sum < step ? 0 : (chances[sum - step] ?? 0))) / 2;
  }
  return chances.reduce((total, chance) => total + chance, 0);
}

/** Mean n (n + 1) / 4, variance (n (n + 1) (2 n + 1) - tieTerm / 2) / 24: Lehmann, "Nonparametrics" (1975), section 3.2. */
function asymptoticTail(w: number, n: number, tieTerm: number, correction: boolean): number {
  const below = (n * (n + 1)) / 4 - w;
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1) - tieTerm / 2) / 24);
  return normalUpperTail((below - (correction ? 0.5 : 0)) / deviation);
}
