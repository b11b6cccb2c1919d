/** The ranking over pages and links as a section of the HTML report. */
import type { ScenarioRanking } from '../compare/rank-scenarios-result.ts';
import { UNKNOWN } from './figure-text.ts';
import { tableSection } from './html-table.ts';
import { html, type Markup } from './markup.ts';
import { rankingWords } from './ranking-words.ts';

/** Nothing while no page and link has two profiles to rank. */
export function rankingSection(ranking: ScenarioRanking): Markup | undefined {
  const { scenarios, profiles } = ranking;
  if (scenarios === 0) return undefined;
  return tableSection({
    name: 'Places on each page and link',
    caption: rankingWords(ranking),
    headings: ['Profile', 'Firsts', 'Top quartile', 'Lasts', 'Mean efficiency', 'Ranked on'],
    rows: profiles.map(
      ({
        id,
        ranked,
        firsts,
        topQuartile,
        lasts,
        meanEfficiency,
      }) => html`<tr><th scope="row">${id}</th><td>${firsts}</td><td>${topQuartile}</td>
<td>${lasts}</td><td>${meanEfficiency?.toFixed(3) ?? UNKNOWN}</td><td>${ranked} of ${scenarios}</td></tr>`,
    ),
  });
}
