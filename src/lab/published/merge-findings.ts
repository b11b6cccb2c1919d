/** Findings made again from a published report, put into the page that was made from the whole log. */
import { conditionsSentences, type PublishedConditions } from '../../core/audit/published-conditions.ts';
import type { Report } from '../../core/report/report.ts';
import type { StudyFindings, StudyTable } from '../studies/findings.ts';
import type { Study, StudyLoad } from '../studies/study.ts';
import { RECOMMENDED, recommendationMarkdown } from '../studies/write-findings.ts';

/** A person's conclusions, and what follows only from the log of the run. */
const KEPT = ['Answer', 'Excluded tries', 'Checks of the links', 'How it was made', 'More pictures'];

/**
 * The page with its figures made again. Conclusions stay as they were written, and what follows from the log as it was. What rests on more than a
 * report holds (times of single requests, packets) stays as it was published, cell by cell.
 *
 * @param published - Page of `docs/results`, as `findingsMarkdown` wrote it.
 * @param made - The same, only from the report.
 */
export function mergeFindings(published: string, made: string): { readonly text: string; readonly isWhole: boolean } {
  const [old, fresh] = [sectionsOf(withoutAdded(published)), sectionsOf(made).filter((section) => !isKept(section))];
  const own = old.filter((section) => !isKept(section));
  const isWhole = own.length === fresh.length && !own.some((section, at) => losesCells(section, fresh[at] ?? ''));
  const anew = (section: string) => (isWhole ? fresh[own.indexOf(section)] : fresh.find((one) => isSameHeading(one, section)));
  const sections = old.map((section) => {
    const counterpart = isKept(section) ? undefined : anew(section);
    if (counterpart === undefined) return section;
    return isWhole ? counterpart : mergedSection(section, counterpart);
  });
  return { text: `${sections.join('\n\n')}\n`, isWhole };
}

const isSameHeading = (one: string, other: string): boolean => one.split('\n', 1)[0] === other.split('\n', 1)[0];

function mergedSection(published: string, made: string): string {
  const rows = rowsOf(made);
  if (rows.length !== rowsOf(published).length || rowKeys(made) !== rowKeys(published)) return published;
  let row = -1;
  return published
    .split('\n')
    .map((line) => {
      if (!isRow(line)) return line;
      row += 1;
      return mergedRow(line, rows[row] ?? line);
    })
    .join('\n');
}

/** What names the rows of a table, to the left of its figures: where these agree, rows are of the same things. */
function rowKeys(section: string): string {
  const rows = rowsOf(section).map(cellsOf);
  const firstFigure = (rows[1] ?? []).findIndex((rule) => rule.endsWith(':'));
  return rows.map((cells) => cells.slice(0, Math.max(1, firstFigure)).join(' | ')).join('\n');
}

function mergedRow(published: string, made: string): string {
  const [old, fresh] = [cellsOf(published), cellsOf(made)];
  // Where the verdict is lost, the row rests on what the report does not hold.
  if (old.length !== fresh.length || (fresh.includes(NO_VERDICT) && !old.includes(NO_VERDICT))) return published;
  return `| ${old.map((cell, at) => (isLost(fresh[at]) ? cell : fresh[at])).join(' | ')} |`;
}

const NO_VERDICT = 'no verdict';

/** The tables of a published page, cell by cell, as the study's findings had them. */
export function tablesOf(page: string): readonly StudyTable[] {
  const plain = (text: string) => text.replace(/\\([\\`*_|<>[\]])/g, '$1').trim();
  return sectionsOf(page).flatMap((section) => {
    const [heading = [], rule = [], ...rows] = rowsOf(section).map((row) => cellsOf(row).map(plain));
    const title = plain(section.split('\n', 1)[0]?.replace(/^## /, '') ?? '');
    const columns = heading.map((name, at) => ({ name, align: rule[at]?.endsWith(':') === true ? ('right' as const) : ('left' as const) }));
    return heading.length === 0 ? [] : [{ title, columns, rows }];
  });
}

const sectionsOf = (page: string): readonly string[] => page.split(/^(?=## )/m).map((section) => section.trim());

const isKept = (section: string): boolean => KEPT.some((title) => section.startsWith(`## ${title}`));

const rowsOf = (section: string): readonly string[] => section.split('\n').filter(isRow);

const isRow = (line: string): boolean => line.startsWith('| ');

const cellsOf = (row: string): readonly string[] => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));

/** What findings say of a figure that their loads do not hold. */
const UNKNOWN = /^–$|\bnot (?:measured|known)\b|\bexcluded$|\b0 of 0\b/;

const isLost = (cell: string | undefined): boolean => cell === undefined || UNKNOWN.test(cell);

/** Not known where a figure was. */
function losesCells(section: string, fresh: string): boolean {
  const [old, made] = [rowsOf(section).map(cellsOf), rowsOf(fresh).map(cellsOf)];
  if (old.length !== made.length) return true;
  return old.some((cells, row) => cells.some((cell, at) => cell !== made[row]?.[at] && isLost(made[row]?.[at])));
}

const CONDITIONS = 'When and with what it was measured';

const isAdded = (section: string): boolean => [RECOMMENDED, CONDITIONS].some((heading) => section.startsWith(`## ${heading}`));

const withoutAdded = (page: string): string =>
  `${sectionsOf(page)
    .filter((section) => !isAdded(section))
    .join('\n\n')}\n`;

/** The page with what its report recommends below its answer, and what it was made with, in place of what stood there before. */
export function withRecommendation(page: string, lines: readonly string[], made: PublishedConditions): string {
  const sections = sectionsOf(withoutAdded(page)).flatMap((section) =>
    section.startsWith('## Answer')
      ? [section, recommendationMarkdown(lines), `## ${CONDITIONS}\n\n${conditionsSentences(made)}`]
      : [section],
  );
  return `${sections.join('\n\n')}\n`;
}

/** The findings of a study in the loads of its published report; those about single requests or packets are missing. */
export function findingsOf(study: Study, { pages, links, profiles, loads }: Report): StudyFindings {
  const [measuredPages, measuredLinks] = [new Set(pages.map(({ name }) => name)), new Set(links.map(({ name }) => name))];
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  return study.findings({
    study,
    pages: study.pages.filter(({ name }) => measuredPages.has(name)),
    links: study.links.filter(({ name }) => measuredLinks.has(name)),
    loads: loads.flatMap((load): readonly StudyLoad[] => {
      const profile = byId.get(load.profileId);
      if (load.validity.state !== 'valid' || profile === undefined) return [];
      const { carrier, connections, depth, intended: preferences } = profile;
      return [{ ...load, lane: 0, lanes: 1, intended: { carrier, depth, preferences, ...(connections !== undefined && { connections }) } }];
    }),
  });
}
