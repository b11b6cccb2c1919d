/** The ranking over pages and links as a section of the HTML report. */
import type { ScenarioRanking } from '../compare/comparison.ts';
import { html, type Markup, tableSection } from '../text/markup.ts';
import { rankingWords } from './ranking-words.ts';

/** Nothing while no page and link has two profiles to rank. */
export function rankingSection(ranking: ScenarioRanking): Markup | undefined {
  const { scenarios, profiles } = ranking;
  if (scenarios === 0) return undefined;
  const incomplete = profiles.some(({ ranked }) => ranked < scenarios);
  return tableSection({
    name: 'Places on each page and link',
    caption: rankingWords(ranking),
    headings: ['Profile', 'Firsts', 'Top quartile', 'Lasts', ...(incomplete ? ['Ranked in'] : [])],
    rows: profiles.map(({ id, ranked, firsts, topQuartile, lasts }) => {
      const places = html`<td>${firsts}</td><td>${topQuartile}</td><td>${lasts}</td>`;
      const where = incomplete ? html`<td>${ranked} of ${scenarios}</td>` : undefined;
      return html`<tr><th scope="row">${id}</th>${places}${where}</tr>`;
    }),
  });
}
