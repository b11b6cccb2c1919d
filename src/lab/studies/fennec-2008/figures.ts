/** The figures of the 2008 study for programs. */
import type { LoadIndex } from '../../../core/compare/load-index.ts';
import { BASELINE_ID, CONTROL_ID } from '../../../core/profiles/presets.ts';
import { type AgainstShipped, withoutMost } from '../fennec-2008-gateway.ts';
import type { StudyFindings } from '../findings.ts';
import type { OverPages } from './intervals.ts';
import { byMean, pickAgainstBest } from './means.ts';
import { type PickWithout, pickOf } from './pick.ts';
import { placesByConnections } from './places.ts';
import { averageGain, bestOfEachOver, efficiencyOf, meanGainOver, type RankedStudy, timesWithWorse } from './scenarios.ts';

export interface FigureFacts {
  /** Each profile against the baseline. */
  readonly gains: ReadonlyMap<string, OverPages>;
  readonly picks: readonly PickWithout[];
  readonly against: AgainstShipped | undefined;
  readonly index: LoadIndex;
}

/** `mean...` and `average...` are arithmetic, `efficiency`, `ratio`, `low` and `high` geometric. */
export function fennec2008Figures(ranked: RankedStudy, { gains, picks, against, index }: FigureFacts): StudyFindings['figures'] {
  const { ranking, scenarios } = ranked;
  const { baseline, meanSpread, baselineEfficiency, gain, slots } = ranking;
  const pick = pickOf(ranked);
  return {
    ranking: ranking.profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency }) => ({
      profileId: id,
      firsts,
      topQuartile,
      lasts,
      meanEfficiency,
      meanGain: meanGainOver(scenarios, id, baseline),
    })),
    againstBaseline: [...gains].map(([profileId, over]) => ({
      profileId,
      efficiency: efficiencyOf(scenarios, profileId),
      ...overPagesFigures(over),
    })),
    scenarios: scenarios.map(({ page, link, efficiencies }) => ({ page, link, efficiencies: Object.fromEntries(efficiencies) })),
    topQuartileSlots: slots,
    topQuartileByConnections: placesByConnections(ranked),
    averageGain: averageGain(ranked, baseline),
    gainOfMeans: gain,
    bestOfEachRatio: bestOfEachOver(ranked, baseline),
    meanSpread,
    baselineEfficiency,
    baselineLasts: timesWithWorse(ranked, baseline, 0),
    baselineLastButOne: timesWithWorse(ranked, baseline, 1),
    pick,
    picksWithout: picks,
    pickAgainstBaseline: overPagesFigures(pick === undefined ? undefined : gains.get(pick)),
    byGeometricMean: byMean(ranked),
    pickAgainstBestMean: overPagesFigures(pickAgainstBest(ranked, index)),
    gateway: {
      [BASELINE_ID]: efficiencyOf(scenarios, BASELINE_ID),
      [CONTROL_ID]: efficiencyOf(scenarios, CONTROL_ID),
      controlOverDefault: overPagesFigures(against?.alone),
      pickOverDefault: overPagesFigures(against?.pick?.overShipped),
      pickOverControl: overPagesFigures(against?.pick?.overControl),
    },
  };
}

/** With its pages, and without the one that moves it most. */
export function overPagesFigures(over: OverPages | undefined) {
  if (over === undefined) return undefined;
  const { ratio, low, high, finding, pages, scenarios, scenariosAhead, comparisons } = over;
  return { ratio, low, high, finding, comparisons, pairs: scenarios, pairsAhead: scenariosAhead, pages, withoutMost: withoutMost(over) };
}
