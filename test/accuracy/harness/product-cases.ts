/** Predictions as everybody is shown them in cases of their own, and what the rule of recommendations would have made of all others. */
import { MEANINGFUL_CHANGE } from '../../../src/core/compare/thresholds.ts';
import { MIN_GATEWAY_RTT_MS } from '../../../src/core/gateway-policy.ts';
import { predictTypical } from '../../../src/core/predict/predict.ts';
import { PACING_ENABLED } from '../../../src/core/profiles/catalogue.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import { median, quantile } from '../../../src/core/stats/quantile.ts';
import type { ProductScenario } from './product-scenarios.ts';
import { isShown, isWithheld, type JudgedPair, judgedPairs, regimeErrors, shownBands, sizeOf } from './regime-errors.ts';
import { percent, signedPercent } from './table-figures.ts';
import { harScenarios } from './webpagetest-har.ts';

type Compared = Pick<JudgedPair, 'predicted' | 'measured'>;

export interface ProductCase {
  readonly name: string;
  readonly loadTimes: readonly Compared[];
  readonly ratios: readonly Compared[];
}

/** Less than this, and what is held back is not what decides about the load. Our own choice. */
const HELD_BACK = 0.01;

/** Loads under Firefox's own settings that its pacing of requests holds back, by the simulator; and what it says without it. */
export function pacingCases(scenarios: readonly ProductScenario[]): readonly ProductCase[] {
  const held = scenarios.flatMap(({ page, link, profiles }) => {
    const measured = median(profiles.find(({ profile }) => profile.id === BASELINE_ID)?.loadTimesMs ?? []);
    const unpaced = { id: 'unpaced', preferences: { [PACING_ENABLED]: false } };
    const [paced, free] = predictTypical({ page, link, profiles: [{ id: BASELINE_ID }, unpaced] }).predictions;
    if (paced === undefined || free === undefined || measured === undefined) return [];
    return paced.loadTimeMs / free.loadTimeMs - 1 < HELD_BACK ? [] : [{ measured, paced: paced.loadTimeMs, free: free.loadTimeMs }];
  });
  const as = (name: string, predicted: 'paced' | 'free'): ProductCase => ({
    name,
    loadTimes: held.map((each) => ({ predicted: each[predicted], measured: each.measured })),
    ratios: [],
  });
  return [as('requests held back by pacing', 'paced'), as('the same, predicted without pacing', 'free')];
}

/** Of the same loads the page as its recipe has it, and as a HAR of WebPageTest shows it. */
export function harCases(): readonly ProductCase[] {
  const all = harScenarios();
  const as = (name: string, scenarios: readonly ProductScenario[]): ProductCase => {
    const pairs = scenarios.flatMap(judgedPairs);
    const isTime = ({ figure }: JudgedPair) => figure === 'loadTime';
    return { name, loadTimes: pairs.filter(isTime), ratios: pairs.filter((pair) => !isTime(pair)) };
  };
  return [
    as(
      'pages of WebPageTest HARs, over their links',
      all.map(({ har }) => har),
    ),
    as(
      'the same, over the links that the HARs show',
      all.flatMap(({ harAlone }) => harAlone ?? []),
    ),
    as(
      'the same, from their recipes',
      all.map(({ recipe }) => recipe),
    ),
  ];
}

export const productCases = (scenarios: readonly ProductScenario[]): readonly ProductCase[] => [...pacingCases(scenarios), ...harCases()];

