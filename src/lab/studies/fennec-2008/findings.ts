/** What the 2008 study finds: places, heat map, tables by link and by page, and an answer with its figures. Pure. */
import type { LoadIndex } from '../../../core/compare/load-index.ts';
import { heatMapSvg } from '../../../core/report/heat-map-svg.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import { againstShipped, gatewaySentences } from '../fennec-2008-gateway.ts';
import type { ComparisonWithOriginal, StudyFindings, StudyPicture } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { allowsInWords, DEPTH_AS_ABOVE, DEPTH_DIFFERS, DEPTH_SENTENCE } from './depth.ts';
import { fennec2008Figures } from './figures.ts';
import { gatewayTables } from './gateway-tables.ts';
import { efficiencyRatios, indexStudy, type OverPages, overPages } from './intervals.ts';
import { meansSentence } from './means.ts';
import { firmness, pickOf, pickSentence, picksWithout } from './pick.ts';
import { leadInWords, mostOf, placesInWords } from './places.ts';
import { bestOfEachOver, efficiencyOf, type RankedStudy, rankStudy, timesWithWorse } from './scenarios.ts';
import { linkTable, pageTable, picksTable, placesTable } from './tables.ts';
import { changeOf, groundsOf, loadsEach, pagesInWords, ratioSentence, SHOWN } from './words.ts';

export function fennec2008Findings(data: StudyData): StudyFindings {
  const ranked = rankStudy(data);
  if (ranked === undefined) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: { ranking: [] } };
  const [grounds, each, index] = [groundsOf(data.loads), loadsEach(data.loads), indexStudy(data.loads)];
  const gains = gainsOf(ranked, index);
  const picks = picksWithout(ranked);
  const against = againstShipped(ranked, index);
  const withoutPages = picksTable(picks, each);
  return {
    tables: [
      placesTable(ranked, { grounds, gains }),
      ...(withoutPages === undefined ? [] : [withoutPages]),
      linkTable(ranked, data, each),
      pageTable(ranked, data, each),
      ...(against === undefined ? [] : gatewayTables(ranked, data, { against, each })),
    ],
    answer: [
      ...pickSentence(ranked),
      ...firmness(pickOf(ranked), { picks, each }),
      ...pickAgainstDefault(ranked, { gains, grounds }),
      ...meansSentence(ranked, { index, each }),
      ...defaultSentence(ranked, each),
      `Top-quartile places of a profile by connections per server: ${placesInWords(ranked)}.`,
      DEPTH_SENTENCE,
      ...gatewaySentences(against),
    ],
    comparisonWithOriginal: comparedWithTheMemo(ranked, each),
    pictures: [connectionsByDepth(ranked, grounds)],
    figures: fennec2008Figures(ranked, { gains, picks, against, index }),
  };
}

/** Each of the others against the baseline. Which is picked depends on the loads, so the intervals hold for all together. */
function gainsOf({ profiles, ranking: { baseline } }: RankedStudy, index: LoadIndex): ReadonlyMap<string, OverPages> {
  const others = profiles.filter(({ id }) => id !== baseline);
  return new Map(others.map(({ id }) => [id, overPages(efficiencyRatios(index, { profileId: id, against: baseline }), others.length)]));
}

/** An upper bound so many times the lower one is called wide; our own choice. */
const WIDE = 1.5;

function pickAgainstDefault(
  ranked: RankedStudy,
  { gains, grounds }: { readonly gains: ReadonlyMap<string, OverPages>; readonly grounds: string },
): readonly string[] {
  const pick = pickOf(ranked);
  const gain = pick === undefined ? undefined : gains.get(pick);
  if (gain?.ratio === undefined) return [];
  const byPage = pagesInWords(gain);
  const wide = (gain.high ?? 1) / (gain.low ?? 1) >= WIDE ? 'a wide interval, as the pages differ much: ' : '';
  return [
    `${pick} against ${ranked.ranking.baseline}: ${ratioSentence(gain)}, ${SHOWN[gain.finding]}; ${byPage === undefined ? '' : `${wide}${byPage}; `}ahead in ${gain.scenariosAhead} of ${counted(gain.scenarios, 'scenario')} (geometric mean, ${grounds}).`,
  ];
}

