/** The card at the top of a report, as in the popup: one headline, one figure, the profiles beside Firefox's own settings, and what to do next. */
import { type Answer, type Change, gatewayToSwitchOn, isNothingToGain, settingsToApply } from '../../answer/answer.ts';
import { answerLabel } from '../../answer/format-answer.ts';
import { comparisonOf } from '../../compare/by-protocol.ts';
import type { Comparison, Recommendation } from '../../compare/comparison.ts';
import { BASELINE_ID, isPluralLabel, profileLabel } from '../../profiles/presets.ts';
import type { Proof, SearchRecord } from '../../search/search-record.ts';
import { counted, formatRange, percent, signedPercent } from '../../text/figures.ts';
import { PROTOCOL_LABELS, protocolLabel } from '../../text/labels.ts';
import { html, type Markup } from '../../text/markup.ts';
import { type ChartScale, chartScale } from '../../text/svg-axes.ts';
import type { Report } from '../report.ts';
import { bestFirst, gatewayCommand, gatewayNote, recommendationLines, verdictLabel } from '../shown-comparison.ts';
import { intervalPlot, type PlottedInterval } from './interval-plot.ts';
import { SEARCH_STATES } from './search.ts';

/** A profile in the card, beside the baseline. */
interface CardRow {
  readonly id: string;
  readonly label: string;
  /** Absent: the baseline itself. */
  readonly interval?: PlottedInterval;
  /** Names its colour. */
  readonly kind: string;
  /** Below the interval: what it rests on, and the verdict. */
  readonly note: string;
}

interface Step {
  readonly text: string;
  readonly command?: string;
}

/** What a card says. */
export interface ReportCard {
  readonly state: 'recommended' | 'keep-baseline' | 'need-more-loads' | 'none';
  readonly label: string;
  readonly headline: string;
  readonly figure?: { readonly text: string; readonly note: string; readonly kind: string } | undefined;
  readonly rows: readonly CardRow[];
  /** Profiles that are compared further down only. */
  readonly others: number;
  /** The whole answer in sentences. */
  readonly lines: readonly string[];
  readonly next: readonly Step[];
}

/** More rows are no answer at a glance. */
const MAX_ROWS = 6;

const STATES: Readonly<Record<Recommendation['state'], string>> = {
  recommended: 'Recommended',
  'keep-baseline': 'Keep your settings',
  'need-more-loads': 'Not decided yet',
  none: 'No recommendation',
};

const OPEN_FIRST: readonly Recommendation['state'][] = ['need-more-loads', 'keep-baseline', 'none'];

/** The baseline in people's words. */
export const baselineLabel = (id: string): string => (id === BASELINE_ID ? "Firefox's own settings" : id);

/** A profile's name, and in grey the id that commands take. */
export function nameWithId(id: string, baseline: string): Markup {
  const name = id === baseline ? baselineLabel(id) : profileLabel(id);
  return name === id ? html`${name}` : html`${name}<small>${id}</small>`;
}

/** Everyday loads have their answer, which also considers trials; a search has its own; else the comparison's recommendation is the answer. */
export function reportCard(report: Report): ReportCard {
  const { answer, search } = report;
  if (search !== undefined) return searchCard(search);
  return answer === undefined ? comparisonCard(report) : answerCard(answer.finding, answer.sentence);
}

/** The comparison that the card is about: where there are several protocols, of one with a proven profile, else of the most open. */
export function shownComparison({ comparison }: Pick<Report, 'comparison'>): { readonly comparison: Comparison; readonly over?: string } {
  const { protocols } = comparison;
  if (protocols === undefined) return { comparison };
  const gainOf = (own: (typeof protocols)[number]) =>
    own.profiles.find(({ id }) => id === own.recommendation.profileId)?.versusBaseline.ratio ?? 0;
  const [proven] = protocols
    .filter(({ recommendation }) => recommendation.state === 'recommended')
    .toSorted((a, b) => gainOf(b) - gainOf(a));
  const open = OPEN_FIRST.flatMap((state) => protocols.filter(({ recommendation }) => recommendation.state === state));
  const own = proven ?? open[0];
  return own === undefined ? { comparison } : { comparison: comparisonOf(comparison, own), over: protocolLabel(own.protocol) };
}

