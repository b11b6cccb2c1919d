/** A ranking in sentences, the same in the terminal and in the HTML report. */

import type { ScenarioRanking } from '../compare/comparison.ts';
import { counted, percent } from '../text/figures.ts';

export interface RankingWordsOptions {
  /** Whether verdicts stand beside the ranking; true unless said. */
  readonly verdicts?: boolean;
}

/** What was ranked, and how far best and worst are apart. Places recommend nothing. */
export function rankingWords(ranking: ScenarioRanking, { verdicts = true }: RankingWordsOptions = {}): string {
  const { scenarios, slots } = ranking;
  const what = `Places by median efficiency in ${counted(scenarios, 'scenario')} (one page over one link), with ${counted(slots, 'top-quartile slot')} in all.`;
  return [what, spreadSentence(ranking, verdicts), verdicts ? 'Places describe; only the verdicts recommend.' : '']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Beside verdicts stands the baseline's efficiency itself, which is another mean than that of the medians. */
function spreadSentence({ meanSpread, gain, baseline, baselineEfficiency }: ScenarioRanking, verdicts: boolean): string {
  if (meanSpread === undefined) return '';
  const spread = `Best and worst are ${meanSpread.toFixed(2)} apart on average`;
  if (gain === undefined || baselineEfficiency === undefined) return `${spread}.`;
  const mean = verdicts ? '' : ` (${baselineEfficiency.toFixed(3)})`;
  return `${spread}; the best of each, chosen after the fact, gains ${percent(gain)} over ${baseline}${mean}.`;
}
