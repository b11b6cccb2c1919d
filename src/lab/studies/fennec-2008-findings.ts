/** What the 2008 study finds: places, heat map, tables by link and by page, and an answer with its figures. Pure. */
import type { LoadIndex } from '../../core/compare/load-index.ts';
import { counted, percent } from '../../core/compare/plain-words.ts';
import { besidesTheMemo } from './fennec-2008-besides.ts';
import { DEPTH_SENTENCE } from './fennec-2008-depth.ts';
import { fennec2008Figures } from './fennec-2008-figures.ts';
import { againstShipped, gatewaySentences } from './fennec-2008-gateway.ts';
import { gatewayTables } from './fennec-2008-gateway-tables.ts';
import { efficiencyRatios, indexStudy, type OverPages, overPages } from './fennec-2008-intervals.ts';
import { connectionsByDepth } from './fennec-2008-map.ts';
import { meansSentence } from './fennec-2008-means.ts';
import { firmness, pickOf, pickSentence, picksWithout } from './fennec-2008-pick.ts';
import { placesInWords } from './fennec-2008-places.ts';
import { bestOfEachOver, type RankedStudy, rankStudy, timesWithWorse } from './fennec-2008-scenarios.ts';
import { linkTable, pageTable, picksTable, placesTable } from './fennec-2008-tables.ts';
import { groundsOf, loadsEach, pagesInWords, ratioSentence, SHOWN } from './fennec-2008-words.ts';
import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';

export function fennec2008Findings(data: StudyData): StudyFindings {
  const ranked = rankStudy(data);
  if (ranked === undefined) return { tables: [], answer: [], besides: [], pictures: [], figures: { ranking: [] } };
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
    besides: besidesTheMemo(ranked, each),
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