/** The profile that the card is about: the recommended one, else the fastest that is no baseline and no control. */
export function shownProfile({ comparison }: Pick<Report, 'comparison'>): string | undefined {
  const { recommendation } = comparison;
  const ranked = bestFirst(comparison).filter(({ role, versusBaseline }) => role === 'candidate' && versusBaseline.ratio !== undefined);
  return recommendation.state === 'recommended' ? (recommendation.profileId ?? ranked[0]?.id) : ranked[0]?.id;
}

function comparisonCard(report: Report): ReportCard {
  const { comparison, over } = shownComparison(report);
  const { recommendation, baseline, profiles } = comparison;
  const { state } = recommendation;
  const shown = profiles.find(({ id }) => id === shownProfile({ comparison }));
  const where = over === undefined ? 'here' : `here over ${over}`;
  const several = report.comparison.protocols ?? [];
  const proven = several.filter(({ recommendation: own }) => own.state === 'recommended');
  const part =
    proven.length > 0 && proven.length < several.length
      ? ` over ${proven.map(({ protocol }) => PROTOCOL_LABELS[protocol]).join(' and ')}`
      : '';
  const ranked = bestFirst(comparison).filter(
    ({ role, versusBaseline: { ratio, verdict } }) => role !== 'control' && (ratio !== undefined || verdict === 'baseline'),
  );
  const rows = ranked.map(({ id, versusBaseline, ...profile }): CardRow => {
    const { verdict, against, pairs } = versusBaseline;
    if (verdict === 'baseline') return { id, label: baselineLabel(id), kind: verdict, note: 'baseline' };
    const besides = against === baseline ? '' : `, against ${against}`;
    return {
      id,
      label: profileLabel(id),
      interval: versusBaseline,
      kind: verdict,
      note: `${verdictLabel({ ...profile, versusBaseline })}, ${counted(pairs, 'pair')}${besides}`,
    };
  });
  return {
    state,
    label: `${STATES[state]}${state === 'recommended' ? part : ''}`,
    headline: headlineOf(state, { shown: shown?.id, baseline, where }),
    figure:
      state === 'none' || shown === undefined
        ? undefined
        : {
            ...figureOf(shown.versusBaseline, `${counted(shown.versusBaseline.pairs, 'pair')} of loads`),
            kind: shown.versusBaseline.verdict,
            note: [
              ...(state === 'recommended'
                ? []
                : [`${state === 'need-more-loads' ? 'so far, with' : 'at best, with'} ${profileLabel(shown.id)}`]),
              rangeNote(shown.versusBaseline),
              `${counted(shown.versusBaseline.pairs, 'pair')} of loads`,
              `against ${baselineLabel(shown.versusBaseline.against)}`,
            ].join(', '),
          },
    ...shortened(rows),
    lines: linesWithout(gatewayNote(comparison), report.comparison),
    next: nextSteps(report, comparison),
  };
}

/** The sentences of the recommendation; how to use it is a step by itself. */
function linesWithout(note: string | undefined, comparison: Comparison): readonly string[] {
  const lines = recommendationLines(comparison);
  return note === undefined ? lines : lines.map((line) => line.replace(` ${note}`, ''));
}

function headlineOf(
  state: Recommendation['state'],
  { shown, baseline, where }: { readonly shown: string | undefined; readonly baseline: string; readonly where: string },
): string {
  switch (state) {
    case 'recommended':
      return shown === undefined ? 'Other settings are faster here' : fasterHeadline(shown, where);
    case 'keep-baseline':
      return baseline === BASELINE_ID ? `Firefox's own settings are right ${where}` : `Keep ${baseline} ${where}`;
    case 'need-more-loads':
      return `Not enough data yet ${where}`;
    case 'none':
      return 'No recommendation';
  }
}

const fasterHeadline = (id: string, where: string): string => `${profileLabel(id)} ${isPluralLabel(id) ? 'are' : 'is'} faster ${where}`;

/** The best first, the baseline among them. */
function shortened(rows: readonly CardRow[]): Pick<ReportCard, 'rows' | 'others'> {
  if (rows.length <= MAX_ROWS) return { rows, others: 0 };
  const best = new Set(rows.filter(({ interval }) => interval !== undefined).slice(0, MAX_ROWS - 1));
  const shown = rows.filter((row) => row.interval === undefined || best.has(row));
  return { rows: shown, others: rows.length - shown.length };
}

function figureOf({ ratio }: PlottedInterval, note: string): { readonly text: string; readonly note: string } {
  return { text: ratio === undefined ? 'no pair of loads' : signedPercent(ratio - 1), note };
}

