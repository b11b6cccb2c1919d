/** Draws the card at the top of report.html; what it says is made in `report/card`. */
import { profileLabel } from '../../profiles/presets.ts';
import { counted } from '../../text/figures.ts';
import { html, type Markup } from '../../text/markup.ts';
import { answerCard } from '../card/answer-card.ts';
import { comparisonCard } from '../card/comparison-card.ts';
import { type ReportCard, reportLanguage } from '../card/report-card.ts';
import { searchCard } from '../card/search-card.ts';
import type { Report } from '../report.ts';
import { baselineLabel, GATEWAY_COMMAND } from '../shown-comparison.ts';
import { intervalPlot } from './interval-plot.ts';

/** A profile's name, and in grey the id that commands take. */
export function nameWithId(id: string, baseline: string): Markup {
  const name = id === baseline ? baselineLabel(id) : profileLabel(id);
  return name === id ? html`${name}` : html`${name}<small>${id}</small>`;
}

/** Everyday loads have their answer, which also considers trials; a search has its own; else the comparison's recommendation is the answer. */
export function reportCard(report: Report): ReportCard {
  const { answer, search } = report;
  const language = reportLanguage();
  if (search !== undefined) return searchCard(search, language);
  return answer === undefined ? comparisonCard(report, language) : answerCard(answer, language);
}

export function cardMarkup(card: ReportCard): Markup {
  const { tone, label, headline, figure, figureKind, rows, others, sentences, why, next } = card;
  return html`<div class="answer is-${tone}"><p class="state">${label}</p>
<h2 class="headline">${headline}</h2>
${figure && html`<p class="figure ${figureKind}"><b>${figure.value}</b> <span>${figure.label}</span></p>`}
${rows.length === 0 ? undefined : html`<ul class="compared">${rows.map((row) => rowMarkup(row, card))}</ul>`}
${others === 0 ? undefined : html`<p class="more">${counted(others, 'more profile')} below.</p>`}
${sentences.map((sentence) => html`<p>${withCommands(sentence)}</p>`)}
${why && html`<ul>${why.map((line) => html`<li>${line}</li>`)}</ul>`}
${next.map(({ text, command }) => html`<p class="next">${text}${command === undefined ? undefined : html` <code>${command}</code>`}</p>`)}</div>`;
}

/** A browser breaks a line after `--`, and half a command is pasted: commands do not break. */
const withCommands = (line: string): Markup =>
  line
    .split(GATEWAY_COMMAND)
    .reduce((text, piece, at) => (at % 2 === 0 ? html`${text}${piece}` : html`${text}<code>${piece}</code>`), html``);

type Row = ReportCard['rows'][number];

function rowMarkup({ id, label, value, detail, at, from, to, goesOn, kind }: Row, { zero = 0, same }: ReportCard): Markup {
  const isBaseline = kind === 'baseline';
  const grey = label === id || isBaseline ? undefined : html` <small>${id}</small>`;
  const plot = intervalPlot({
    kind,
    label: `${label}: ${isBaseline ? value : `${value}, ${detail}`}`,
    places: {
      ...(at !== undefined && { at: 100 * at }),
      ...(from !== undefined && to !== undefined && { from: 100 * from, to: 100 * to }),
      ...(goesOn !== undefined && { goesOn }),
    },
    paper: { none: 100 * zero, ...(same && { same: { from: 100 * same.from, to: 100 * same.to } }), ticks: [] },
    atPercent: 50,
  });
  const words = isBaseline ? html`<small>${value}</small>` : html`<b>${value}</b><small>${detail}</small>`;
  return html`<li><span class="name">${label}${grey}</span>
<div class="track">${plot}</div>
<span class="value ${kind}">${words}</span></li>`;
}
