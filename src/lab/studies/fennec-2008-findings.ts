/** What the 2008 study finds: places, heat map, tables by link and by page, and an answer with its figures. Pure. */
import type { Comparison, VersusBaseline } from '../../core/compare/comparison.ts';
import { counted, percent, rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { BASELINE_ID, CONTROL_ID } from '../../core/profiles/presets.ts';
import { besidesTheMemo } from './fennec-2008-besides.ts';
import { compareOverPages } from './fennec-2008-intervals.ts';
import { connectionsByDepth } from './fennec-2008-map.ts';
import { averageGain, meanEfficiencyOf, meanGainOver, type RankedStudy, rankStudy, timesWithWorse } from './fennec-2008-scenarios.ts';
import { gatewayTable, linkTable, pageTable, placesTable } from './fennec-2008-tables.ts';
import type { StudyFindings } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

export function fennec2008Findings(data: StudyData): StudyFindings {
  const ranked = rankStudy(data);
  if (ranked === undefined) return { tables: [], answer: [], besides: [], pictures: [], figures: { ranking: [] } };
  const gateway = gatewayTable(ranked, data);
  const comparison = compareOverPages(data, { baseline: data.study.baseline, profiles: ranked.profiles });
  return {
    tables: [placesTable(ranked), linkTable(ranked, data), pageTable(ranked, data), ...(gateway === undefined ? [] : [gateway])],
    answer: answerOf(ranked, comparison),
    besides: besidesTheMemo(ranked),
    pictures: [connectionsByDepth(ranked)],
    figures: figuresOf(ranked, comparison),
  };
}

function answerOf(ranked: RankedStudy, comparison: Comparison): readonly string[] {
  const { ranking } = ranked;
  return [
    ...(ranking.pick.state === 'picked' ? [`Pick ${ranking.pick.profileId}: ${ranking.pick.reason}`] : []),
    ...pickAgainstDefault(ranked, comparison),
    ...defaultSentence(ranked),
    ...connectionsSentence(ranked),
    ...generalRule(ranked, comparison),
    ...gatewaySentence(ranked),
  ];
}

function pickAgainstDefault({ ranking }: RankedStudy, comparison: Comparison): readonly string[] {
  const versus = versusDefault(ranking, comparison);
  if (ranking.pick.state !== 'picked' || versus?.ratio === undefined || versus.verdict === 'baseline') return [];
  const { ratio, low, high, pairs, pairsAhead } = versus;
  const range =
    low === undefined || high === undefined
      ? 'too few pages for an interval'
      : `${rangeInWords(low, high)} over pages such as these, 95 % for all ${comparison.method.intervals} profiles together`;
  return [
    `${ranking.pick.profileId} against ${ranking.baseline}: ${signedPercent(ratio - 1)} (${range}), ahead in ${pairsAhead} of ${counted(pairs, 'scenario')}.`,
  ];
}

function versusDefault({ pick }: RankedStudy['ranking'], { profiles }: Comparison): VersusBaseline | undefined {
  return pick.state === 'picked' ? profiles.find(({ id }) => id === pick.profileId)?.versusBaseline : undefined;
}

function defaultSentence(ranked: RankedStudy): readonly string[] {
  const { baseline, scenarios, baselineEfficiency, meanSpread } = ranked.ranking;
  const gained = averageGain(ranked, baseline);
  if (baselineEfficiency === undefined || meanSpread === undefined || gained === undefined) return [];
  const last = `last in ${timesWithWorse(ranked, baseline, 0)} of ${counted(scenarios, 'scenario')}, with a mean efficiency of ${baselineEfficiency.toFixed(2)}`;
  return [
    `${baseline}, the default of 2008, is ${last}; the best of each, chosen after the fact, is ${percent(gained)} more efficient on average, and best and worst are ${meanSpread.toFixed(2)} apart.`,
  ];
}

/** Which numbers of connections the top quartile goes to. */
function connectionsSentence({ profiles, ranking }: RankedStudy): readonly string[] {
  const places = new Map<number, number>();
  for (const { id, topQuartile } of ranking.profiles) {
    const connections = profiles.find((profile) => profile.id === id)?.connections ?? 0;
    places.set(connections, (places.get(connections) ?? 0) + topQuartile);
  }
  const ordered = [...places].sort((a, b) => b[1] - a[1]).map(([connections, count]) => `${count} with ${connections}`);
  return [`Top-quartile places by connections per server: ${ordered.join(', ')}.`];
}

/** Where the rule for all comparisons decides otherwise than places do. */
function generalRule({ ranking }: RankedStudy, { recommendation }: Comparison): readonly string[] {
  const { profileId } = recommendation;
  if (profileId === null || ranking.pick.state !== 'picked' || profileId === ranking.pick.profileId) return [];
  return [
    `By efficiency alone, the cheapest of those not shown to be at least 3 % behind the best is ${profileId}: it is seldom among the first, and seldom far behind.`,
  ];
}

function gatewaySentence({ scenarios, ranking }: RankedStudy): readonly string[] {
  const alone = meanGainOver(scenarios, CONTROL_ID, BASELINE_ID);
  if (alone === undefined || ranking.pick.state !== 'picked') return [];
  const pick = meanGainOver(scenarios, ranking.pick.profileId, BASELINE_ID);
  const beside = pick === undefined ? '' : `; ${ranking.pick.profileId} through it ${signedPercent(pick)}`;
  return [`Against ${BASELINE_ID}, today's 6 connections without a gateway: the gateway alone ${signedPercent(alone)}${beside}.`];
}

function figuresOf(ranked: RankedStudy, comparison: Comparison): StudyFindings['figures'] {
  const { ranking, scenarios } = ranked;
  const { baseline, meanSpread, baselineEfficiency, gain, pick, slots } = ranking;
  const versus = versusDefault(ranking, comparison);
  return {
    ranking: ranking.profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency }) => ({
      profileId: id,
      firsts,
      topQuartile,
      lasts,
      meanEfficiency,
      meanGain: meanGainOver(scenarios, id, baseline),
    })),
    scenarios: scenarios.map(({ page, link, efficiencies }) => ({ page, link, efficiencies: Object.fromEntries(efficiencies) })),
    topQuartileSlots: slots,
    averageGain: averageGain(ranked, baseline),
    gainOfMeans: gain,
    meanSpread,
    baselineEfficiency,
    baselineLasts: timesWithWorse(ranked, baseline, 0),
    baselineLastButOne: timesWithWorse(ranked, baseline, 1),
    pick: pick.state === 'picked' ? pick.profileId : undefined,
    pickAgainstBaseline: versus && {
      ratio: versus.ratio,
      low: versus.low,
      high: versus.high,
      pairs: versus.pairs,
      pairsAhead: versus.pairsAhead,
    },
    byGeneralRule: comparison.recommendation.profileId ?? undefined,
    gateway: {
      [BASELINE_ID]: meanEfficiencyOf(scenarios, BASELINE_ID),
      [CONTROL_ID]: meanEfficiencyOf(scenarios, CONTROL_ID),
      controlOverDefault: meanGainOver(scenarios, CONTROL_ID, BASELINE_ID),
    },
  };
}
