/** The memo's figures beside ours, and why they differ (P. McManus, 31 July 2008; figures of its section on parallelism). */
import { percent } from '../../core/compare/plain-words.ts';
import { averageGain, meanOf, type RankedStudy, timesWithWorse } from './fennec-2008-scenarios.ts';
import type { SeedComparison } from './study-findings.ts';

const OWN_READING = "the memo's pages, networks and formula are not public: ours are our own reading";
const AS_ABOVE = 'pages, networks and formula are our own, as above';
const TODAYS_BROWSER =
  "this is today's Firefox through a gateway: it orders requests otherwise, opens connections ahead of demand, and requests are appended to active connections, which Fennec never did (bug 447866)";

export function besidesTheMemo(ranked: RankedStudy): readonly SeedComparison[] {
  return [...ofTheDefault(ranked), ...ofTheBest(ranked)];
}

function ofTheDefault(ranked: RankedStudy): readonly SeedComparison[] {
  const { baseline, scenarios, baselineEfficiency, meanSpread, gain } = ranked.ranking;
  const lasts = timesWithWorse(ranked, baseline, 0);
  const gained = averageGain(ranked, baseline);
  return [
    {
      what: `${baseline} is last`,
      seed: '48 of 56',
      ours: `${lasts} of ${scenarios}`,
      why: 'one connection with two requests is the least of the 18 by any measure; where the line is full anyway, others can be as slow',
    },
    {
      what: `${baseline} is last but one`,
      seed: '5 of the other 8',
      ours: `${timesWithWorse(ranked, baseline, 1)} of the other ${scenarios - lasts}`,
    },
    {
      what: `mean efficiency of ${baseline}`,
      seed: '.45',
      ours: shortFigure(baselineEfficiency),
      why: `${OWN_READING}; efficiency here is ideal time over load time`,
    },
    { what: 'best less worst of a scenario, mean', seed: '.26', ours: shortFigure(meanSpread), why: AS_ABOVE },
    {
      what: `best of a scenario over ${baseline}`,
      seed: '58 %',
      ours:
        gained === undefined || gain === undefined
          ? 'not measured'
          : `${percent(gained)} averaged over scenarios; ${percent(gain)} as the memo counts, mean difference over mean default`,
      why: `${AS_ABOVE}; the best is chosen after the fact, so some of it is luck`,
    },
  ];
}

function ofTheBest({ ranking, profiles }: RankedStudy): readonly SeedComparison[] {
  const byFirsts = [...ranking.profiles].sort((a, b) => b.firsts - a.firsts).slice(0, NAMED);
  const byQuartile = ranking.profiles.slice(0, NAMED);
  const places = meanOf(
    profiles.filter(({ connections = 0 }) => connections >= 3 && connections <= 5).map(({ id }) => topQuartileOf(ranking, id)),
  );
  const others = meanOf(
    profiles.filter(({ connections = 0 }) => connections < 3 || connections > 5).map(({ id }) => topQuartileOf(ranking, id)),
  );
  return [
    {
      what: 'most firsts',
      seed: '{5,6} 9, {4,6} 8',
      ours: byFirsts.map(({ id, firsts }) => `${id} ${firsts}`).join(', '),
      why: 'neighbours differ by less than a load varies, so firsts fall by chance among them, as the memo says of its own',
    },
    {
      what: 'most top-quartile places',
      seed: '{4,6} 30, {5,6} 27 of 224',
      ours: `${byQuartile.map(({ id, topQuartile }) => `${id} ${topQuartile}`).join(', ')} of ${ranking.slots}`,
      why: `the memo counts 4 places of 18, here the quartile is rounded up to 5; ${TODAYS_BROWSER}`,
    },
    {
      what: 'connections that do best',
      seed: '3 to 5',
      ours:
        places === undefined || others === undefined
          ? 'not measured'
          : `a profile with 3 to 5 has ${places.toFixed(1)} top-quartile places on average, the others ${others.toFixed(1)}`,
    },
    {
      what: 'pick, of those level in places the cheapest',
      seed: '{4,6}',
      ours: ranking.pick.state === 'picked' ? ranking.pick.profileId : 'none',
      why: 'as for the places',
    },
  ];
}

const NAMED = 3;

const topQuartileOf = ({ profiles }: RankedStudy['ranking'], profileId: string) => profiles.find(({ id }) => id === profileId)?.topQuartile;

/** `.45`, as the memo has them. */
const shortFigure = (value: number | undefined): string => value?.toFixed(2).replace(/^0/, '') ?? 'not measured';
