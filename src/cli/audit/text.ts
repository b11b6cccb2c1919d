/** An audit as text for the terminal: the answer first, then every line below the heading of its group. */
import type { Audit } from '../../core/audit/audit.ts';
import { type AuditedLine, LINE_GROUPS, type LineGroup } from '../../core/audit/finding.ts';
import { auditSentences } from '../../core/audit/format-audit.ts';
import { GROUP_HEADINGS, linePlace, lineSentences, valueLabel } from '../../core/audit/format-finding.ts';
import { counted } from '../../core/text/figures.ts';
import { printable, wrapped } from '../../core/text/text-table.ts';

/** Lines of a group that are printed; `--json` has them all. */
const MAX_SHOWN = 60;
const INDENT = '    ';

/** @param options.width - Columns of the terminal. */
export function auditText(audit: Audit, { width }: { readonly width: number }): string {
  const paragraphs = [
    auditSentences(audit).map((sentence) => wrapped(sentence, width)),
    ...LINE_GROUPS.flatMap((group) => {
      const lines = audit.lines.filter((line) => line.group === group);
      return lines.length === 0 ? [] : [groupText(group, lines, width)];
    }),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function groupText(group: LineGroup, lines: readonly AuditedLine[], width: number): readonly string[] {
  const shown = lines.slice(0, group === 'marker' ? 0 : MAX_SHOWN);
  const rest = lines.length - shown.length;
  const what = group === 'marker' ? ': the list reports by them how far Firefox read it; they are no preferences and are not judged' : '';
  return [
    `${GROUP_HEADINGS[group]} (${lines.length})${what}`,
    ...shown.flatMap((line) => lineText(line, width)),
    ...(rest > 0 && shown.length > 0 ? [`  and ${counted(rest, 'line')} more: --json has them all`] : []),
  ].map((text) => text.trimEnd());
}

function lineText(line: AuditedLine, width: number): readonly string[] {
  const sentences = wrapped(lineSentences(line), Math.max(20, width - INDENT.length));
  return [
    printable(`  ${linePlace(line)}: ${line.name} = ${valueLabel(line.value)}`),
    ...sentences.split('\n').map((text) => `${INDENT}${text}`),
  ];
}
