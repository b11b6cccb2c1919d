/** A report as somebody looks at it who did not make it: few texts, each of bounded length, none that could change a page's order of reading. */
import type { Answer } from '../answer/answer.ts';
import { comparisonOf } from '../compare/by-protocol.ts';
import type { Comparison, ProfileComparison } from '../compare/comparison.ts';
import { formatLoads, formatRange, formatSeconds, isBounded, signedPercent, UNKNOWN } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';
import { shortened } from '../text/markup.ts';
import { printable } from '../text/text-table.ts';
import { provenanceNotes } from './lab-deviations.ts';
import type { Report } from './report.ts';
import { bestFirst, recommendationLines, soundnessNotes, verdictLabel } from './shown-comparison.ts';

/** Characters of one text, and texts of one list. Chosen: more than any report of ours has. */
const MAX_CHARACTERS = 600;
const MAX_NAME = 120;
const MAX_ITEMS = 100;

export interface ReportRow {
  readonly profile: string;
  readonly loads: string;
  readonly time: string;
  readonly change: string;
  readonly verdict: string;
}

interface ReportGroup {
  /** The protocol, where there are several. */
  readonly heading?: string;
  readonly rows: readonly ReportRow[];
}

export interface ReportSummary {
  /** The answer. */
  readonly lines: readonly string[];
  /** The same as data, where the report is of everyday loads. */
  readonly answer?: Answer;
  readonly facts: readonly { readonly term: 'made' | 'firefox' | 'loads' | 'links'; readonly value: string }[];
  readonly groups: readonly ReportGroup[];
  readonly notes: readonly string[];
}

/** The summary: names and notes beyond the bounds are cut, and rows beyond them left out. */
export function reportSummary(report: Report): ReportSummary {
  const { comparison, answer, links, provenance, createdAt, loads } = report;
  const groups: readonly ReportGroup[] = comparison.protocols?.map((own) => ({
    heading: PROTOCOL_LABELS[own.protocol],
    rows: rowsOf(comparisonOf(comparison, own)),
  })) ?? [{ rows: rowsOf(comparison) }];
  return {
    lines: (answer === undefined ? recommendationLines(comparison) : [answer.sentence]).map((line) => bounded(line)),
    ...(answer && { answer: answer.finding }),
    facts: [
      { term: 'made', value: bounded(`${createdAt}, Plumbfox ${provenance.plumbfox}`, MAX_NAME) },
      { term: 'firefox', value: bounded(`${provenance.firefox?.version ?? UNKNOWN}, ${provenance.os}`, MAX_NAME) },
      { term: 'loads', value: String(loads.length) },
      { term: 'links', value: bounded(linkNames(links) || UNKNOWN) },
    ],
    groups,
    notes: [...soundnessNotes(comparison), ...provenanceNotes(provenance)].slice(0, MAX_ITEMS).map((note) => bounded(note)),
  };
}

const linkNames = (links: Report['links']): string =>
  links
    .slice(0, MAX_ITEMS)
    .map(({ name, basis }) => `${bounded(name, MAX_NAME)} (${basis})`)
    .join(', ');

const bounded = (text: string, max = MAX_CHARACTERS): string => shortened(printable(text.slice(0, 10 * max)), max);

const rowsOf = (comparison: Comparison): readonly ReportRow[] =>
  bestFirst(comparison)
    .slice(0, MAX_ITEMS)
    .map((profile) => ({
      profile: bounded(profile.id, MAX_NAME),
      loads: formatLoads(profile),
      time: formatSeconds(profile.loadTimeMs.median),
      change: changeOf(profile),
      verdict: verdictLabel(profile),
    }));

/** The change of efficiency, with its interval. */
export function changeOf({ versusBaseline: { verdict, ratio, low, high } }: ProfileComparison): string {
  if (verdict === 'baseline' || ratio === undefined) return UNKNOWN;
  const interval = low === undefined || high === undefined || !isBounded(low, high) ? 'no interval yet' : formatRange(low, high);
  return `${signedPercent(ratio - 1)} (${interval})`;
}