const rangeNote = ({ low, high }: PlottedInterval): string =>
  low === undefined || high === undefined ? 'no interval yet' : formatRange(low, high);

/** A name of this shape is one word for every shell: what a report calls a profile must not become a command. */
const SAFE_ID = /^[\w.+=,-]+$/;

const applyStep = (id: string, text: string): readonly Step[] =>
  SAFE_ID.test(id) && id !== BASELINE_ID ? [{ text, command: `plumbfox apply --profile ${id}` }] : [];

function nextSteps(report: Report, { recommendation, profiles, scenarios }: Comparison): readonly Step[] {
  const { state, gateway, profileId, settingsAlone } = recommendation;
  switch (state) {
    case 'recommended': {
      const alone = settingsAlone.state === 'recommended' ? settingsAlone.profileId : null;
      const withGateway =
        gateway === undefined ? [] : [{ text: 'Use it, for plain http only:', command: gatewayCommand(gateway, 'plumbfox') }];
      const apply = alone === null ? [] : applyStep(alone, profileId === alone ? 'Use it:' : 'Without the gateway:');
      return [...withGateway, ...apply];
    }
    case 'keep-baseline':
      return [{ text: 'Nothing to change.' }];
    case 'need-more-loads': {
      const needed = profiles.flatMap(({ role, versusBaseline: { loadsNeeded } }) =>
        role === 'candidate' && loadsNeeded !== undefined ? [loadsNeeded] : [],
      );
      const made = report.loads.reduce((most, { block }) => Math.max(most, block + 1), 0);
      const blocks = made + Math.ceil(Math.min(...needed) / Math.max(1, scenarios.length));
      return needed.length === 0 || blocks > MAX_NAMED_BLOCKS
        ? []
        : [{ text: 'About this many rounds may decide it:', command: `plumbfox tune --blocks ${blocks}` }];
    }
    case 'none':
      return [];
  }
}

/** More rounds would take days: no command for that. */
const MAX_NAMED_BLOCKS = 200;

const intervalOf = ({ gain, low, high }: Change): PlottedInterval => ({
  ratio: 1 + gain,
  ...(low !== undefined && { low: 1 + low }),
  ...(high !== undefined && { high: 1 + high }),
});

const OWN_ROW: CardRow = { id: BASELINE_ID, label: baselineLabel(BASELINE_ID), kind: 'baseline', note: 'baseline' };

function answerCard(finding: Answer, sentence: string): ReportCard {
  const common = { label: answerLabel(finding), lines: [sentence], others: 0 };
  const profile = settingsToApply(finding) ?? gatewayToSwitchOn(finding);
  if (finding.from === 'trial' && finding.state === 'confirmed') {
    const note = counted(finding.loads, 'fresh load');
    const interval = intervalOf(finding.change);
    return {
      ...common,
      state: 'recommended',
      headline: fasterHeadline(finding.profileId, finding.protocol === undefined ? 'here' : `here over ${protocolLabel(finding.protocol)}`),
      figure: { ...figureOf(interval, `${rangeNote(interval)}, ${note}, against ${baselineLabel(BASELINE_ID)}`), kind: 'better' },
      rows: [{ id: finding.profileId, label: profileLabel(finding.profileId), interval, kind: 'better', note }, OWN_ROW],
      next:
        finding.carrier === 'none' && profile !== undefined
          ? applyStep(profile, 'Use it:')
          : [{ text: 'Use it: switch on the gateway in the extension.' }],
    };
  }
  if (finding.from === 'prediction') {
    const interval = intervalOf(finding.change);
    const note = `predicted, ${counted(finding.pages, 'page')}`;
    return {
      ...common,
      state: 'need-more-loads',
      headline: `${profileLabel(finding.profileId)} should be faster here`,
      figure: {
        text: `≈ ${signedPercent(finding.change.gain)}`,
        note: `${note}, ${rangeNote(interval)}, against ${baselineLabel(BASELINE_ID)}`,
        kind: 'need-more-loads',
      },
      rows: [{ id: finding.profileId, label: profileLabel(finding.profileId), interval, kind: 'need-more-loads', note }, OWN_ROW],
      next: [{ text: 'Prove it: a trial in the extension measures it.' }],
    };
  }
  if (finding.from === 'reach') {
    const right = isNothingToGain(finding);
    return {
      ...common,
      state: right ? 'keep-baseline' : 'none',
      headline: right ? "Firefox's own settings are right here" : 'No gain is sure here',
      figure:
        finding.requests === 0
          ? undefined
          : {
              text: percent(finding.byConnections / finding.requests),
              note: `of ${counted(finding.requests, 'request')} are reached by connection settings (HTTP/1.1)`,
              kind: 'baseline',
            },
      rows: [],
      next: right ? [{ text: 'Nothing to change.' }] : [{ text: 'Only a trial in the extension can tell.' }],
    };
  }
  return { ...common, state: 'none', headline: answerLabel(finding), rows: [], next: [] };
}

