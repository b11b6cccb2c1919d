/** The rank test of two independent samples by Mann and Whitney, which is also Wilcoxon's rank sum test. */
import { assertNever, PlumbfoxError } from '../errors.ts';
import type { Alternative } from './alternative.ts';
import { normalUpperTail } from './distributions.ts';
import { mannWhitneyUpperTail } from './mann-whitney-distribution.ts';
import { midranks } from './midranks.ts';
import { requireFiniteSample } from './sample-checks.ts';

export interface MannWhitneyOptions {
  /** What the first sample tends to be, compared with the second. 'two-sided' unless given. */
  readonly alternative?: Alternative;
  /**
   * 'exact' counts the orderings, and only holds without ties; 'asymptotic' is the normal approximation, its variance
   * corrected for ties; 'auto' (the default) is exact when a sample has at most 8 values and there are no ties, as in SciPy.
   */
  readonly method?: 'exact' | 'asymptotic' | 'auto';
  /** Half a step towards the mean, in the normal approximation alone. True unless given. */
  readonly continuity?: boolean;
}

export interface MannWhitney {
  /** Pairs in which the value of the first sample is the larger one, equal pairs counted as half: 0 to n m. SciPy's statistic. */
  readonly u: number;
  /** The chance of a `u` at least as far out when both samples come from one distribution, in (0, 1]. */
  readonly p: number;
}

/**
 * `u` and `p` as scipy.stats.mannwhitneyu has them, but for two cases. With ties, 'exact' is refused: SciPy uses the
 * distribution without ties, which is then not exact. When every value is the same, p is 1, also one-sided and without continuity
 * correction, where SciPy divides 0 by 0.
 *
 * @throws PlumbfoxError bad-input for an empty sample, NaN or an infinity, or 'exact' with ties.
 */
export function mannWhitneyU(a: readonly number[], b: readonly number[], options: MannWhitneyOptions = {}): MannWhitney {
  requireFiniteSample(a);
  requireFiniteSample(b);
  const { u, tieTerm } = mannWhitneyStatistic(a, b);
  const most = a.length * b.length;
  const { outer, sides } = side(u, most, options.alternative ?? 'two-sided');
  const tail = isExact(options.method ?? 'auto', Math.min(a.length, b.length), tieTerm > 0)
    ? mannWhitneyUpperTail(outer, a.length, b.length)
    : asymptoticTail(outer, [a.length, b.length], tieTerm, options.continuity ?? true);
  return { u, p: Math.min(1, sides * tail) };
}

/** `u` as in `MannWhitney`, from the ranks of both samples together, and their tie term; samples finite. */
export function mannWhitneyStatistic(a: readonly number[], b: readonly number[]): { readonly u: number; readonly tieTerm: number } {
  const { ranks, tieTerm } = midranks([...a, ...b]);
  let rankSum = 0;
  for (let i = 0; i < a.length; i++) rankSum += ranks[i] ?? 0;
  return { u: rankSum - (a.length * (a.length + 1)) / 2, tieTerm };
}

/** SciPy's bound. */
const EXACT_UP_TO = 8;

function isExact(method: 'exact' | 'asymptotic' | 'auto', fewer: number, tied: boolean): boolean {
  switch (method) {
    case 'exact':
      if (tied) throw new PlumbfoxError('bad-input', 'Samples with ties have no exact Mann-Whitney test: use auto or asymptotic');
      return true;
    case 'asymptotic':
      return false;
    case 'auto':
      return fewer <= EXACT_UP_TO && !tied;
    default:
      return assertNever(method);
  }
}

/** The U whose upper tail is asked for, and of how many sides. */
function side(u: number, most: number, alternative: Alternative): { readonly outer: number; readonly sides: 1 | 2 } {
  switch (alternative) {
    case 'two-sided':
      return { outer: Math.max(u, most - u), sides: 2 };
    case 'greater':
      return { outer: u, sides: 1 };
    case 'less':
      return { outer: most - u, sides: 1 };
    default:
      return assertNever(alternative);
  }
}

/** Variance with ties: n m / 12 ((N + 1) - tieTerm / (N (N - 1))), Lehmann, "Nonparametrics" (1975), (1.34). */
function asymptoticTail(u: number, [n, m]: readonly [number, number], tieTerm: number, continuity: boolean): number {
  const all = n + m;
  if (tieTerm === all ** 3 - all) return 1;
  const variance = ((n * m) / 12) * (all + 1 - tieTerm / (all * (all - 1)));
  return normalUpperTail((u - (n * m) / 2 - (continuity ? 0.5 : 0)) / Math.sqrt(variance));
}