function defaultSentence(ranked: RankedStudy, each: string): readonly string[] {
  const { baseline, scenarios, baselineEfficiency, meanSpread, gain } = ranked.ranking;
  const best = bestOfEachOver(ranked, baseline);
  if (baselineEfficiency === undefined || meanSpread === undefined || gain === undefined || best === undefined) return [];
  const last = `last in ${timesWithWorse(ranked, baseline, 0)} of ${counted(scenarios, 'scenario')} (${each})`;
  const means = `its efficiency is ${baselineEfficiency.toFixed(2)}, and best and worst of a scenario are ${meanSpread.toFixed(2)} apart (arithmetic means, as the memo's)`;
  return [
    `${baseline}, the default of 2008, is ${last}; ${means}. The best of each scenario, chosen after the fact and so partly by luck, is ${percent(best - 1)} ahead of it (geometric mean; ${percent(gain)} as the memo counts).`,
  ];
}

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
  return {
    name: 'connections-by-depth',
    title,
    svg: heatMapSvg({
      title,
      subtitle: `Geometric mean, ${grounds}`,
      digits: 3,
      columns: { name: 'depth', labels: depths.map(String) },
      rows: { name: 'connections', labels: counts.map(String) },
      cells: counts.map((connections) => depths.map((depth) => cellOf(connections, depth))),
    }),
  };
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** The memo's figures beside ours, and why they differ (P. McManus, 31 July 2008; figures of its section on parallelism). */
const OWN_READING = "the memo's pages, networks and formula are not public: ours are our own reading";
const AS_ABOVE = 'pages, networks and formula are our own, as above';
const TODAYS_BROWSER =
  "this is today's Firefox through a gateway: it orders requests otherwise, opens connections ahead of demand, and requests are appended to active connections, which Fennec never did (bug 447866)";

/** @param each - Loads of a profile in a scenario, in words. */
function comparedWithTheMemo(ranked: RankedStudy, each: string): readonly ComparisonWithOriginal[] {
  return [...ofTheDefault(ranked, each), ...ofTheBest(ranked, each)];
}

function ofTheDefault(ranked: RankedStudy, each: string): readonly ComparisonWithOriginal[] {
  const { baseline, scenarios, baselineEfficiency, meanSpread, gain } = ranked.ranking;
  const lasts = timesWithWorse(ranked, baseline, 0);
  const best = bestOfEachOver(ranked, baseline);
  return [
    {
      what: `${baseline} is last`,
      original: '48 of 56',
      ours: `${lasts} of ${scenarios}, ${each}`,
      why: 'the only configuration that is the same in both: two requests at once',
    },
    {
      what: `${baseline} is last but one`,
      original: '5 of the other 8',
      ours: `${timesWithWorse(ranked, baseline, 1)} of the other ${scenarios - lasts}`,
    },
    {
      what: `mean efficiency of ${baseline} (arithmetic)`,
      original: '.45',
      ours: shortFigure(baselineEfficiency),
      why: `${OWN_READING}; efficiency here is ideal time over load time`,
    },
    { what: 'best less worst of a scenario, arithmetic mean', original: '.26', ours: shortFigure(meanSpread), why: AS_ABOVE },
    {
      what: `best of a scenario over ${baseline}`,
      original: '58 %',
      ours:
        best === undefined || gain === undefined
          ? 'not measured'
          : `${percent(gain)} as the memo counts, mean difference over mean default; ${changeOf(best)} as geometric mean of the ratios`,
      why: `${AS_ABOVE}; the best is chosen after the fact, so some of it is luck`,
    },
  ];
}

function ofTheBest(ranked: RankedStudy, each: string): readonly ComparisonWithOriginal[] {
  const { ranking, profiles } = ranked;
  const lead = leadInWords(ranked);
  const pick = profiles.find(({ id }) => id === pickOf(ranked));
  const allows = pick && allowsInWords(pick);
  return [
    {
      what: 'most firsts',
      original: '{5,6} 9, {4,6} 8',
      ours: mostOf(ranking.profiles, 'firsts'),
      why: [
        DEPTH_DIFFERS,
        'the memo says of its own that "the individual efficiency metrics tend to be extremely close to each other"',
        ...(lead === undefined ? [] : [`here, with ${each}, the first is at most ${lead} ahead of the second in half of the scenarios`]),
      ].join('; '),
    },
    {
      what: 'most top-quartile places',
      original: '{4,6} 30, {5,6} 27 of 224',
      ours: `${mostOf(ranking.profiles, 'topQuartile')} of ${ranking.slots}`,
      why: `${DEPTH_AS_ABOVE}; the memo counts 4 places of 18, here the quartile is rounded up to 5; ${TODAYS_BROWSER}`,
    },
    {
      what: 'connections that do best',
      original: '3 to 5; 3 need very deep pipelines, 4 moderate ones',
      ours: `top-quartile places of a profile: ${placesInWords(ranked)}`,
      why: `${DEPTH_AS_ABOVE}, so what is deep there need not be deep here`,
    },
    {
      what: "the memo's own rule by places: of those level in places the cheapest",
      original: '{4,6}',
      ours: pick?.id ?? 'none',
      why: allows === undefined ? DEPTH_AS_ABOVE : `${DEPTH_AS_ABOVE}: ${allows}`,
    },
  ];
}

/** `.45`, as the memo has them. */
const shortFigure = (value: number | undefined): string => value?.toFixed(2).replace(/^0/, '') ?? 'not measured';