function searchCard({ answer, sentences }: SearchRecord): ReportCard {
  const proof = proofOf(answer);
  const interval: PlottedInterval | undefined = proof && { ratio: proof.ratio, low: proof.low, high: proof.high };
  const note = proof === undefined ? '' : `${counted(proof.pairs, 'pair')} of loads`;
  const isFaster = answer.state === 'faster';
  return {
    state: isFaster ? 'recommended' : answer.state === 'nothing-beats' ? 'keep-baseline' : 'none',
    label: SEARCH_STATES[answer.state],
    headline: isFaster
      ? fasterHeadline(answer.cheapest.profileId, 'here')
      : answer.state === 'nothing-beats'
        ? "Firefox's own settings are right here"
        : SEARCH_STATES[answer.state],
    figure:
      proof === undefined || interval?.ratio === undefined
        ? undefined
        : {
            ...figureOf(
              interval,
              `${isFaster ? '' : `at best, with ${profileLabel(proof.profileId)}, `}${rangeNote(interval)}, ${note}, against ${baselineLabel(BASELINE_ID)}`,
            ),
            kind: proof.verdict,
          },
    rows:
      proof === undefined || interval?.ratio === undefined
        ? []
        : [{ id: proof.profileId, label: profileLabel(proof.profileId), interval, kind: proof.verdict, note }, OWN_ROW],
    others: 0,
    lines: sentences,
    next: isFaster
      ? applyStep(answer.cheapest.profileId, 'Use it:')
      : answer.state === 'nothing-beats'
        ? [{ text: 'Nothing to change.' }]
        : [],
  };
}

function proofOf(answer: SearchRecord['answer']): Proof | undefined {
  if (answer.state === 'faster') return answer.cheapest;
  return answer.state === 'no-verdict' ? undefined : answer.closest;
}

/** Markup of a card; `lines` are its sentences, drawn by the caller, whose commands must not break. */
export function cardMarkup({ state, label, headline, figure, rows, others, next }: ReportCard, lines: readonly Markup[]): Markup {
  const scale = chartScale(
    rows.flatMap(({ interval }) => [interval?.ratio, interval?.low, interval?.high].filter((value) => value !== undefined)),
  );
  return html`<div class="answer is-${state}"><p class="state">${label}</p>
<h2 class="headline">${headline}</h2>
${figure && html`<p class="figure ${figure.kind}"><b>${figure.text}</b> <span>${figure.note}</span></p>`}
${rows.length === 0 ? undefined : html`<ul class="compared">${rows.map((row) => rowMarkup(row, scale))}</ul>`}
${others === 0 ? undefined : html`<p class="more">${counted(others, 'more profile')} below.</p>`}
${lines.map((line) => html`<p>${line}</p>`)}
${next.map(({ text, command }) => html`<p class="next">${text}${command === undefined ? undefined : html` <code>${command}</code>`}</p>`)}</div>`;
}

function rowMarkup({ id, label, interval, kind, note }: CardRow, scale: ChartScale): Markup {
  const figure = interval?.ratio === undefined ? '' : signedPercent(interval.ratio - 1);
  const grey = label === id || interval === undefined ? undefined : html` <small>${id}</small>`;
  const words = interval === undefined ? `${label}: baseline` : `${label}: ${figure}, ${rangeNote(interval)}, ${note}`;
  return html`<li><span class="name">${label}${grey}</span>
<div class="track">${intervalPlot({ kind, label: words, interval: interval ?? { ratio: 1 }, scale, atPercent: 50 })}</div>
<span class="value ${kind}">${figure === '' ? undefined : html`<b>${figure}</b>`}<small>${interval === undefined ? note : `${rangeNote(interval)}; ${note}`}</small></span></li>`;
}
