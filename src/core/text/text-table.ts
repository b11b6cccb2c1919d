/** Tables and sentences for the terminal, as plain text. */

/** `cell` gives plain text; its width is counted in characters. */
export interface TextColumn<Row> {
  readonly heading: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
}

const GAP = '  ';

/** Heading, rule and one line per row, without blanks at the ends. */
export function textTable<Row>(rows: readonly Row[], columns: readonly TextColumn<Row>[]): readonly string[] {
  const headings = columns.map(({ heading }) => printable(heading));
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const widths = headings.map((heading, at) => Math.max(heading.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => (columns[at]?.align === 'right' ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd();
  return [line(headings), widths.map((width) => '─'.repeat(width)).join(GAP), ...cells.map(line)];
}

/** Lines break between words, but not between a number and its unit. */
const BREAKS = /(?<!\d) | (?!(?:%|m?s|[kM]?B|[kM]bit\/s)(?!\w))/;

/** A sentence in lines of at most `width`, unless a word is longer; a number keeps its unit. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of printable(text).split(BREAKS)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Names from outside must not control the terminal: a question mark stands for what would. */
export const printable = (text: string): string => text.replace(CONTROLS, '?');

/** Control characters of ASCII and Latin-1 (C1 too: a terminal obeys U+009B), and what turns the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** JSON itself escapes those below U+0020; line ends stand between its members. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** A text of JSON that means the same and controls no terminal. */
export const printableJson = (json: string): string =>
  json.replace(CONTROLS_IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
