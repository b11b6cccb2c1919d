/** The ranking over pages and links as a table for the terminal. */
import type { ProfileRanks, ScenarioRanking } from '../compare/comparison.ts';
import { counted, formatEfficiency, percent } from '../text/figures.ts';
import { type TextColumn, textTable, wrapped } from '../text/text-table.ts';

interface RankingTableOptions extends RankingOptions {
  /** Columns of the terminal. Default: 100. Where it is too narrow, columns get shorter or are left out. */
  readonly width?: number;
}

/** Best places first, with what they amount to below. */
export function rankingTable(ranking: ScenarioRanking, { width = 100, ...words }: RankingTableOptions = {}): string {
  const layouts = layoutsOf(ranking, words).map((columns) => textTable(ranking.profiles, columns));
  const lines = layouts.find((layout) => layout.every((line) => line.length <= width)) ?? layouts.at(-1) ?? [];
  return [lines.join('\n'), wrapped(rankingSentence(ranking, words), width)].join('\n\n');
}

type Column = TextColumn<ProfileRanks>;

const profile: Column = { heading: 'profile', align: 'left', cell: ({ id }) => id };
const firsts: Column = { heading: 'firsts', align: 'right', cell: (ranks) => `${ranks.firsts}` };
const topQuartile: Column = { heading: 'top quartile', align: 'right', cell: (ranks) => `${ranks.topQuartile}` };
const lasts: Column = { heading: 'lasts', align: 'right', cell: (ranks) => `${ranks.lasts}` };
/** The mean of the medians that are ranked. Beside verdicts is the efficiency itself, which is another mean. */
const meanEfficiency: Column = { heading: 'mean efficiency', align: 'right', cell: (ranks) => formatEfficiency(ranks.meanEfficiency) };
/** Only where a profile has no figure on some page and link. */
const ranked = ({ scenarios }: ScenarioRanking): Column => ({
  heading: 'ranked',
  align: 'right',
  cell: (ranks) => `${ranks.ranked} of ${scenarios}`,
});

const layoutsOf = (ranking: ScenarioRanking, { verdicts = true }: RankingOptions): readonly (readonly Column[])[] => [
  [
    profile,
    firsts,
    topQuartile,
    lasts,
    ...(verdicts ? [] : [meanEfficiency]),
    ...(ranking.profiles.some((ranks) => ranks.ranked < ranking.scenarios) ? [ranked(ranking)] : []),
  ],
  [profile, firsts, topQuartile, lasts],
  [profile, { ...firsts, heading: '1st' }, { ...topQuartile, heading: 'top' }, { ...lasts, heading: 'last' }],
];

interface RankingOptions {
  /** Whether verdicts stand beside the ranking. Default: true. */
  readonly verdicts?: boolean;
}

/** The scenarios that were ranked, and how far best and worst are apart, in the terminal and in the HTML report. */
export function rankingSentence(ranking: ScenarioRanking, { verdicts = true }: RankingOptions = {}): string {
  const { scenarios, slots } = ranking;
  const what = `Places by median efficiency in ${counted(scenarios, 'scenario')} (one page over one link), with ${counted(slots, 'top-quartile slot')} in all.`;
  return [what, spreadSentence(ranking, verdicts), verdicts ? 'Places describe; only the verdicts recommend.' : '']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Beside verdicts is the baseline's efficiency itself, which is another mean than that of the medians. */
function spreadSentence({ meanSpread, gain, baseline, baselineEfficiency }: ScenarioRanking, verdicts: boolean): string {
  if (meanSpread === undefined) return '';
  const spread = `Best and worst are ${percent(meanSpread).replace(' %', '')} percentage points apart on average`;
  if (gain === undefined || baselineEfficiency === undefined) return `${spread}.`;
  const mean = verdicts ? '' : ` (${baselineEfficiency.toFixed(3)})`;
  return `${spread}; the best of each, chosen after the fact, gains ${percent(gain)} over ${baseline}${mean}.`;
}