/** Markdown, as docs/accuracy.md has it. */
export const CASE_HEADING: readonly string[] = [
  '| case | load times: pairs | p50 | p90 | bias | ratios: pairs | p50 | p90 |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];

export const caseRow = ({ name, loadTimes, ratios }: ProductCase): string =>
  `| ${[name, ...errorCells(loadTimes), biasCell(loadTimes), ...errorCells(ratios)].join(' | ')} |`;

function errorCells(pairs: readonly Compared[]): readonly string[] {
  const sizes = pairs.map(sizeOf).sort((a, b) => a - b);
  return sizes.length === 0 ? ['–', '–', '–'] : [String(sizes.length), percent(quantile(sizes, 0.5)), percent(quantile(sizes, 0.9))];
}

const biasCell = (pairs: readonly Compared[]): string =>
  pairs.length === 0
    ? '–'
    : signedPercent(pairs.reduce((sum, { predicted, measured }) => sum + predicted / measured - 1, 0) / pairs.length);

/** What a rule would have recommended in so many scenarios, and how that was measured. */
export interface RuleOutcome {
  readonly name: string;
  readonly scenarios: number;
  /** Measured gains of what it recommends, one of each scenario in which it recommends anything: of the highest predicted one. */
  readonly measured: readonly number[];
}

/** Each source by the errors of the others alone. */
export function ruleOutcomes(scenarios: readonly (readonly JudgedPair[])[]): readonly RuleOutcome[] {
  const all = scenarios.flat();
  const claims = new Set(shownBands(all).flatMap(({ pair, isClaim }) => (isClaim ? [pair] : [])));
  const isSure = (pair: JudgedPair): boolean => claims.has(pair) && pair.predicted > 1;
  const ruleOf = (name: string, gateway: boolean | 'near', isRecommended: (pair: JudgedPair) => boolean): RuleOutcome => {
    const isOf = (pair: JudgedPair) =>
      gateway === 'near' ? isWithheld(pair) : (pair.regime.carriage === 'gateway') === gateway && !isWithheld(pair);
    const own = scenarios
      .map((pairs) => pairs.filter((pair) => pair.figure !== 'loadTime' && isOf(pair)))
      .filter(({ length }) => length > 0);
    const measured = own.flatMap((pairs) => {
      const [best] = pairs
        .filter((pair) => pair.predicted - 1 >= MEANINGFUL_CHANGE && isRecommended(pair))
        .sort((a, b) => b.predicted - a.predicted);
      return best === undefined ? [] : [best.measured - 1];
    });
    return { name, scenarios: own.length, measured };
  };
  return [
    ruleOf('recommended: settings alone', false, isSure),
    ruleOf('recommended: settings alone, any gain of 3 %', false, () => true),
    ruleOf('recommended: with the gateway', true, isSure),
    ruleOf('recommended: with the gateway, any gain of 3 %', true, () => true),
    ruleOf(`withheld: with the gateway under ${MIN_GATEWAY_RTT_MS} ms, any gain of 3 %`, 'near', () => true),
  ];
}

/** Of settings alone, where bands are shown and every simulated ratio is below a gain of 3 %: the best measured gains. */
export function nothingToGain(scenarios: readonly (readonly JudgedPair[])[]): RuleOutcome {
  const errors = regimeErrors(scenarios.flat());
  const own = scenarios.map((pairs) => pairs.filter(({ figure, regime }) => figure !== 'loadTime' && regime.carriage !== 'gateway'));
  const some = own.filter((pairs) => pairs.length > 0 && pairs.every((pair) => isShown(pair, errors)));
  const said = some.filter((pairs) => pairs.every(({ band }) => band.high - 1 < MEANINGFUL_CHANGE));
  return {
    name: 'nothing to gain: settings alone',
    scenarios: some.length,
    measured: said.map((pairs) => Math.max(...pairs.map(({ measured }) => measured - 1))),
  };
}

/** Markdown, as docs/accuracy.md has it. */
export const RULE_HEADING: readonly string[] = [
  '| what a prediction says | scenarios | said in | measured: 3 % faster | less either way | 3 % slower | from | to |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];

export function ruleRow({ name, scenarios, measured }: RuleOutcome): string {
  const faster = measured.filter((gain) => gain >= MEANINGFUL_CHANGE).length;
  const slower = measured.filter((gain) => gain <= -MEANINGFUL_CHANGE).length;
  const ends = measured.length === 0 ? ['–', '–'] : [Math.min(...measured), Math.max(...measured)].map(signedPercent);
  return `| ${[name, scenarios, measured.length, faster, measured.length - faster - slower, slower, ...ends].join(' | ')} |`;
}
