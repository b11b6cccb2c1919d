/**
 * Pages over links that a profile slows, each by its own interval. Pages count equally in the verdict, so one that loses can be hidden by three that
 * gain: with three pages 12 % faster and one 12 % slower, such a profile was recommended in 85 % of runs of ten blocks, and the page not named.
 */
import { studentTQuantile } from '../stats/distributions.ts';
import { stratifiedMean } from '../stats/stratified-mean.ts';
import type { LoadIndex } from './load-index.ts';
import { type BlockNoise, type PairedRatios, pooledVariance } from './paired-estimate.ts';
import { MEANINGFUL_CHANGE, MIN_BLOCKS } from './thresholds.ts';

export interface SlowerPage {
  readonly page: string;
  readonly link: string;
  /** Below 1; the interval holds for all pages of the profile together. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** `seems`: the interval leaves it open, one of 80 % for the page alone does not. `surely-more`: by more than 3 %. */
  readonly how: 'seems' | 'surely' | 'surely-more';
}

/**
 * A two-sided interval of 80 %: with it a page that loses 12 % beside three that gain as much went unnamed in 7 to 10 % of 300 runs of ten blocks; with
 * 50 %, pages whose loads vary by 60 % are named.
 */
const SEEMS = 0.9;

interface HarmInput {
  readonly index: LoadIndex;
  readonly profileId: string;
  readonly noise: BlockNoise;
  /** Shared by the pages of the profile (Bonferroni). */
  readonly alpha: number;
}

/**
 * The slowest first; none with a single page, which the verdict is about. Student's t with the pooled variance of the verdict, at the alpha of one
 * look: this names and withholds, and claims nothing is faster, so the test by swaps, which needs twelve blocks of one page, is left out.
 */
export function slowerPages(paired: PairedRatios, { index, profileId, noise, alpha }: HarmInput): readonly SlowerPage[] {
  if (paired.strata.length < 2) return [];
  const prior = pooledVariance(paired, noise);
  return paired.strata
    .flatMap((ratios, at) => {
      const place = index.get(profileId)?.get(paired.scenarios[at] ?? -1);
      if (place === undefined || ratios.length < MIN_BLOCKS) return [];
      const known = { prior: prior.slice(at, at + 1), minVariances: paired.clockVariances.slice(at, at + 1) };
      const found = slowdown(ratios, known, alpha / paired.strata.length);
      return found === undefined ? [] : [{ page: place.page, link: place.link, ...found }];
    })
    .toSorted((one, other) => one.ratio - other.ratio);
}

function slowdown(
  ratios: readonly number[],
  known: NonNullable<Parameters<typeof stratifiedMean>[1]>,
  alpha: number,
): Pick<SlowerPage, 'ratio' | 'low' | 'high' | 'how'> | undefined {
  const summary = stratifiedMean([ratios], known);
  const spread = summary?.separate;
  if (summary === undefined || spread === undefined || summary.mean > Math.log1p(-MEANINGFUL_CHANGE)) return undefined;
  if (summary.mean + studentTQuantile(SEEMS, spread.degreesOfFreedom) * spread.standardError >= 0) return undefined;
  const half = studentTQuantile(1 - alpha / 2, spread.degreesOfFreedom) * spread.standardError;
  const [low, high] = [Math.exp(summary.mean - half), Math.exp(summary.mean + half)];
  return { ratio: Math.exp(summary.mean), low, high, how: high >= 1 ? 'seems' : high < 1 - MEANINGFUL_CHANGE ? 'surely-more' : 'surely' };
}
