/** The tables of the HTML report: profiles, links, excluded loads, places. */
import type { ProfileComparison, ScenarioRanking } from '../../compare/comparison.ts';
import type { CutShort } from '../../measure/load-measures.ts';
import { MAX_REQUESTS } from '../../measure/load-measures.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { counted, formatLoads, formatRange, formatSeconds, percent, signedPercent, UNKNOWN } from '../../text/figures.ts';
import { html, type Markup, tableSection } from '../../text/markup.ts';
import { entryOf } from '../comparable-loads.ts';
import { linkVariation } from '../link-variation.ts';
import { rankingSentence } from '../ranking-table.ts';
import type { LinkFigures, LinkKind, MeasuredLoad, Report, ReportLink } from '../report.ts';
import { baselineLabel, bestFirst, hasPaints, paintCell, verdictLabel } from '../shown-comparison.ts';
import { nameWithId } from './card.ts';

/** The fastest first, and the verdict beside the name: what a reader looks for is never cut off at the edge. */
export function profileTable({ comparison, profiles }: Report): Markup {
  const titles = new Map(profiles.map(({ id, title }) => [id, title]));
  // Where no profile has a depth to carry, the column says nothing.
  const hasCarriers = comparison.profiles.some(({ carrier }) => carrier !== 'none');
  const isPainted = hasPaints(comparison);
  const rows = bestFirst(comparison).map((profile) => {
    const { versusBaseline } = profile;
    const { ratio: estimate, low, high, verdict, pairs } = versusBaseline;
    const versus = verdict === 'baseline' ? html`baseline` : changeFigure({ estimate, low, high }, pairs);
    const other = versusBaseline.against === comparison.baseline ? undefined : html`<small>against ${versusBaseline.against}</small>`;
    const name = verdict === 'baseline' ? baselineLabel(profile.id) : profileLabel(profile.id);
    const title = name === profile.id ? (titles.get(profile.id) ?? '') : '';
    return html`<tr><th scope="row">${name}${name === profile.id ? undefined : html`<small>${profile.id}</small>`}${title === '' || title === name ? undefined : html`<small class="note">${title}</small>`}</th>
<td class="words"><span class="badge ${verdict}">${verdictLabel(profile)}</span><small>${versusBaseline.reason}</small></td>
<td>${versus}${other}</td>
${isPainted ? html`<td class="words">${paintCell(profile)}</td>` : ''}<td>${formatSeconds(profile.loadTimeMs.median)}</td><td>${share(profile.efficiency.estimate)}</td>
<td>${formatLoads(profile)}</td>${hasCarriers ? html`<td>${profile.carrier === 'none' ? UNKNOWN : profile.carrier}</td>` : ''}</tr>`;
  });
  return tableSection({
    name: 'Profiles',
    caption: 'Over all pages and links. Below a change: its interval, and the pairs of loads that it rests on.',
    headings: [
      ...['Profile', 'Verdict and why', `Faster or slower than ${baselineLabel(comparison.baseline)}`],
      ...(isPainted ? ['First paint'] : []),
      ...['Load time', 'Efficiency', 'Loads'],
      ...(hasCarriers ? ['Depth by'] : []),
    ],
    rows,
  });
}

/** The interval goes below, or the table is too wide for most screens. */
function changeFigure({ estimate, low, high }: ProfileComparison['efficiency'], pairs: number): Markup {
  const range = low === undefined || high === undefined ? 'no interval yet' : formatRange(low, high);
  return estimate === undefined
    ? html`${UNKNOWN}`
    : html`${signedPercent(estimate - 1)}<small>${range}</small><small>${counted(pairs, 'pair')}</small>`;
}

/** `62 %`, or a dash. */
const share = (efficiency: number | undefined): string => (efficiency === undefined ? UNKNOWN : percent(Math.min(efficiency, 1)));

const KINDS: Readonly<Record<LinkKind, string>> = {
  packet: 'packet: every packet emulated',
  relay: 'relay: connect delay and rate only, no packet effects',
  real: 'real: no emulation',
};

