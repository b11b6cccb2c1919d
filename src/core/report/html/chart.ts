/** The comparison chart: one row per profile with its ratio, its interval and its pairs of loads, as inline SVG. */

import type { ProfileComparison } from '../../compare/comparison.ts';
import { indexLoads } from '../../compare/load-index.ts';
import { pairLoads } from '../../compare/paired-estimate.ts';
import { MEANINGFUL_CHANGE } from '../../compare/thresholds.ts';
import { formatRange, signedPercent, speedComparison } from '../../text/figures.ts';
import { html, type Markup } from '../../text/markup.ts';
import { type ChartScale, chartScale } from '../../text/svg-axes.ts';
import { comparableLoads } from '../comparable-loads.ts';
import type { Report } from '../report.ts';
import { bestFirst, verdictLabel } from '../shown-comparison.ts';

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
<h2>Efficiency against ${baseline}</h2>
<figure>
<div>${rows.map((row) => chartRow(row, scale, baseline))}
<div class="axis" aria-hidden="true"><div></div>${axis(scale)}</div></div>
<figcaption>Right of 1.0 is faster. Large mark: the estimate. Bar: the interval, which holds at every look. Small dots: single
pairs of loads, made in the same block on the same page and link (of more than ${MAX_DOTS}, an even choice). Shaded: changes below 3 %, too small to notice.</figcaption>
</figure>
</section>`;
}

function chartRow({ profile, pairs }: ChartRow, scale: ChartScale, baseline: string): Markup {
  const { verdict, ratio, low, high, against } = profile.versusBaseline;
  const range = low === undefined || high === undefined ? 'not bounded yet' : formatRange(low, high);
  const figures = ratio === undefined ? 'no pair of loads' : `${signedPercent(ratio - 1)} (${range})`;
  const other = against === baseline ? '' : ` against ${against}`;
  const spoken = ratio === undefined ? figures : `${speedComparison(ratio, against)}, ${range}`;
  const label = `${profile.id}: ${spoken}; ${verdictLabel(profile)}`;
  return html`<div class="row"><div class="label"><b>${profile.id}</b><span>${figures}${other}</span>
<span class="badge ${verdict}">${verdictLabel(profile)}</span></div>
<div class="track"><svg class="plot ${verdict}" role="img" aria-label="${label}">${backdrop(scale)}${pairs.map((pair, at) => pairMark(pair, at, scale))}
${intervalMark(profile, scale)}</svg></div></div>`;
}

function backdrop(scale: ChartScale): Markup {
  const from = scale.position(1 - MEANINGFUL_CHANGE);
  const to = scale.position(1 + MEANINGFUL_CHANGE);
  const unity = percent(scale.position(1));
  const lines = scale.ticks.map((tick) => {
    const x = percent(scale.position(tick));
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
  });
  return html`<rect class="band" x="${percent(from)}" width="${percent(to - from)}" y="0" height="100%"/>${lines}
<line class="unity" x1="${unity}" x2="${unity}" y1="0" y2="100%"/>`;
}

/** Evenly spread members of the sorted sample, with the lowest and the highest: more dots show nothing more. */
function thinned(pairs: readonly number[]): readonly number[] {
  if (pairs.length <= MAX_DOTS) return pairs;
  const sorted = [...pairs].sort((a, b) => a - b);
  return Array.from({ length: MAX_DOTS }, (_, at) => sorted[Math.round((at * (sorted.length - 1)) / (MAX_DOTS - 1))] ?? 1);
}

const MAX_DOTS = 200;

/** Pairs lie below the bar, in three lines so that equal ones stay apart. */
function pairMark(ratio: number, at: number, scale: ChartScale): Markup {
  return html`<circle class="pair" cx="${percent(scale.position(ratio))}" cy="${percent(64 + (at % 3) * 11)}" r="2.5"/>`;
}

function intervalMark({ versusBaseline: { ratio, low, high } }: ProfileComparison, scale: ChartScale): Markup {
  if (ratio === undefined) return html``;
  const at = html`<circle class="estimate" cx="${percent(scale.position(ratio))}" cy="32%" r="6"/>`;
  if (low === undefined || high === undefined) return at;
  return html`<line class="interval" x1="${percent(scale.position(low))}" x2="${percent(scale.position(high))}" y1="32%" y2="32%"/>${at}`;
}

function axis(scale: ChartScale): Markup {
  const ticks = scale.ticks.map(
    (tick) => html`<text x="${percent(scale.position(tick))}" y="70%">${tick.toFixed(2).replace(/0$/, '')}</text>`,
  );
  return html`<div class="track"><svg class="plot">${ticks}</svg></div>`;
}

const percent = (share: number): string => `${share.toFixed(2)}%`;
