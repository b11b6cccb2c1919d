/** An audit as Markdown, for threads: a table for each group. Nothing of a list is ever markup in it. */
import { counted } from '../text/figures.ts';
import { printable } from '../text/text-table.ts';
import type { Audit } from './audit.ts';
import { type AuditedLine, LINE_GROUPS, type LineGroup } from './finding.ts';
import { auditSentences } from './format-audit.ts';
import { GROUP_HEADINGS, lineSentences, valueLabel } from './format-finding.ts';

/** Rows of a group; a thread takes no more. */
const MAX_ROWS = 60;

/** The whole text, ended by LF. */
export function auditMarkdown(audit: Audit): string {
  const [head = '', ...sentences] = auditSentences(audit).map(plain);
  return [`**${head}**`, ...sentences, ...LINE_GROUPS.flatMap((group) => groupTable(group, audit.lines))].join('\n\n').concat('\n');
}

function groupTable(group: LineGroup, all: readonly AuditedLine[]): readonly string[] {
  const lines = all.filter((line) => line.group === group);
  if (lines.length === 0) return [];
  const heading = `### ${GROUP_HEADINGS[group]} (${lines.length})`;
  if (group === 'marker') return [heading];
  const rows = lines
    .slice(0, MAX_ROWS)
    .map((line) => `| ${line.line} | ${code(`${line.name} = ${valueLabel(line.value)}`)} | ${plain(lineSentences(line))} |`);
  const rest = lines.length - rows.length;
  return [
    heading,
    ['| line | preference | what it does |', '| --: | --- | --- |', ...rows].join('\n'),
    ...(rest > 0 ? [`and ${counted(rest, 'line')} more`] : []),
  ];
}

/** Text in which nothing is markup: CommonMark lets a backslash stand before any ASCII punctuation. */
const plain = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>#|~&@]/g, '\\$&');

/** A code span; its fence is longer than any run of backticks in it, and a table's bar must be escaped even there. */
function code(text: string): string {
  const shown = printable(text).replaceAll('|', '\\|');
  const fence = '`'.repeat(1 + Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length)));
  return fence.length === 1 ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}
