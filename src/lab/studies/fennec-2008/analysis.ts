/** Which profile loads pages of 2008 most efficiently: places, means, the memo's own rule, and Firefox's own settings next to it. Pure. */
import type { LoadIndex } from '../../../core/compare/load-index.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { compareCost } from '../../../core/profiles/compare-cost.ts';
import { CONTROL_ID } from '../../../core/profiles/presets.ts';
import { BASELINE_ID } from '../../../core/profiles/profile.ts';
import { heatMapSvg } from '../../../core/report/heat-map-svg.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import { changeText } from '../comparisons.ts';
import { comparedWith, type StudyFindings, type StudyPicture } from '../findings.ts';
import {
  efficiencyRatios,
  groundsOf,
  indexStudy,
  loadsEach,
  type OverPages,
  overPages,
  overPagesFigures,
  ratioText,
  SHOWN,
} from '../over-pages.ts';
import type { StudyData } from '../study.ts';
import { pickOf, picksWithout } from './memo-rule.ts';
import {
  averageGain,
  bestOfEachOver,
  efficiencyOf,
  leadOf,
  meanGainOver,
  mostOf,
  placesByConnections,
  type RankedStudy,
  rankStudy,
  ratioOver,
  timesWithWorse,
} from './scenarios.ts';
import { type AgainstShipped, gatewayTables, linkAndPageTables, picksTable, placesTable } from './tables.ts';

/** Empty where the default, or everything else, has no load. */
export function fennec2008Findings(data: StudyData): StudyFindings {
  const ranked = rankStudy(data);
  if (ranked === undefined) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: { ranking: [] } };
  const [grounds, each, index] = [groundsOf(data.loads), loadsEach(data.loads), indexStudy(data.loads)];
  const gains = gainsOf(ranked, index);
  const picks = picksWithout(ranked);
  const against = againstShipped(ranked, index);
  const withoutPages = picksTable(picks, each);
  const { ranking, scenarios } = ranked;
  const { baseline, meanSpread, baselineEfficiency, gain, slots } = ranking;
  const pick = pickOf(ranked);
  return {
    tables: [
      placesTable(ranked, gains, grounds),
      ...(withoutPages.rows.length === 0 ? [] : [withoutPages]),
      ...linkAndPageTables(ranked, data, each),
      ...(against === undefined ? [] : gatewayTables(ranked, data, { against, each })),
    ],
    answer: answerOf(ranked, gains, against),
    comparisonWithOriginal: comparedWith(data.study, memoFiguresHere(ranked, each)),
    pictures: [connectionsByDepth(ranked, grounds)],
    /** `mean...` and `average...` are arithmetic, `efficiency`, `ratio`, `low` and `high` geometric. */
    figures: {
      ranking: ranking.profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency }) => ({
        ...{ profileId: id, firsts, topQuartile, lasts, meanEfficiency },
        meanGain: meanGainOver(scenarios, id, baseline),
      })),
      againstBaseline: [...gains].map(([profileId, over]) => ({
        ...{ profileId, efficiency: efficiencyOf(scenarios, profileId) },
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
    },
  };
}

/** Each of the others against the baseline. Which is picked depends on the loads, so the intervals hold for all together. */
function gainsOf({ profiles, ranking: { baseline } }: RankedStudy, index: LoadIndex): ReadonlyMap<string, OverPages> {
  const others = profiles.filter(({ id }) => id !== baseline);
  return new Map(others.map(({ id }) => [id, overPages(efficiencyRatios(index, { profileId: id, against: baseline }), others.length)]));
}

function answerOf(ranked: RankedStudy, gains: ReadonlyMap<string, OverPages>, against: AgainstShipped | undefined): readonly string[] {
  const { baseline, scenarios } = ranked.ranking;
  const pick = pickOf(ranked);
  const gain = pick === undefined ? undefined : gains.get(pick);
  const best = bestOfEachOver(ranked, baseline);
  const shown = (over: OverPages) => `${ratioText(over)}, ${SHOWN[over.finding]}`;
  return [
    ...(gain === undefined
      ? []
      : [`The memo's own rule by places picks ${pick}: over ${baseline} ${shown(gain)}, with intervals over pages.`]),
    ...(best === undefined
      ? []
      : [
          `${baseline}, the default of 2008, is last in ${timesWithWorse(ranked, baseline, 0)} of ${counted(scenarios, 'scenario')}; the best of each, chosen after the fact, is ${percent(best - 1)} ahead of it.`,
        ]),
    ...(against === undefined
      ? []
      : [
          `Over ${BASELINE_ID}, the gateway alone: ${shown(against.alone)}${against.pick === undefined ? '' : `; ${against.pick.id}: ${shown(against.pick.overShipped)}`}.`,
        ]),
  ];
}

interface ByMean {
  /** Highest geometric mean, chosen after the fact. */
  readonly best: string;
  /** The others that are less than 3 % behind it. */
  readonly close: readonly string[];
  readonly cheapest: string;
}

