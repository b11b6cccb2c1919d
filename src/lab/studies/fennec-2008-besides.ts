/** The memo's figures beside ours, and why they differ (P. McManus, 31 July 2008; figures of its section on parallelism). */
import { percent } from '../../core/compare/plain-words.ts';
import { allowsInWords, DEPTH_AS_ABOVE, DEPTH_DIFFERS } from './fennec-2008-depth.ts';
import { pickOf } from './fennec-2008-pick.ts';
import { leadInWords, mostOf, placesInWords } from './fennec-2008-places.ts';
import { bestOfEachOver, type RankedStudy, timesWithWorse } from './fennec-2008-scenarios.ts';
import { changeOf } from './fennec-2008-words.ts';
import type { SeedComparison } from './study-findings.ts';

const OWN_READING = "the memo's pages, networks and formula are not public: ours are our own reading";
const AS_ABOVE = 'pages, networks and formula are our own, as above';
const TODAYS_BROWSER =
  "this is today's Firefox through a gateway: it orders requests otherwise, opens connections ahead of demand, and requests are appended to active connections, which Fennec never did (bug 447866)";

/** @param each - Loads of a profile in a scenario, in words. */
export function besidesTheMemo(ranked: RankedStudy, each: string): readonly SeedComparison[] {
  return [...ofTheDefault(ranked, each), ...ofTheBest(ranked, each)];
}

function ofTheDefault(ranked: RankedStudy, each: string): readonly SeedComparison[] {
  const { baseline, scenarios, baselineEfficiency, meanSpread, gain } = ranked.ranking;
  const lasts = timesWithWorse(ranked, baseline, 0);
  const best = bestOfEachOver(ranked, baseline);
  return [
    {
      what: `${baseline} is last`,
      seed: '48 of 56',
      ours: `${lasts} of ${scenarios}, ${each}`,
      why: 'the only configuration that is the same in both: two requests at once',
    },
    {
      what: `${baseline} is last but one`,
      seed: '5 of the other 8',
      ours: `${timesWithWorse(ranked, baseline, 1)} of the other ${scenarios - lasts}`,
    },
    {
      what: `mean efficiency of ${baseline} (arithmetic)`,
      seed: '.45',
      ours: shortFigure(baselineEfficiency),
      why: `${OWN_READING}; efficiency here is ideal time over load time`,
    },
    { what: 'best less worst of a scenario, arithmetic mean', seed: '.26', ours: shortFigure(meanSpread), why: AS_ABOVE },
    {
      what: `best of a scenario over ${baseline}`,
      seed: '58 %',
      ours:
        best === undefined || gain === undefined
          ? 'not measured'
          : `${percent(gain)} as the memo counts, mean difference over mean default; ${changeOf(best)} as geometric mean of the ratios`,
      why: `${AS_ABOVE}; the best is chosen after the fact, so some of it is luck`,
    },
  ];
}

function ofTheBest(ranked: RankedStudy, each: string): readonly SeedComparison[] {
  const { ranking, profiles } = ranked;
  const lead = leadInWords(ranked);
  const pick = profiles.find(({ id }) => id === pickOf(ranked));
  const allows = pick && allowsInWords(pick);
  return [
    {
      what: 'most firsts',
      seed: '{5,6} 9, {4,6} 8',
      ours: mostOf(ranking.profiles, 'firsts'),
      why: [
        DEPTH_DIFFERS,
        'the memo says of its own that "the individual efficiency metrics tend to be extremely close to each other"',
        ...(lead === undefined ? [] : [`here, with ${each}, the first is at most ${lead} ahead of the second in half of the scenarios`]),
      ].join('; '),
    },
    {
      what: 'most top-quartile places',
      seed: '{4,6} 30, {5,6} 27 of 224',
      ours: `${mostOf(ranking.profiles, 'topQuartile')} of ${ranking.slots}`,
      why: `${DEPTH_AS_ABOVE}; the memo counts 4 places of 18, here the quartile is rounded up to 5; ${TODAYS_BROWSER}`,
    },
    {
      what: 'connections that do best',
      seed: '3 to 5; 3 need very deep pipelines, 4 moderate ones',
      ours: `top-quartile places of a profile: ${placesInWords(ranked)}`,
      why: `${DEPTH_AS_ABOVE}, so what is deep there need not be deep here`,
    },
    {
      what: "the memo's own rule by places: of those level in places the cheapest",
      seed: '{4,6}',
      ours: pick?.id ?? 'none',
      why: allows === undefined ? DEPTH_AS_ABOVE : `${DEPTH_AS_ABOVE}: ${allows}`,
    },
  ];
}

/** `.45`, as the memo has them. */
const shortFigure = (value: number | undefined): string => value?.toFixed(2).replace(/^0/, '') ?? 'not measured';
