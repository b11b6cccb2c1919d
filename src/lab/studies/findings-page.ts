/** The findings of a study as a page of `docs/results`. */
import { printable } from '../../core/text/text-table.ts';
import { type ComparisonWithOriginal, type StudyFindings, type StudyPicture, type StudyTable, tableOf, textColumn } from './findings.ts';
import { BESIDE_ORIGINAL, NO_ANSWER, originalText, RECOMMENDED } from './findings-text.ts';
import type { Study } from './study.ts';

export interface FindingsMarkdownOptions {
  readonly study: Pick<Study, 'id' | 'question' | 'source'>;
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
  const { answer, recommendation, comparisonWithOriginal, pictures, tables } = findings;
  const [picture, ...otherPictures] = pictures;
  const blocks = [
    `# ${inline(study.id)}`,
    inline(study.question),
    `Prompted by: ${inline(study.source)}.`,
    '## Answer',
    bullets(answer.length === 0 ? [NO_ANSWER] : answer),
    ...(recommendation === undefined ? [] : [recommendationMarkdown(recommendation)]),
    ...(comparisonWithOriginal.length === 0 ? [] : [`## ${BESIDE_ORIGINAL}`, tableMarkdown(comparisonTable(comparisonWithOriginal))]),
    ...(picture === undefined ? [] : [`!${pictureLink(picture, options)}`]),
    ...[...tables, ...moreTables].flatMap((table) => [`## ${inline(table.title)}`, tableMarkdown(table)]),
    ...(command === undefined && facts.length === 0 ? [] : ['## How it was made']),
    ...(command === undefined ? [] : [indented(command)]),
    ...(facts.length === 0 ? [] : [bullets(facts)]),
    ...(otherPictures.length === 0 ? [] : ['## More pictures', otherPictures.map((each) => `- ${pictureLink(each, options)}`).join('\n')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A section of its own, which is replaced where a report is compared again. */
export const recommendationMarkdown = (lines: readonly string[]): string => `## ${RECOMMENDED}\n\n${bullets(lines)}`;

const comparisonTable = (figures: readonly ComparisonWithOriginal[]): StudyTable =>
  tableOf('', figures, [
    textColumn('what', ({ what }) => what),
    textColumn('original', originalText),
    textColumn('here', ({ ours }) => ours),
    textColumn('why they differ', ({ why = '' }) => why),
  ]);

/** With its title, so that who cannot see it knows what it shows. */
const pictureLink = ({ name, title }: StudyPicture, { pictures: folder }: FindingsMarkdownOptions): string =>
  `[${inline(title)}](${folder === undefined ? '' : `${folder}/`}${encodeURIComponent(name)}.svg)`;

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

/** Indented, which is code that no text can get out of. */
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${printable(line)}`)
    .join('\n');

/** On one line, with nothing in it that Markdown or HTML would take for its own. */
const inline = (text: string): string => printable(text.replaceAll('\n', ' ')).replace(/[\\`*_|<>[\]]/g, (mark) => `\\${mark}`);
