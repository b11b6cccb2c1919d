/** The findings of a study for the terminal. */
import { type TextColumn, textTable, wrapped } from '../../core/report/text-table.ts';
import type { SeedComparison, StudyFindings, StudyTable } from './study-findings.ts';

export interface FindingsTextOptions {
  /** Columns of the terminal. A table that is wider goes on below, its first column repeated. */
  readonly width: number;
  /** Headings in bold, as ANSI escape codes. */
  readonly colour: boolean;
}

export const NO_ANSWER = 'Too little was measured for an answer.';

/** Every line ends without blanks; the text ends with a line break. Pictures are files: they are not named here. */
export function findingsText({ tables, answer, besides }: StudyFindings, { width, colour }: FindingsTextOptions): string {
  const heading = (text: string) => linesOf(text, width).map((line) => (colour ? bold(line) : line));
  const blocks = [
    ...tables.map((table) => [...heading(table.title), ...tableLines(table, width)]),
    answer.length === 0 ? linesOf(NO_ANSWER, width) : [...heading('Answer'), ...answer.flatMap((sentence) => linesOf(sentence, width))],
    ...(besides.length === 0
      ? []
      : [[...heading('Beside the original'), ...besides.flatMap((each) => linesOf(besideSentence(each), width))]]),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const linesOf = (text: string, width: number): readonly string[] => wrapped(text, width).split('\n');

const ESCAPE = '\u001b';
/** SGR 1 of ECMA-48. */
const bold = (text: string): string => `${ESCAPE}[1m${text}${ESCAPE}[0m`;

type Row = readonly string[];

/** In parts that fit, each with the first column; a part has one other column at least, however narrow the terminal. */
function tableLines({ columns, rows }: StudyTable, width: number): readonly string[] {
  const [first, ...others] = columns.map(
    ({ name, align }, at): TextColumn<Row> => ({ heading: name, align, cell: (row) => row[at] ?? '' }),
  );
  if (first === undefined) return [];
  const parts: TextColumn<Row>[][] = [[]];
  for (const column of others) {
    const part = parts.at(-1) ?? [];
    const fits = textTable(rows, [first, ...part, column]).every((line) => line.length <= width);
    if (fits || part.length === 0) part.push(column);
    else parts.push([column]);
  }
  return parts.flatMap((part, at) => [...(at === 0 ? [] : ['']), ...textTable(rows, [first, ...part])]);
}

function besideSentence({ what, seed, ours, why }: SeedComparison): string {
  return `${what}: there ${seed}; here ${ours}${why === undefined ? '' : `. Why: ${why}`}.`;
}
