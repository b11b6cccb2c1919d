/** Writes the findings of a study: for the terminal, and as a page of `docs/results`. */
import { printable, type TextColumn, textTable, wrapped } from '../../core/text/text-table.ts';
import { type ComparisonWithOriginal, type StudyFindings, type StudyPicture, type StudyTable, tableOf, textColumn } from './findings.ts';
import type { Study } from './study.ts';

interface FindingsTextOptions {
  /** Columns of the terminal. A wider table goes on below, with the columns that distinguish its rows repeated. */
  readonly width: number;
  /** Headings in bold, as ANSI escape codes. */
  readonly colour: boolean;
}

/** Where a study has none to give. */
export const NO_ANSWER = 'Too little was measured for an answer.';

/** Heading of what the report recommends. */
export const RECOMMENDED = 'What plumbfox recommends from these loads, all pages and links together';

/** Heading of the figures of the original study and ours. */
const BESIDE_ORIGINAL = 'Beside the original';

/** Every line ends without blanks; the text ends with a line break. Pictures are files: they are not named here. */
export function findingsText(
  { tables, answer, comparisonWithOriginal, recommendation = [] }: StudyFindings,
  { width, colour }: FindingsTextOptions,
): string {
  const heading = (text: string) => linesOf(text, width).map((line) => (colour ? bold(line) : line));
  const blocks = [
    ...tables.map((table) => [...heading(table.title), ...tableLines(table, width)]),
    answer.length === 0 ? linesOf(NO_ANSWER, width) : [...heading('Answer'), ...answer.flatMap((sentence) => linesOf(sentence, width))],
    ...(recommendation.length === 0 ? [] : [[...heading(RECOMMENDED), ...recommendation.flatMap((line) => linesOf(line, width))]]),
    ...(comparisonWithOriginal.length === 0
      ? []
      : [[...heading(BESIDE_ORIGINAL), ...comparisonWithOriginal.flatMap((each) => linesOf(comparisonSentence(each), width))]]),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const linesOf = (text: string, width: number): readonly string[] => wrapped(text, width).split('\n');

const ESCAPE = '\u001b';
/** SGR 1 of ECMA-48. */
const bold = (text: string): string => `${ESCAPE}[1m${text}${ESCAPE}[0m`;

type Row = readonly string[];

/**
 * Splits the table into parts that fit, each with the columns that distinguish the rows; a part has one other column at least, however narrow the
 * terminal.
 */
function tableLines({ columns, rows }: StudyTable, width: number): readonly string[] {
  const all = columns.map(({ name, align }, at): TextColumn<Row> => ({ heading: name, align, cell: (row) => row[at] ?? '' }));
  const lines = (chosen: ReadonlySet<TextColumn<Row>>) =>
    textTable(
      rows,
      all.filter((column) => chosen.has(column)),
    );
  const keys = keyColumns(all, rows, width);
  const parts: Set<TextColumn<Row>>[] = [new Set(keys)];
  for (const column of all.filter((each) => !keys.includes(each))) {
    const part = parts.at(-1) ?? new Set();
    const wider = new Set([...part, column]);
    const fits = lines(wider).every((line) => line.length <= width);
    if (fits || part.size === keys.length) part.add(column);
    else parts.push(new Set([...keys, column]));
  }
  return parts.flatMap((part, at) => [...(at === 0 ? [] : ['']), ...lines(part)]);
}

/** The first column, and from the left each further one by which more rows differ, while they take half of the width at most. */
function keyColumns(all: readonly TextColumn<Row>[], rows: readonly Row[], width: number): readonly TextColumn<Row>[] {
  const distinct = (columns: readonly TextColumn<Row>[]) =>
    new Set(rows.map((row) => JSON.stringify(columns.map(({ cell }) => cell(row))))).size;
  const keys = all.slice(0, 1);
  for (const column of all.slice(1)) {
    const more = [...keys, column];
    if (distinct(more) > distinct(keys) && textTable(rows, more).every((line) => line.length <= width / 2)) keys.push(column);
  }
  return keys;
}

/** `48 of 56`, `48 of 56 (section 3)`. */
const originalText = ({ original, where }: ComparisonWithOriginal): string => (where === undefined ? original : `${original} (${where})`);

function comparisonSentence(figure: ComparisonWithOriginal): string {
  const { what, ours, why } = figure;
  return `${what}: there ${originalText(figure)}; here ${ours}${why === undefined ? '' : `. Why: ${why}`}.`;
}

interface FindingsMarkdownOptions {
  readonly study: Pick<Study, 'id' | 'question' | 'source'>;
  readonly command?: string;
  /** What they rest on, a line each: versions, numbers of loads, the machine. */
  readonly facts?: readonly string[];
  /** Besides those of the findings, below them: the checks of the links. */
  readonly moreTables?: readonly StudyTable[];
  /** Folder of the pictures as seen from the page, without a slash at its end; beside the page unless given. */
  readonly pictures?: string;
}

/** The findings as a page of `docs/results`: the answer first, then what it is made of. Ends with a line break. */
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

/** A separate section, which is replaced where a report is compared again. */
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
function tableMarkdown({ columns, rows }: StudyTable): string {
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
