/** An audit as one HTML file that needs nothing else, in the style of the report. */
import { HTML_STYLE } from '../report/html/style.ts';
import { constantMarkup, html, type Markup, markupText, tableSection, xmlText } from '../text/markup.ts';
import type { Audit } from './audit.ts';
import { type AuditedLine, LINE_GROUPS, type LineGroup } from './finding.ts';
import { auditSentences } from './format-audit.ts';
import { findingSentence, GROUP_HEADINGS, linePlace, valueLabel } from './format-finding.ts';

/** Nothing is fetched and nothing runs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The whole file. */
export function auditHtml(audit: Audit): string {
  const [head = '', ...sentences] = auditSentences(audit).map(xmlText);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Plumbfox audit</title>
<style>${constantMarkup(HTML_STYLE)}</style>
</head>
<body>
<main>
<header><h1>Plumbfox audit</h1></header>
<div class="answer"><p class="state">${head}</p>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>
${LINE_GROUPS.flatMap((group) => groupSection(group, audit.lines))}
</main>
</body>
</html>
`;
  return markupText(page);
}

function groupSection(group: LineGroup, all: readonly AuditedLine[]): readonly Markup[] {
  const lines = all.filter((line) => line.group === group);
  if (lines.length === 0) return [];
  return [
    tableSection({
      name: `${GROUP_HEADINGS[group]} (${lines.length})`,
      caption: '',
      headings: ['Line', 'Preference', 'What it does'],
      rows: lines.map(
        (
          line,
        ) => html`<tr><td>${xmlText(linePlace(line))}</td><th scope="row"><code>${xmlText(`${line.name} = ${valueLabel(line.value)}`)}</code></th>
<td>${line.findings.map((finding) => html`<p>${xmlText(findingSentence(finding))}</p>`)}</td></tr>`,
      ),
    }),
  ];
}
