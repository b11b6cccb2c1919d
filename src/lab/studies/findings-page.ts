/** The findings of a study as a page of `docs/results`. */
import { printable } from '../../core/text/text-table.ts';
import type { StudyFindings, StudyPicture, StudyTable } from './findings.ts';
import { NO_ANSWER, RECOMMENDED } from './findings-text.ts';
import type { Study } from './study.ts';

export interface FindingsMarkdownOptions {
  readonly study: Pick<Study, 'id' | 'question' | 'source'>;
  /** The exact command that made them. */
  readonly command?: string;
  /** What they rest on, a line each: versions, numbers of loads, the machine. */
  readonly facts?: readonly string[];
  /** Besides those of the findings, below them: the checks of the links. */
  readonly moreTables?: readonly StudyTable[];
  /** Folder of the pictures as seen from the page, without a slash at its end; beside the page unless given. */
  readonly pictures?: string;
}

/** The answer first, then what it is made of. Ends with a line break. */
export function findingsMarkdown(findings: StudyFindings, options: FindingsMarkdownOptions): string {
  const { study, command, facts = [], moreTables = [] } = options;
  const blocks = [
    `# ${inline(study.id)}`,
    inline(study.question),
    `Prompted by: ${inline(study.source)}.`,
    '## Answer',
    bullets(findings.answer.length === 0 ? [NO_ANSWER] : findings.answer),
    ...(findings.recommendation === undefined ? [] : [recommendationMarkdown(findings.recommendation)]),
    ...(findings.comparisonWithOriginal.length === 0 ? [] : ['## Beside the original', tableMarkdown(comparisonTable(findings))]),
    ...shown(findings, options),
    ...[...findings.tables, ...moreTables].flatMap((table) => [`## ${inline(table.title)}`, tableMarkdown(table)]),
    ...(command === undefined && facts.length === 0 ? [] : ['## How it was made']),
    ...(command === undefined ? [] : [indented(command)]),
    ...(facts.length === 0 ? [] : [bullets(facts)]),
    ...aside(findings, options),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The section of what the report recommends. */
export const recommendationMarkdown = (lines: readonly string[]): string => `## ${RECOMMENDED}\n\n${bullets(lines)}`;

function comparisonTable({ comparisonWithOriginal }: StudyFindings): StudyTable {
  return {
    title: '',
    columns: ['what', 'original', 'here', 'why they differ'].map((name) => ({ name, align: 'left' as const })),
    rows: comparisonWithOriginal.map(({ what, original, ours, why = '' }) => [what, original, ours, why]),
  };
}

/** With its title, so that who cannot see it knows what it shows. */
const pictureLink = ({ name, title }: StudyPicture, { pictures: folder }: FindingsMarkdownOptions): string =>
  `[${inline(title)}](${folder === undefined ? '' : `${folder}/`}${encodeURIComponent(name)}.svg)`;

const shown = ({ pictures }: StudyFindings, options: FindingsMarkdownOptions): readonly string[] =>
  pictures.filter(({ aside }) => !aside).map((picture) => `!${pictureLink(picture, options)}`);

function aside({ pictures }: StudyFindings, options: FindingsMarkdownOptions): readonly string[] {
  const links = pictures.filter((picture) => picture.aside).map((picture) => `- ${pictureLink(picture, options)}`);
  return links.length === 0 ? [] : ['## Pictures of single loads', links.join('\n')];
}

/** GitHub Flavored Markdown, section 4.10. */
export function tableMarkdown({ columns, rows }: StudyTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inline).join(' | ')} |`;
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : '---'));
  return [
    line(columns.map(({ name }) => name)),
    `| ${rule.join(' | ')} |`,
    ...rows.map((row) => line(columns.map((_, at) => row[at] ?? ''))),
  ].join('\n');
}

const bullets = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${inline(sentence)}`).join('\n');

/** As code, which no text can get out of. */
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${printable(line)}`)
    .join('\n');

/** On one line, with nothing in it that Markdown or HTML would take for its own. */
const inline = (text: string): string => printable(text.replaceAll('\n', ' ')).replace(/[\\`*_|<>[\]]/g, (mark) => `\\${mark}`);
