/** Markdown (CommonMark, with the tables of GitHub) in which nothing from outside is ever markup. */
import { printable } from './text-table.ts';

/** What GitHub makes a link of though nothing marks it (GFM, 6.9). */
const AUTOLINK = /:(?=\/\/)|(?<=www)\./gi;

/** Text in which nothing is markup: CommonMark lets a backslash stand before any ASCII punctuation. */
export const plainMarkdown = (text: string): string =>
  printable(text)
    .trimStart()
    .replace(/[\\`*_{}[\]<>#|~&@]/g, '\\$&')
    .replace(AUTOLINK, '\\$&')
    // At the beginning of a line it would make a list, a rule or a heading.
    .replace(/^(\d*)([-+=.)])/, '$1\\$2');

/** A code span; its fence is longer than any run of backticks in it, and a table's bar must be escaped even there. */
export function codeMarkdown(text: string): string {
  const shown = printable(text).replaceAll('|', '\\|');
  const fence = '`'.repeat(1 + Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length)));
  return fence.length === 1 ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

interface MarkdownTable {
  readonly headings: readonly string[];
  /** `right` for figures. */
  readonly align: readonly ('left' | 'right')[];
  /** Cells that are Markdown already. */
  readonly rows: readonly (readonly string[])[];
}

/** Without a line break at its end. */
export function markdownTable({ headings, align, rows }: MarkdownTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(align.map((side) => (side === 'right' ? '--:' : '---'))), ...rows.map(line)].join('\n');
}
