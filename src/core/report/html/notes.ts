/** The lists of the HTML report: where the figures come from, and what each means. */
import type { Comparison, ComparisonMethod } from '../../compare/comparison.ts';
import type { PreferenceValue } from '../../profiles/knob.ts';
import { counted, percent } from '../../text/figures.ts';
import { html, type Markup } from '../../text/markup.ts';
import { provenanceNotes } from '../lab-deviations.ts';
import { METRIC_VERSION, type Report } from '../report.ts';
import { machineLoadText } from '../report-markdown.ts';
import { soundnessNotes } from '../shown-comparison.ts';

type Fact = readonly [term: string, text: string | undefined];

export function provenanceSection({ provenance, createdAt, pages, profiles, metricVersion, loads }: Report): Markup {
  const { firefox } = provenance;
  const facts: readonly Fact[] = [
    ['Made', createdAt],
    ['Plumbfox', `${provenance.plumbfox}, measures version ${metricVersion}`],
    ['Firefox', firefox && [firefox.version, firefox.channel, firefox.buildId && `build ${firefox.buildId}`].filter(Boolean).join(', ')],
    ['System', provenance.os],
    ['Load average of the machine', machineLoadText(provenance)],
    ['Node', provenance.node],
    ['Profiles applied by', provenance.applier],
    ['Seed', String(provenance.seed)],
    ['Congestion control', provenance.congestionControl],
    [
      'Losses, jitter, traces',
      provenance.weather && 'drawn anew for each page, link and block from the seed; the same for all profiles of a block',
    ],
    ['Loads', `${loads.length}`],
    ['Pages', pages.map(pageText).join('; ')],
    ...profiles.map(({ id, intended }): Fact => [`Set by ${id}`, preferencesText(intended) || "nothing: Firefox's own settings"]),
    ['Set for every profile', provenance.labPreferences && preferencesText(provenance.labPreferences)],
    ...provenanceNotes(provenance).map((note): Fact => ['Note', note]),
  ];
  return html`<section><h2>Where the figures come from</h2>${list(facts)}</section>`;
}

function pageText({ name, requests, origins, bytes }: Report['pages'][number]): string {
  const parts = [
    requests === undefined ? '' : counted(requests, 'request'),
    origins === undefined ? '' : counted(origins, 'server'),
    bytes === undefined ? '' : `${Math.round(bytes / 1000)} kB`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
}

function preferencesText(preferences: Readonly<Record<string, PreferenceValue>>): string {
  return Object.entries(preferences)
    .map(([preference, value]) => `${preference} = ${value}`)
    .join(', ');
}

/** The changes that these loads could have found, and where they fall into groups. */
export function soundnessSection(comparison: Comparison): Markup | undefined {
  const notes = soundnessNotes(comparison);
  if (notes.length === 0) return undefined;
  return html`<section><h2>What these loads can tell</h2>${notes.map((note) => html`<p>${note}</p>`)}</section>`;
}

const meaningsOf = ({ method }: Comparison): readonly Fact[] => [
  [
    'Load time',
    'From the start of the navigation to the last byte of the last request before the network was idle for 2 s. In the table by profile the geometric mean of the loads, over several pages and links that of each; by page and link the median.',
  ],
  [
    'Efficiency',
    'The shortest time any transport could need on the link (one round trip, and the bytes at the link’s rate) over the load time: 100 % is perfect. Over several pages and links: the geometric mean.',
  ],
  ['Against the baseline', methodSentence(method)],
  ['Faster, slower', 'The interval excludes no change, and the change is at least 3 %.'],
  ['No real difference', 'The whole interval lies within 3 % of no change.'],
  ['Not enough data yet', 'Neither can be said yet; in brackets: how many more loads of each profile in this run would decide it.'],
  ['No verdict', 'A check failed, so the figures are shown but nothing is concluded from them.'],
  ['Excluded', 'The conditions of that load were not what was asked, so it does not count.'],
  [
    'Depth by',
    'What makes several outstanding requests on one connection real: the gateway (HTTP/1.1 pipelining by a local proxy), http2 streams, or a legacy browser’s own pipelining. A dash: nothing does.',
  ],
  [
    'Places',
    'Ranks by median efficiency on each page and link, without the control. The best quarter of the profiles, rounded up, have a top-quartile slot; equal figures share a place. They describe and prove nothing.',
  ],
  ['Control', 'Six connections without pipelining, but through the gateway: what the gateway itself costs or gains.'],
];

export function meaningSection({ comparison }: Report): Markup {
  return html`<section class="meaning"><h2>What each figure means</h2>${list(meaningsOf(comparison))}</section>`;
}

/** Figures of another version of the measures are not comparable with those of this Plumbfox. */
export function versionNote({ metricVersion }: Report): Markup | undefined {
  if (metricVersion === METRIC_VERSION) return undefined;
  return html`<p class="note">Measures version ${metricVersion}; this Plumbfox has version ${METRIC_VERSION}: do not compare figures of the two.</p>`;
}

function list(facts: readonly Fact[]): Markup {
  return html`<dl>${facts.map(([term, text]) => (text === undefined || text === '' ? html`` : html`<dt>${term}</dt><dd>${text}</dd>`))}</dl>`;
}

/** How the intervals of a comparison were made, for a reader. */
export function methodSentence({ estimate, looks, alpha, intervals, ...planned }: ComparisonMethod): string {
  const ratio =
    estimate === 'paired'
      ? 'Ratio of efficiencies of loads made in the same block on the same page and link'
      : 'Ratio of efficiencies of everyday loads, with what belongs to the page, the link and the stretch of time taken out';
  const together = intervals === 1 ? 'misses the truth' : `and all ${intervals} of this comparison together miss a truth`;
  return `${ratio}; a ratio of 1.2 is 20 % faster. ${intervalSentence({ looks, alpha, intervals }, { together, end: endOf(planned) })}`;
}

function endOf({ plannedBlocks, plannedPairs }: Pick<ComparisonMethod, 'plannedBlocks' | 'plannedPairs'>): string {
  if (plannedBlocks !== undefined) return counted(plannedBlocks, 'block');
  return plannedPairs === undefined ? 'its planned end' : counted(plannedPairs, 'pair');
}

function intervalSentence(
  { looks, alpha, intervals }: Pick<ComparisonMethod, 'looks' | 'alpha' | 'intervals'>,
  { together, end }: { readonly together: string; readonly end: string },
): string {
  const share = `${together} in at most ${percent(alpha)} of such runs.`;
  const subject = intervals === 1 ? 'it ' : '';
  if (looks === 'any')
    return `The interval is anytime-valid: it may be looked at after every load, ${intervals === 1 ? 'and it ' : ''}${share}`;
  if (looks === 'planned')
    return `The interval is for a run of ${end}, where most of the chance of an error is spent; before and after it holds as well: ${subject}${share}`;
  return `The interval is for one look, at the number of loads that was planned; ${subject}${share}`;
}
