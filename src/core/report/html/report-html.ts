import { gatewayToSwitchOn, settingsToApply } from '../../answer/answer.ts';
import { answerLabel } from '../../answer/format-answer.ts';
import { comparisonOf } from '../../compare/by-protocol.ts';
import type { Recommendation } from '../../compare/comparison.ts';
import { groupBy } from '../../group-by.ts';
import { PROTOCOL_LABELS } from '../../text/labels.ts';
import { constantMarkup, html, type Markup, markupText } from '../../text/markup.ts';
import type { Report } from '../report.ts';
import { GATEWAY_COMMAND, recommendationLines } from '../shown-comparison.ts';
import { htmlChart } from './chart.ts';
import { meaningSection, provenanceSection, soundnessSection, versionNote } from './notes.ts';
import { scenarioTable } from './scenarios.ts';
import { SEARCH_STATES, searchSection } from './search.ts';
import { HTML_STYLE } from './style.ts';
import { linkTable, profileTable, rankingSection, voidLoadTable } from './tables.ts';

/** The policy in the file forbids what it does not do: nothing is fetched and nothing runs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STATES: Readonly<Record<Recommendation['state'], string>> = {
  recommended: 'Recommended',
  'keep-baseline': 'Keep your settings',
  'need-more-loads': 'Not decided yet',
  none: 'No recommendation',
};

/** The report as one HTML file that needs nothing else: no network, no script, readable from disk and on paper. */
export function reportHtml(report: Report): string {
  const { comparison, provenance, createdAt } = report;
  const { state, label, lines } = headOf(report);
  const firefox = provenance.firefox === undefined ? 'Firefox' : `Firefox ${provenance.firefox.version}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Plumbfox report: ${label}</title>
<style>${constantMarkup(HTML_STYLE)}</style>
</head>
<body>
<main>
<header><h1>Plumbfox report</h1><p>${firefox} on ${provenance.os}, ${createdAt}</p>
<p>${linksInWords(report.links)}</p>${versionNote(report)}</header>
<div class="answer is-${state}"><p class="state">${label}</p>${lines.map((line) => html`<p>${withCommands(line)}</p>`)}</div>
${protocolReports(report).map(comparedSections)}
${searchSection(report.search)}${scenarioTable(comparison)}
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

/** A browser breaks a line after `--`, and half a command is pasted: commands do not break. */
const withCommands = (line: string): Markup =>
  line
    .split(GATEWAY_COMMAND)
    .reduce((text, piece, at) => (at % 2 === 0 ? html`${text}${piece}` : html`${text}<code>${piece}</code>`), html``);

interface Head {
  readonly state: string;
  readonly label: string;
}

/** Everyday loads have their answer, which also considers trials; else the comparison's recommendation. */
function headOf({ answer, comparison, search }: Report): Head & { readonly lines: readonly string[] } {
  if (search !== undefined)
    return {
      state: search.answer.state === 'faster' ? 'recommended' : 'none',
      label: SEARCH_STATES[search.answer.state],
      lines: search.sentences,
    };
  if (answer === undefined) return { ...recommendedHead(comparison), lines: recommendationLines(comparison) };
  const isFaster = settingsToApply(answer.finding) ?? gatewayToSwitchOn(answer.finding);
  return { state: isFaster === undefined ? 'none' : 'recommended', label: answerLabel(answer.finding), lines: [answer.sentence] };
}

/** Over several protocols: the recommendations there are, whatever the other protocols leave open; else the most open state. */
function recommendedHead({ recommendation, protocols }: Report['comparison']): Head {
  if (protocols === undefined) return { state: recommendation.state, label: STATES[recommendation.state] };
  const proven = protocols.filter((own) => own.recommendation.state === 'recommended');
  const labels = proven.map(({ protocol }) => PROTOCOL_LABELS[protocol]).join(' and ');
  if (proven.length > 0)
    return { state: 'recommended', label: `${STATES.recommended}${proven.length < protocols.length ? ` over ${labels}` : ''}` };
  const state = OPEN_FIRST.find((one) => protocols.some((own) => own.recommendation.state === one)) ?? 'none';
  return { state, label: STATES[state] };
}

const OPEN_FIRST: readonly Recommendation['state'][] = ['need-more-loads', 'keep-baseline', 'none'];

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
${profileTable(report)}
${controlSection(report)}`;
  return label === undefined
    ? sections
    : html`<h2>${label}</h2>
${sections}`;
}

function controlSection({ comparison: { control } }: Report): Markup | undefined {
  if (control === undefined) return undefined;
  return html`<section><h2>What the gateway itself costs</h2><p>${control.sentence}</p></section>`;
}