/** Requested and measured figures side by side, so that a deviating link shows. */
export function linkTable(links: readonly ReportLink[]): Markup {
  const rows = links.map(
    ({ name, kind, asked, measured, basis }) => html`<tr><th scope="row">${name}</th><td class="words">${KINDS[kind]}
<small>figures ${basis}</small></td>
<td>${askedAndMeasured(asked?.rttMs, measured?.rttMs, 'ms')}</td>
<td>${askedAndMeasured(asked?.downKbps, measured?.downKbps, 'kbit/s')}</td>
<td>${askedAndMeasured(asked?.upKbps, measured?.upKbps, 'kbit/s')}</td>
<td>${asked?.queue === undefined ? UNKNOWN : `${asked.queue} packets`}${variationOf(asked)}</td></tr>`,
  );
  return tableSection({
    name: 'Links',
    caption: 'What was asked for, and what the check before the run measured.',
    headings: ['Link', 'Kind', 'Round-trip time', 'Down', 'Up', 'Queue'],
    rows,
  });
}

function variationOf(asked: LinkFigures | undefined): Markup {
  const words = asked === undefined ? [] : linkVariation(asked);
  return words.length === 0 ? html`` : html`<small>${words.join(', ')}</small>`;
}

function askedAndMeasured(asked: number | undefined, measured: number | undefined, unit: string): Markup {
  const wanted = asked === undefined ? UNKNOWN : `${round(asked)} ${unit}`;
  if (measured === undefined) return html`${wanted}<small>not measured</small>`;
  const off = asked === undefined || asked === 0 ? '' : ` (${signedPercent(measured / asked - 1)})`;
  return html`${wanted}<small>measured ${round(measured)} ${unit}${off}</small>`;
}

const round = (value: number): string => String(Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value));

/**
 * Every excluded load with its reason, and before them those that count with a lower bound; a sentence where all count as measured.
 * Blocks and turns are counted from 1.
 */
export function voidLoadTable(loads: readonly MeasuredLoad[]): Markup {
  const lost: Markup[] = [];
  const atBound: Markup[] = [];
  for (const load of loads) {
    const entry = entryOf(load);
    if (entry.enters === 'not') lost.push(lossRow(load, reasonOf(load)));
    if (entry.enters === 'at-bound') atBound.push(lossRow(load, `counts as ${formatSeconds(entry.boundMs)}; ${reasonOf(load)}`));
  }
  const headings = ['Profile', 'Page', 'Link', 'Block', 'Load', 'Why'];
  const bounds = { name: 'Loads that took too long', caption: 'They count as the least they can have taken.', headings, rows: atBound };
  const losses = { name: 'Loads that do not count', caption: 'No figure in this report includes them.', headings, rows: lost };
  return html`${atBound.length > 0 ? tableSection(bounds) : html``}${
    lost.length > 0
      ? tableSection(losses)
      : html`<section><h2>Loads that do not count</h2><p class="note">None: every load counts.</p></section>`
  }`;
}

const lossRow = ({ profileId, page, link, block, order }: MeasuredLoad, why: string): Markup =>
  html`<tr><th scope="row">${profileId}</th><td>${page}</td><td>${link}</td><td>${block + 1}</td><td>${order + 1}</td>
<td class="words">${why}</td></tr>`;

function reasonOf({ validity, measures }: MeasuredLoad): string {
  if (validity.state === 'void') return validity.reason;
  return measures?.cutShort === undefined ? '' : CUT_SHORT_LABELS[measures.cutShort];
}

const CUT_SHORT_LABELS: Readonly<Record<CutShort, string>> = {
  'document-failed': 'the page itself could not be fetched',
  'no-load-event': 'the page never finished loading',
  'page-left': 'the page was left before it was finished',
  'time-limit': 'the page was still loading after a minute',
  'too-many-requests': `the page made more than ${MAX_REQUESTS} requests`,
};

/** `undefined`: no page and link has two profiles to rank. */
export function rankingSection(ranking: ScenarioRanking): Markup | undefined {
  const { scenarios, profiles } = ranking;
  if (scenarios === 0) return undefined;
  const incomplete = profiles.some(({ ranked }) => ranked < scenarios);
  return tableSection({
    name: 'Places on each page and link',
    caption: rankingSentence(ranking),
    headings: ['Profile', 'Firsts', 'Top quartile', 'Lasts', ...(incomplete ? ['Ranked in'] : [])],
    rows: profiles.map(({ id, ranked, firsts, topQuartile, lasts }) => {
      const places = html`<td>${firsts}</td><td>${topQuartile}</td><td>${lasts}</td>`;
      const where = incomplete ? html`<td>${ranked} of ${scenarios}</td>` : undefined;
      return html`<tr><th scope="row">${nameWithId(id, ranking.baseline)}</th>${places}${where}</tr>`;
    }),
  });
}
