/** A report as Markdown, for issues and threads: the answer, a row for each profile, and what a reader must know. */
import { comparisonOf } from '../compare/by-protocol.ts';
import type { Comparison, ProfileComparison } from '../compare/comparison.ts';
import { counted, formatLoads, formatSeconds, percent } from '../text/figures.ts';
import { PROTOCOL_LABELS } from '../text/labels.ts';
import { codeMarkdown, markdownTable, plainMarkdown } from '../text/markdown.ts';
import { provenanceNotes } from './lab-deviations.ts';
import type { Report } from './report.ts';
import { bestFirst, hasPaints, paintCell, recommendationLines, soundnessNotes, verdictLabel } from './shown-comparison.ts';
import { changeOf } from './shown-report.ts';

/** The whole text, ended by LF. Nothing of the report is markup in it. */
export function reportMarkdown(report: Report): string {
  const { comparison, answer, links, provenance } = report;
  const [head = '', ...others] = answer === undefined ? recommendationLines(comparison) : [answer.sentence];
  const tables = (comparison.protocols ?? []).flatMap((own) => [
    `### ${plainMarkdown(PROTOCOL_LABELS[own.protocol])}`,
    profileTable(comparisonOf(comparison, own)),
  ]);
  const notes = [...soundnessNotes(comparison), ...provenanceNotes(provenance)].map((note) => `- ${plainMarkdown(note)}`);
  return `${[
    `**${plainMarkdown(head)}**`,
    ...others.map(plainMarkdown),
    ...(tables.length > 0 ? tables : [profileTable(comparison)]),
    plainMarkdown(runSentences(report)),
    plainMarkdown(`Links: ${links.map(({ name, kind, basis }) => `${name} (${kind}, ${basis})`).join('; ') || 'none'}.`),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n')}\n`;
}

function profileTable(comparison: Comparison): string {
  const isPainted = hasPaints(comparison);
  return markdownTable({
    headings: [
      ...['profile', 'loads', 'load time', `faster or slower than ${plainMarkdown(comparison.baseline)}`, 'verdict'],
      ...(isPainted ? ['first paint'] : []),
    ],
    align: ['left', 'left', 'right', 'right', 'left', ...(isPainted ? (['left'] as const) : [])],
    rows: bestFirst(comparison).map((profile) => [
      codeMarkdown(profile.id),
      formatLoads(profile),
      formatSeconds(profile.loadTimeMs.median),
      changeCell(profile, comparison.baseline),
      plainMarkdown(verdictLabel(profile)),
      ...(isPainted ? [plainMarkdown(paintCell(profile))] : []),
    ]),
  });
}

const changeCell = (profile: ProfileComparison, baseline: string): string => {
  const { against } = profile.versusBaseline;
  return `${changeOf(profile)}${against === baseline ? '' : ` against ${plainMarkdown(against)}`}`;
};

/** What was measured, how sure its intervals are, in which Firefox, and when. */
export function runSentences({ provenance, pages, loads, createdAt, comparison }: Report): string {
  const { firefox, os, plumbfox, turns } = provenance;
  const { alpha, intervals } = comparison.method;
  const turn = turns === 'as-they-came' ? 'profiles as they came' : 'profiles in random order';
  return `${loads.length} loads of ${pages.length} pages, ${turn}; ${percent(1 - alpha)} intervals, all ${intervals} together. Firefox ${firefox?.version ?? 'unknown'} on ${os}, Plumbfox ${plumbfox}, ${createdAt.replace(/T(\d\d:\d\d).*Z$/, ' $1 UTC')}.${machineLoadSentence(provenance)}`;
}

/** Above one for each processor, something else wanted them too. */
function machineLoadSentence(provenance: Report['provenance']): string {
  const load = machineLoadText(provenance);
  return load === undefined ? '' : ` Load average of the machine: ${load}.`;
}

/** `0.4 at the start, at most 1.9 (2 processors)`; `undefined`: not recorded. */
export function machineLoadText({ machineLoad }: Report['provenance']): string | undefined {
  if (machineLoad === undefined) return undefined;
  const { atStart, most, processors } = machineLoad;
  return `${atStart.toFixed(1)} at the start, at most ${most.toFixed(1)} (${counted(processors, 'processor')})`;
}
