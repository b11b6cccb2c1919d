/** The comparison chart: one row per profile with its ratio, its interval and its pairs of loads, as inline SVG. */

import type { ProfileComparison } from '../../compare/comparison.ts';
import { indexLoads } from '../../compare/load-index.ts';
import { pairLoads } from '../../compare/paired-estimate.ts';
import { MEANINGFUL_CHANGE } from '../../compare/thresholds.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { counted, formatRange, percent, signedPercent, speedComparison } from '../../text/figures.ts';
import { html, type Markup } from '../../text/markup.ts';
import { type ChartScale, chartScale, intervalPlaces, ticksApart } from '../../text/svg-axes.ts';
import { comparableLoads } from '../comparable-loads.ts';
import type { Report } from '../report.ts';
import { baselineLabel, bestFirst, verdictLabel } from '../shown-comparison.ts';
import { intervalPlot, type PlotPaper, placeText } from './interval-plot.ts';

interface ChartRow {
  readonly profile: ProfileComparison;
  readonly pairs: readonly number[];
}

export function htmlChart(report: Report): Markup {
  const { baseline, profiles } = report.comparison;
  const index = indexLoads(
    comparableLoads(report.loads),
    profiles.map(({ id }) => id),
  );
  const rows = bestFirst(report.comparison)
    .filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline')
    .map((profile) => ({
      profile,
      pairs: thinned(pairLoads(index, { profileId: profile.id, against: profile.versusBaseline.against }).strata.flat().map(Math.exp)),
    }));
  const scale = chartScale(
    rows.flatMap(({ profile: { versusBaseline }, pairs }) => [
      ...pairs,
      ...[versusBaseline.ratio, versusBaseline.low, versusBaseline.high].filter((figure) => figure !== undefined),
    ]),
  );
  return html`<section>
<h2>Compared with ${baselineLabel(baseline)}</h2>
<figure>
<div>${rows.map((row) => chartRow(row, scale, baseline))}
<div class="axis" aria-hidden="true"><div></div>${axis(scale)}</div></div>
<figcaption>To the right: faster. Large mark: the estimate. Bar: its interval, which holds at every look; with an arrow it goes on beyond the axis.
Small dots: single pairs of loads, made in the same block on the same page and link (of more than ${MAX_DOTS} pairs, an even choice). Shaded: changes below ${percent(MEANINGFUL_CHANGE)}, too small to notice.</figcaption>
</figure>
</section>`;
}

function chartRow({ profile, pairs }: ChartRow, scale: ChartScale, baseline: string): Markup {
  const { versusBaseline } = profile;
  const { verdict, ratio, low, high, against, pairs: paired } = versusBaseline;
  const range = low === undefined || high === undefined ? 'not bounded yet' : formatRange(low, high);
  const figures = ratio === undefined ? 'no pair of loads' : `${signedPercent(ratio - 1)} (${range})`;
  const other = against === baseline ? '' : ` against ${against}`;
  const grounds = ratio === undefined ? '' : `, ${counted(paired, 'pair')} of loads`;
  const spoken = ratio === undefined ? figures : `${speedComparison(ratio, against)}, ${range}${grounds}`;
  const name = profileLabel(profile.id);
  return html`<div class="row"><div class="label"><b>${name}</b>${name === profile.id ? undefined : html`<span>${profile.id}</span>`}<span>${figures}${other}${grounds}</span>
<span class="badge ${verdict}">${verdictLabel(profile)}</span></div>
<div class="track">${intervalPlot({
    kind: verdict,
    label: `${profile.id}: ${spoken}; ${verdictLabel(profile)}`,
    places: intervalPlaces(versusBaseline, scale),
    paper: paperOf(scale),
    atPercent: 32,
    dots: pairs.map((pair, at) => pairMark(pair, at, scale)),
  })}</div></div>`;
}

const paperOf = ({ position, ticks }: ChartScale): PlotPaper => ({
  none: position(1),
  same: { from: position(1 - MEANINGFUL_CHANGE), to: position(1 + MEANINGFUL_CHANGE) },
  ticks: ticks.map(position),
});

/** Evenly spread members of the sorted sample, with the lowest and the highest: more dots show nothing more. */
function thinned(pairs: readonly number[]): readonly number[] {
  if (pairs.length <= MAX_DOTS) return pairs;
  const sorted = [...pairs].sort((a, b) => a - b);
  return Array.from({ length: MAX_DOTS }, (_, at) => sorted[Math.round((at * (sorted.length - 1)) / (MAX_DOTS - 1))] ?? 1);
}

const MAX_DOTS = 200;

/** Pairs lie below the bar, in three lines so that equal ones stay apart. */
function pairMark(ratio: number, at: number, scale: ChartScale): Markup {
  return html`<circle class="pair" cx="${placeText(scale.position(ratio))}" cy="${placeText(64 + (at % 3) * 11)}" r="2.5"/>`;
}

/** Labels closer to each other than this share of the axis, per cent, touch where it is narrow. */
const MIN_LABEL_GAP = 14;

/** From no change outwards, labels too close to the one before stand aside on a narrow screen. */
function axis(scale: ChartScale): Markup {
  const apart = ticksApart(scale.ticks, scale.position, MIN_LABEL_GAP);
  const ticks = scale.ticks.map(
    (tick) =>
      html`<text${apart.has(tick) ? undefined : html` class="minor"`} x="${placeText(scale.position(tick))}" y="70%">${signedPercent(tick - 1)}</text>`,
  );
  return html`<div class="track"><svg class="plot">${ticks}</svg></div>`;
}
