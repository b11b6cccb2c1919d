/** Each page over each link: a table of medians while it is small, a heat map of changes where it is large. */
import type { Comparison, ScenarioComparison } from '../../compare/comparison.ts';
import { profileLabel } from '../../profiles/presets.ts';
import { counted, formatSeconds, percent, signedPercent, UNKNOWN } from '../../text/figures.ts';
import { html, type Markup, tableSection } from '../../text/markup.ts';
import { changeStep, HEAT_STEPS } from '../heat-map-svg.ts';
import type { Report } from '../report.ts';
import { baselineLabel, bestFirst } from '../shown-comparison.ts';
import { nameWithId } from './card.ts';

/** With more scenarios the columns no longer fit beside each other at 1,280 px. */
const MAX_COLUMNS = 4;
const NAME = 'Each page over each link';

export function scenarioTable(comparison: Comparison): Markup {
  return comparison.scenarios.length <= MAX_COLUMNS ? medianTable(comparison) : heatMap(comparison);
}

interface MapInput {
  readonly profileId: string;
  /** The protocol, where the report has several. */
  readonly over: string | undefined;
}

/** Pages by links: how much faster or slower one profile is than the baseline. `undefined`: fewer than two of them have loads of both. */
export function pageLinkMap(
  { comparison, loads }: Pick<Report, 'comparison' | 'loads'>,
  { profileId, over }: MapInput,
): Markup | undefined {
  const { baseline } = comparison;
  const there = new Set(loads.map(({ page }) => page));
  const scenarios = comparison.scenarios.flatMap((scenario) => {
    const [own, reference] = [profileIn(scenario, profileId), profileIn(scenario, baseline)];
    const ratio = speedRatio(own?.loadTimeMsMedian, reference?.loadTimeMsMedian);
    return ratio === undefined || !there.has(scenario.page)
      ? []
      : [{ ...scenario, ratio, loads: Math.min(own?.loads ?? 0, reference?.loads ?? 0) }];
  });
  if (scenarios.length < 2) return undefined;
  const [pages, links] = [[...new Set(scenarios.map(({ page }) => page))], [...new Set(scenarios.map(({ link }) => link))]];
  const rows = pages.map((page) => {
    const cells = links.map((link) => {
      const found = scenarios.find((each) => each.page === page && each.link === link);
      return found === undefined
        ? html`<td>${UNKNOWN}</td>`
        : html`<td class="${heatClass(found.ratio)}">${signedPercent(Math.round(100 * (found.ratio - 1)) / 100)}</td>`;
    });
    return html`<tr><th scope="row">${page}</th>${cells}</tr>`;
  });
  return tableSection({
    name: `What was measured: ${profileLabel(profileId)}${over === undefined ? '' : ` over ${over}`}, page by link`,
    caption: `Faster (+, blue) or slower (−, orange) than ${baselineLabel(baseline)}: change of median load times of ${loadsEach(scenarios.map((each) => each.loads))} of each. ${SHADES}`,
    headings: ['Page', ...links],
    rows,
    kind: 'heat map',
  });
}

/** `6 loads`, `5 to 6 loads`. */
function loadsEach(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? counted(least, 'load') : `${least} to ${counted(most, 'load')}`;
}

const SHADES = 'Without colour: a change below 3 %; the strongest colour is 50 % faster or 33 % slower, and beyond.';

type ScenarioProfile = ScenarioComparison['profiles'][number];

const profileIn = ({ profiles }: ScenarioComparison, id: string): ScenarioProfile | undefined =>
  profiles.find((profile) => profile.id === id);

/** A column per page and link; the fastest median of each is marked, for eyes and for screen readers. */
function medianTable(comparison: Comparison): Markup {
  const { baseline, scenarios } = comparison;
  const fastest = scenarios.map(({ profiles }) => {
    const times = profiles.map(({ loadTimeMsMedian }) => loadTimeMsMedian).filter((time) => time !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  });
  const rows = bestFirst(comparison).map(({ id }) => {
    const cells = scenarios.map((scenario, at) => {
      const own = profileIn(scenario, id);
      const first = own?.loadTimeMsMedian !== undefined && own.loadTimeMsMedian === fastest[at];
      const mark = first ? html` <span class="hidden">(fastest)</span>` : undefined;
      return html`<td class="${first ? 'fastest' : ''}">${formatSeconds(own?.loadTimeMsMedian)}${mark}
<small>efficiency ${own?.efficiencyMedian === undefined ? UNKNOWN : percent(own.efficiencyMedian)}, ${counted(own?.loads ?? 0, 'load')}</small></td>`;
    });
    return html`<tr><th scope="row">${nameWithId(id, baseline)}</th>${cells}</tr>`;
  });
  return tableSection({
    name: NAME,
    caption: 'Medians of load time and efficiency; the fastest profile of each column is bold.',
    headings: ['Profile', ...scenarios.map(({ page, link }) => `${page} over ${link}`)],
    rows,
  });
}

/** A row per page and link, a column per profile: how much faster or slower than the baseline, as a figure and as a colour around 1. */
function heatMap(comparison: Comparison): Markup {
  const { baseline, scenarios } = comparison;
  const others = bestFirst(comparison).filter(({ id }) => id !== baseline);
  const rows = scenarios.map((scenario) => {
    const reference = profileIn(scenario, baseline)?.loadTimeMsMedian;
    const cells = others.map(({ id }) => {
      const ratio = speedRatio(profileIn(scenario, id)?.loadTimeMsMedian, reference);
      return ratio === undefined ? html`<td>${UNKNOWN}</td>` : html`<td class="${heatClass(ratio)}">${signedPercent(ratio - 1)}</td>`;
    });
    return html`<tr><th scope="row">${scenario.page} over ${scenario.link}</th><td>${formatSeconds(reference)}</td>${cells}</tr>`;
  });
  return tableSection({
    name: NAME,
    caption: `Faster (+, blue) or slower (−, orange) than ${baselineLabel(baseline)}, by median load time of ${loadsEach(scenarios.flatMap(({ profiles }) => profiles.map(({ loads }) => loads)))} of each. ${SHADES}`,
    headings: ['Page and link', `${baseline}, load time`, ...others.map(({ id }) => id)],
    rows,
    kind: 'heat',
  });
}

function speedRatio(own: number | undefined, reference: number | undefined): number | undefined {
  const ratio = own === undefined || reference === undefined ? undefined : reference / own;
  // A file may hold any number.
  return ratio !== undefined && ratio > 0 && Number.isFinite(ratio) ? ratio : undefined;
}

/** `heat-0` for a change that means nothing, `faster-1` to `faster-5`, `slower-1` to `slower-5`. */
export function heatClass(ratio: number): string {
  const step = changeStep(ratio);
  return step === 0 ? 'heat-0' : `${step > 0 ? 'faster' : 'slower'}-${Math.abs(step)}`;
}

/** Per cent of colour in the strongest shade. */
const MAX_BLEND = 62;

/** The rules of all shades, for light and dark paper: the ink of the page is readable on each (blends of at most 62 %). */
export const HEAT_STYLE = ['faster', 'slower']
  .flatMap((side) =>
    Array.from({ length: HEAT_STEPS }, (_, at) => {
      const share = Math.round(((at + 1) / HEAT_STEPS) * MAX_BLEND);
      return `td.${side}-${at + 1} { background: color-mix(in srgb, var(--${side}) ${share}%, var(--card)); }`;
    }),
  )
  .join('\n');