/** Profiles that lack a scenario of the baseline are left out; `undefined`: none but the baseline stays. */
export function byMean({ scenarios, profiles, ranking: { baseline, profiles: ranks, scenarios: count } }: RankedStudy): ByMean | undefined {
  const complete = profiles.filter(({ id }) => ranks.find((each) => each.id === id)?.ranked === count);
  const gains = complete.flatMap((profile) => {
    const gain = ratioOver(scenarios, profile.id, baseline);
    return gain === undefined ? [] : [{ profile, gain }];
  });
  const [best] = [...gains].sort((a, b) => b.gain - a.gain || compareCost(a.profile, b.profile));
  if (best === undefined || gains.length < 2) return undefined;
  const close = gains.filter(({ gain }) => gain > best.gain * (1 - MEANINGFUL_CHANGE));
  const [cheapest = best] = [...close].sort((a, b) => compareCost(a.profile, b.profile));
  return {
    best: best.profile.id,
    close: close.filter((each) => each !== best).map(({ profile }) => profile.id),
    cheapest: cheapest.profile.id,
  };
}

/** The pick against the best of the means, which was found in the same loads: any two of the profiles may have met so. */
export function pickAgainstBest(ranked: RankedStudy, index: LoadIndex): OverPages | undefined {
  const [pick, best] = [pickOf(ranked), byMean(ranked)?.best];
  if (pick === undefined || best === undefined || pick === best) return undefined;
  const { length } = ranked.profiles;
  return overPages(efficiencyRatios(index, { profileId: pick, against: best }), (length * (length - 1)) / 2);
}

/** `undefined`: what ships, or the control, was not loaded. */
export function againstShipped(ranked: RankedStudy, index: LoadIndex): AgainstShipped | undefined {
  const alone = overPages(efficiencyRatios(index, { profileId: CONTROL_ID, against: BASELINE_ID }), 1);
  if (alone.ratio === undefined) return undefined;
  const id = pickOf(ranked);
  if (id === undefined) return { alone };
  const pickOver = (against: string) => overPages(efficiencyRatios(index, { profileId: id, against }), ranked.profiles.length);
  const [overShipped, overControl] = [pickOver(BASELINE_ID), pickOver(CONTROL_ID)];
  return overShipped.ratio === undefined ? { alone } : { alone, pick: { id, overShipped, overControl } };
}

/** Our figures under the keys of the memo's. @param each - Loads of a profile in a scenario, in words. */
function memoFiguresHere(ranked: RankedStudy, each: string): Readonly<Record<string, string | undefined>> {
  const { ranking, profiles } = ranked;
  const { baseline, scenarios, baselineEfficiency, meanSpread, gain } = ranking;
  const lasts = timesWithWorse(ranked, baseline, 0);
  const best = bestOfEachOver(ranked, baseline);
  const lead = leadOf(ranked);
  const pick = profiles.find(({ id }) => id === pickOf(ranked));
  const places = placesByConnections(ranked).map(
    ({ connections, profiles: count, placesEach }) => `${Number(placesEach.toFixed(1))} with ${connections} (${counted(count, 'profile')})`,
  );
  return {
    last: `${lasts} of ${scenarios}, ${each}`,
    lastButOne: `${timesWithWorse(ranked, baseline, 1)} of the other ${scenarios - lasts}`,
    meanEfficiency: shortFigure(baselineEfficiency),
    spread: shortFigure(meanSpread),
    bestOverDefault:
      best === undefined || gain === undefined
        ? undefined
        : `${percent(gain)} as the memo counts, mean difference over mean default; ${changeText(best)} as geometric mean of the ratios`,
    firsts: `${mostOf(ranking.profiles, 'firsts')}${lead === undefined ? '' : `; with ${each}, the first is at most ${percent(lead)} ahead of the second in half of the scenarios`}`,
    topQuartile: `${mostOf(ranking.profiles, 'topQuartile')} of ${ranking.slots}`,
    connections: `top-quartile places of a profile by connections: ${places.join(', ')}`,
    rule: pick && `${pick.id}${pick.connections === undefined ? '' : `, which allows ${pick.connections * pick.depth} at once`}`,
  };
}

/** `.45`, as the memo has them. */
const shortFigure = (value: number | undefined): string | undefined => value?.toFixed(2).replace(/^0/, '');

/** @param grounds - What the figures rest on, in words. */
function connectionsByDepth({ profiles, scenarios, ranking }: RankedStudy, grounds: string): StudyPicture {
  const title = 'Efficiency by connections per server and depth of each';
  const counts = ascending(profiles.flatMap(({ connections }) => (connections === undefined ? [] : [connections])));
  const depths = ascending(profiles.map(({ depth }) => depth));
  const pick = pickOf({ ranking, profiles });
  const cellOf = (connections: number, depth: number) => {
    const profile = profiles.find((each) => each.connections === connections && each.depth === depth);
    const value = profile && efficiencyOf(scenarios, profile.id);
    if (profile === undefined || value === undefined) return undefined;
    const notes = [...(profile.id === ranking.baseline ? ['default'] : []), ...(profile.id === pick ? ['pick'] : [])];
    return { value, marked: profile.id === pick, ...(notes.length > 0 && { note: notes.join(', ') }) };
  };
  const svg = heatMapSvg({
    title,
    subtitle: `Share of the best possible speed, geometric mean, ${grounds}. Darker is faster.`,
    shows: { digits: 3 },
    columns: { name: 'requests on each (depth)', labels: depths.map(String) },
    rows: { name: 'connections', labels: counts.map((count) => `${count}`) },
    cells: counts.map((connections) => depths.map((depth) => cellOf(connections, depth))),
  });
  return { name: 'connections-by-depth', title, svg };
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);
