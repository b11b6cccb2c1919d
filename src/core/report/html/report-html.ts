import { comparisonOf } from '../../compare/by-protocol.ts';
import { groupBy } from '../../group-by.ts';
import { PROTOCOL_LABELS } from '../../text/labels.ts';
import { constantMarkup, html, type Markup, markupText } from '../../text/markup.ts';
import { shownProfile } from '../card/comparison-card.ts';
import type { Report } from '../report.ts';
import { machineLoadText } from '../report-markdown.ts';
import { cardMarkup, reportCard } from './card.ts';
import { htmlChart } from './chart.ts';
import { meaningSection, provenanceSection, soundnessSection, versionNote } from './notes.ts';
import { pageLinkMap, scenarioTable } from './scenarios.ts';
import { searchSection } from './search.ts';
import { HTML_STYLE } from './style.ts';
import { linkTable, profileTable, rankingSection, voidLoadTable } from './tables.ts';

/** The policy in the file forbids what it does not do: nothing is fetched and nothing runs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The report as one HTML file that needs nothing else: no network, no script, readable from disk and on paper. */
export function reportHtml(report: Report): string {
  const { comparison, provenance, createdAt } = report;
  const card = reportCard(report);
  const reports = protocolReports(report);
  const machine = machineLoadText(provenance);
  const firefox = provenance.firefox === undefined ? 'Firefox' : `Firefox ${provenance.firefox.version}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Plumbfox report: ${card.headline.replace(/\.$/, '')}</title>
<style>${constantMarkup(HTML_STYLE)}</style>
</head>
<body>
<main>
<header><h1>Plumbfox report</h1><p>${firefox} on ${provenance.os}, ${createdAt.replace(/T(\d\d:\d\d).*Z$/, ' $1 UTC')}</p>
<p>${linksInWords(report.links)}</p>${
    machine &&
    html`
<p>Load average of the machine: ${machine}</p>`
  }${versionNote(report)}</header>
${cardMarkup(card)}
${reports.map(comparedSections)}
${reports.flatMap((each) => measuredSection(each) ?? [])}
${scenarioTable(comparison)}
${reports.flatMap(({ report: own }) => controlSection(own) ?? [])}
${searchSection(report.search)}
${soundnessSection(comparison)}
${rankingSection(comparison.ranking)}
${linkTable(report.links)}
${voidLoadTable(report.loads)}
${meaningSection(report)}
${provenanceSection(report)}
</main>
</body>
</html>
`;
  return markupText(page);
}

/** Whether figures come from emulation, and of which kind, is stated before any of them. */
function linksInWords(links: Report['links']): string {
  const byKind = [...groupBy(links, ({ kind }) => kind)].map(([kind, of]) => `${of.map(({ name }) => name).join(', ')} (${kind})`);
  return `Links: ${byKind.join('; ') || 'none'}`;
}

/** The report once for each protocol that was compared by itself, with its loads and its verdicts. */
function protocolReports(report: Report): readonly ProtocolReport[] {
  const { comparison, loads } = report;
  const several = comparison.protocols?.map((own) => ({
    label: PROTOCOL_LABELS[own.protocol],
    report: { ...report, comparison: comparisonOf(comparison, own), loads: loads.filter(({ page }) => own.pages.includes(page)) },
  }));
  return several ?? [{ label: undefined, report }];
}

interface ProtocolReport {
  readonly label: string | undefined;
  readonly report: Report;
}

function comparedSections({ label, report }: ProtocolReport): Markup {
  const sections = html`${htmlChart(report)}
${profileTable(report)}`;
  return label === undefined
    ? sections
    : html`<h2>${label}</h2>
${sections}`;
}

/** The profile that the card names, or the most promising, on each page over each link. */
function measuredSection({ label, report }: ProtocolReport): Markup | undefined {
  const profileId = shownProfile(report);
  return profileId === undefined ? undefined : pageLinkMap(report, { profileId, over: label });
}

function controlSection({ comparison: { control } }: Report): Markup | undefined {
  if (control === undefined) return undefined;
  return html`<section><h2>What the gateway itself costs</h2><p>${control.sentence}</p></section>`;
}
