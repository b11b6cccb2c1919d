/** Each page over each link: a table of medians while it is small, a heat map of changes where it is large. */
import type { Comparison, ScenarioComparison } from '../../compare/comparison.ts';
import { MEANINGFUL_CHANGE } from '../../compare/thresholds.ts';
import { formatEfficiency, formatSeconds, signedPercent, UNKNOWN } from '../../text/figures.ts';
import { html, type Markup, tableSection } from '../../text/markup.ts';
import { bestFirst } from '../shown-comparison.ts';

/** With more scenarios the columns no longer fit beside each other at 1,280 px. */
const MAX_COLUMNS = 4;
const NAME = 'Each page over each link';

export function scenarioTable(comparison: Comparison): Markup {
  return comparison.scenarios.length <= MAX_COLUMNS ? medianTable(comparison) : heatMap(comparison);
}

type ScenarioProfile = ScenarioComparison['profiles'][number];

const profileIn = ({ profiles }: ScenarioComparison, id: string): ScenarioProfile | undefined =>
  profiles.find((profile) => profile.id === id);

/** A column per page and link; the fastest median of each is marked, for eyes and for screen readers. */
function medianTable(comparison: Comparison): Markup {
  const { scenarios } = comparison;
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
<small>efficiency ${formatEfficiency(own?.efficiencyMedian)}, ${own?.loads ?? 0} loads</small></td>`;
    });
    return html`<tr><th scope="row">${id}</th>${cells}</tr>`;
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
    caption: `Faster (+, blue) or slower (−, orange) than ${baseline}, by median load time. White is a change below 3 %; the strongest colour is 50 % faster or 33 % slower, and beyond.`,
    headings: ['Page and link', `${baseline}, load time`, ...others.map(({ id }) => id)],
    rows,
    kind: 'heat',
  });
}

function speedRatio(own: number | undefined, reference: number | undefined): number | undefined {
  return own === undefined || reference === undefined ? undefined : reference / own;
}

/** Shades on either side of 1; the strongest stands for a factor of 1.5 and more, evenly spaced on a log scale. */
const HEAT_STEPS = 5;
/** Per cent of colour in the strongest shade. */
const MAX_BLEND = 62;
const STRONGEST_FACTOR = 1.5;

/** `heat-0` for a change that means nothing, `faster-1` to `faster-5`, `slower-1` to `slower-5`. */
export function heatClass(ratio: number): string {
  if (Math.abs(ratio - 1) < MEANINGFUL_CHANGE) return 'heat-0';
  const strength = Math.min(1, Math.abs(Math.log(ratio)) / Math.log(STRONGEST_FACTOR));
  return `${ratio > 1 ? 'faster' : 'slower'}-${Math.max(1, Math.ceil(strength * HEAT_STEPS))}`;
}

/** The rules of all shades, for light and dark paper: the ink of the page is readable on each (blends of at most 62 %). */
export const HEAT_STYLE = ['faster', 'slower']
  .flatMap((side) =>
    Array.from({ length: HEAT_STEPS }, (_, at) => {
      const share = Math.round(((at + 1) / HEAT_STEPS) * MAX_BLEND);
      return `td.${side}-${at + 1} { background: color-mix(in srgb, var(--${side}) ${share}%, var(--card)); }`;
    }),
  )
  .join('\n');
