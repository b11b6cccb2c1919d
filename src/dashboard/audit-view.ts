/** A pasted tweak list as the dashboard shows it: what each line does, by the catalogue. */
import { groupCounts } from '../core/audit/audit.ts';
import { auditList } from '../core/audit/audit-list.ts';
import { catalogueFacts } from '../core/audit/build-facts.ts';
import { type AuditedLine, LINE_GROUPS } from '../core/audit/finding.ts';
import { GROUP_HEADINGS, lineSentences, valueLabel } from '../core/audit/format-finding.ts';
import { type PreferenceList, parsePreferenceList } from '../core/audit/preference-list.ts';
import { PlumbfoxError } from '../core/errors.ts';
import type { DefaultPlatform } from '../core/profiles/knob.ts';
import { coreLanguage, fixedText, text } from '../views/text.ts';

interface AuditRow {
  readonly line: string;
  readonly preference: string;
  readonly sentence: string;
}

export interface AuditView {
  readonly status: string;
  /** Those of one kind together, with its heading. */
  readonly groups: readonly { readonly heading: string; readonly rows: readonly AuditRow[] }[];
}

/** @param pasted - Any text. */
export function auditView(pasted: string, running: { readonly major: number; readonly platform: DefaultPlatform }): AuditView {
  let list: PreferenceList;
  try {
    list = parsePreferenceList(binary(pasted));
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    return { status: text('audit.refused', { why: fixedText(error.message).replace(/\.$/, '') }), groups: [] };
  }
  const lines = auditList(list, { build: catalogueFacts(running) }).map(orNotKnown);
  const basis = text('audit.basis', { count: lines.length, version: String(running.major) });
  const { acts, default: own, dead } = groupCounts(lines);
  const counts = text('audit.counts', { acts, own, dead });
  const errors = list.errors.length === 0 ? '' : ` ${text('audit.errors', { count: list.errors.length })}`;
  return {
    status: `${basis} ${counts}${errors}`,
    groups: LINE_GROUPS.flatMap((group) => {
      const rows = lines
        .filter((line) => line.group === group)
        .map((line) => ({
          line: String(line.line),
          preference: `${line.name} = ${valueLabel(line.value)}`,
          sentence: lineSentences(line, coreLanguage),
        }));
      return rows.length === 0 ? [] : [{ heading: `${fixedText(GROUP_HEADINGS[group])} (${rows.length})`, rows }];
    }),
  };
}

/** Nothing is predicted here: what no study measured is not known. */
const orNotKnown = (line: AuditedLine): AuditedLine =>
  line.group !== 'acts' || line.findings.some(({ kind }) => kind === 'measured')
    ? line
    : { ...line, findings: [...line.findings, { kind: 'not-known' }] };

/** The text as UTF-8, one character per byte, as files are given. */
const binary = (pasted: string): string => Array.from(new TextEncoder().encode(pasted), (byte) => String.fromCharCode(byte)).join('');
