/** Findings made anew from a published report, put into the page that was made from the whole log. */
import { recommendationMarkdown } from '../studies/render-findings-markdown.ts';
import { RECOMMENDED } from '../studies/render-findings-text.ts';

/** Sections that follow from the log of the run alone. */
const OF_THE_LOG = ['Void tries', 'Checks of the links', 'How it was made', 'Pictures of single loads'];

/**
 * The page with the findings made anew, and what follows from the log as it was. `undefined`: what was published rests on more than a
 * report holds (times of single requests, packets), so that the page has to stay as it is.
 *
 * @param published - Page of `docs/results`, as `findingsMarkdown` wrote it.
 * @param made - The same from the report alone.
 */
export function mergeFindings(published: string, made: string): string | undefined {
  const [old, fresh] = [sectionsOf(withoutRecommendation(published)), sectionsOf(made).filter((section) => !isOfLog(section))];
  const own = old.filter((section) => !isOfLog(section));
  if (own.length !== fresh.length || own.some((section, at) => losesCells(section, fresh[at] ?? ''))) return undefined;
  return `${[...fresh, ...old.filter(isOfLog)].join('\n\n')}\n`;
}

const sectionsOf = (page: string): readonly string[] => page.split(/^(?=## )/m).map((section) => section.trim());

const isOfLog = (section: string): boolean => OF_THE_LOG.some((title) => section.startsWith(`## ${title}`));

const rowsOf = (section: string): readonly string[] => section.split('\n').filter((line) => line.startsWith('| '));

const cellsOf = (row: string): readonly string[] => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));

/** A dash where a figure was. */
function losesCells(section: string, fresh: string): boolean {
  const [old, made] = [rowsOf(section).map(cellsOf), rowsOf(fresh).map(cellsOf)];
  if (old.length !== made.length) return true;
  return old.some((cells, row) => cells.some((cell, at) => cell !== made[row]?.[at] && ['–', undefined].includes(made[row]?.[at])));
}

const isRecommendation = (section: string): boolean => section.startsWith(`## ${RECOMMENDED}`);

const withoutRecommendation = (page: string): string =>
  `${sectionsOf(page)
    .filter((section) => !isRecommendation(section))
    .join('\n\n')}\n`;

/** The page with what its report recommends below its answer, in place of what was recommended before. */
export function withRecommendation(page: string, lines: readonly string[]): string {
  const sections = sectionsOf(withoutRecommendation(page)).flatMap((section) =>
    section.startsWith('## Answer') ? [section, recommendationMarkdown(lines)] : [section],
  );
  return `${sections.join('\n\n')}\n`;
}
