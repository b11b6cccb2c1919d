/** An audit as Markdown, for threads: a table for each group. Nothing of a list is ever markup in it. */
import { counted } from '../text/figures.ts';
import { codeMarkdown, plainMarkdown } from '../text/markdown.ts';
import type { Audit } from './audit.ts';
import { type AuditedLine, LINE_GROUPS, type LineGroup } from './finding.ts';
import { auditSentences } from './format-audit.ts';
import { GROUP_HEADINGS, linePlace, lineSentences, valueLabel } from './format-finding.ts';

/** Rows of a group; a thread takes no more. */
const MAX_ROWS = 60;

/** The whole text, ended by LF. */
export function auditMarkdown(audit: Audit): string {
  const [head = '', ...sentences] = auditSentences(audit).map(plainMarkdown);
  return [`**${head}**`, ...sentences, ...LINE_GROUPS.flatMap((group) => groupTable(group, audit.lines))].join('\n\n').concat('\n');
}

function groupTable(group: LineGroup, all: readonly AuditedLine[]): readonly string[] {
  const lines = all.filter((line) => line.group === group);
  if (lines.length === 0) return [];
  const heading = `### ${GROUP_HEADINGS[group]} (${lines.length})`;
  if (group === 'marker') return [heading];
  const rows = lines
    .slice(0, MAX_ROWS)
    .map(
      (line) =>
        `| ${plainMarkdown(linePlace(line))} | ${codeMarkdown(`${line.name} = ${valueLabel(line.value)}`)} | ${plainMarkdown(lineSentences(line))} |`,
    );
  const rest = lines.length - rows.length;
  return [
    heading,
    ['| line | preference | what it does |', '| --: | --- | --- |', ...rows].join('\n'),
    ...(rest > 0 ? [`and ${counted(rest, 'line')} more`] : []),
  ];
}
