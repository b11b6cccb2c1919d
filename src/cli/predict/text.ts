/** The output of `plumbfox predict`: the recommendation, what was predicted for, the table, and what it rests on. */

import type { Inference, InferredField } from '../../core/graph/inference.ts';
import { duplicateCostText } from '../../core/measure/duplicate-cost-text.ts';
import { ERROR_BASIS, MIN_HELD, type RegimeError, regimeLabel } from '../../core/predict/model-error.ts';
import { SHAKEN_BY } from '../../core/predict/predict.ts';
import { duplicatesJson, type PredictionResult, pageJson } from '../../core/predict/predict-json.ts';
import { isUnchanged, type PredictedEffect, type PredictedProfile, predictedEffect } from '../../core/predict/predicted-profiles.ts';
import {
  bandLabel,
  type PredictedRecommendation,
  profileReach,
  reachSentence,
  TO_MEASURE,
} from '../../core/predict/recommend-prediction.ts';
import type { RecordComparison } from '../../core/predict/recorded-loads.ts';
import { BASELINE_ID } from '../../core/profiles/profile.ts';
import { counted, formatSeconds, percent, signedPercent, UNKNOWN } from '../../core/text/figures.ts';
import { boundLabel, formatGatewayVisit, formatWithheld } from '../../core/text/labels.ts';
import { printable, type TextColumn, textTable, wrapped } from '../../core/text/text-table.ts';
import { runnable } from '../output/own-command.ts';
import { linkLabel } from './link.ts';

/**
 * Every line ends without blanks; the text ends with a line break.
 * @param shown.plumbfox - What runs Plumbfox in the reader's shell.
 * @param shown.verbose - Also how far such predictions were off, regime by regime.
 */
export function predictText(
  facts: PredictionResult,
  { width, plumbfox = 'plumbfox', verbose = false }: { readonly width: number; readonly plumbfox?: string; readonly verbose?: boolean },
): string {
  const { pages, scenarios, profiles, recommendation, notes } = facts;
  const reach = reachSentence(profileReach(pages.map(({ page }) => page)));
  const paragraphs = [
    recommended(recommendation, { width, plumbfox }),
    heading(facts).map((line) => wrapped(line, width)),
    ...besideRecords(facts, width),
    profileTable(profiles, width),
    ...[...notModelled(profiles), ...cannotAct(profiles), ...throughGateway(profiles), ...fetchedTwice(facts)].map((sentence) => [
      wrapped(sentence, width),
    ]),
    ...(scenarios.length > 1 ? [scenarioTable(facts, width)] : []),
    ...(reach === undefined ? [] : [[wrapped(reach, width)]]),
    ...(verbose ? [errorSentences(facts).map((sentence) => wrapped(sentence, width))] : []),
    ...[...assumed(facts), ...notes].map((sentence) => [wrapped(sentence, width)]),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The command on its own line, whole, so that it can be copied. */
function recommended(
  { sentence, measure }: PredictedRecommendation,
  { width, plumbfox }: { readonly width: number; readonly plumbfox: string },
): readonly string[] {
  const command = `${TO_MEASURE}${measure}`;
  return sentence.endsWith(command)
    ? [wrapped(sentence.slice(0, -command.length), width).trimEnd(), printable(`${TO_MEASURE}${runnable(measure, plumbfox)}`)]
    : [wrapped(sentence, width)];
}

function heading({ pages, links, scenarios }: PredictionResult): readonly string[] {
  const runs = Math.max(...scenarios.map((scenario) => scenario.runs));
  return [
    ...pages.map(({ name, page }) => `Page ${name}: ${pageLabel(pageJson(page))}`),
    ...links.map((link) => `Link${link.name.includes('=') ? '' : ` ${link.name}`}: ${linkLabel(link)}`),
    ...(runs > 1
      ? [
          `Load times are medians of ${runs} simulated loads, each over a link varied by up to ${percent(SHAKEN_BY)}. In brackets: ranges of a kind that held at least ${percent(MIN_HELD)} of new lab loads.`,
        ]
      : []),
    ...(scenarios.length > 1 ? ['Load time and efficiency are geometric means over pages and links.'] : []),
  ];
}

function pageLabel({ requests, origins, bytes }: ReturnType<typeof pageJson>): string {
  return `${counted(requests, 'request')} to ${counted(origins, 'server')}, ${sizeLabel(bytes)}`;
}

/** `200 bytes`, `940 kB`, `1.5 MB`; 1 kB is 1000 bytes, as rates have it. */
function sizeLabel(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The simulation beside what was recorded: of one load in a sentence, of several in a table. */
function besideRecords({ recorded, beside }: PredictionResult, width: number): readonly (readonly string[])[] {
  const unknown = recorded.filter(({ link }) => link === undefined);
  const sentences = [
    ...unknown.map(
      ({ page, loadTimeMs }) =>
        `Recorded ${formatSeconds(loadTimeMs)}${recorded.length > 1 ? ` (${page})` : ''}; the file does not show its link, so this cannot be compared with a simulation.`,
    ),
    ...(beside.length === 1 ? beside.map(comparisonLine) : []),
  ];
  const page: TextColumn<RecordComparison> = { heading: 'page', align: 'left', cell: (each) => each.page };
  const link: TextColumn<RecordComparison> = { heading: 'link', align: 'left', cell: (each) => each.link };
  const times: readonly TextColumn<RecordComparison>[] = [
    { heading: 'recorded', align: 'right', cell: ({ recordedMs }) => formatSeconds(recordedMs) },
    { heading: 'simulated', align: 'right', cell: ({ simulatedMs }) => formatSeconds(simulatedMs) },
    { heading: 'off by', align: 'right', cell: ({ difference }) => signedPercent(difference) },
  ];
  const loads: TextColumn<RecordComparison> = { heading: 'loads', align: 'right', cell: (each) => String(each.loads) };
  const layouts = [
    [page, link, loads, ...times],
    [page, link, ...times],
    [page, ...times],
  ];
  return [
    ...(sentences.length === 0 ? [] : [sentences.map((each) => wrapped(each, width))]),
    ...(beside.length > 1 ? [fitting(beside, layouts, width)] : []),
  ];
}

function comparisonLine({ loads, recordedMs, simulatedMs, difference, profileId, state, limit: errorP90 }: RecordComparison): string {
  const median = loads > 1 ? ` (median of ${loads} loads)` : '';
  const limit = errorP90 === undefined ? '' : `, ${state === 'parts' ? 'more than' : 'within'} the model's error (${percent(errorP90)})`;
  return `Recorded ${formatSeconds(recordedMs)}${median}, simulated ${formatSeconds(simulatedMs)} with ${profileId}: ${signedPercent(difference)}${limit}.`;
}

type Row = readonly [PredictedProfile, ...PredictedProfile[]];
type Column = TextColumn<Row>;

/** Names in one row; where more profiles are predicted alike, their number. */
const MAX_NAMES = 4;

const namesOf = (row: readonly PredictedProfile[]): string => namesLabel(row.map(({ profile }) => profile.id));

function namesLabel(names: readonly string[]): string {
  const beyond = names.length - MAX_NAMES;
  return beyond <= 0 ? names.join(', ') : `${names.slice(0, MAX_NAMES).join(', ')} and ${beyond} more`;
}

/** Whether its figures are its own. */
function isSimulated(each: PredictedProfile): boolean {
  const effect = predictedEffect(each);
  return effect === 'predicted' || effect === 'unchanged';
}

/**
 * Layouts from the widest to the narrowest. Figures of what is not simulated at all, or cannot act, are those of the baseline, and would say that it
 * has no effect.
 */
function layouts(profiles: readonly PredictedProfile[]): readonly (readonly Column[])[] {
  const deep = profiles.some(({ profile }) => profile.depth > 1);
  const figure = (cell: (each: PredictedProfile) => string) => (row: Row) => (isSimulated(row[0]) ? cell(row[0]) : UNKNOWN);
  const id: Column = { heading: 'profile', align: 'left', cell: namesOf };
  const carrier: Column = { heading: 'depth by', align: 'left', cell: ([each]) => (each.carrier === 'none' ? UNKNOWN : each.carrier) };
  const time: Column = { heading: 'load time', align: 'right', cell: figure(({ loadTimeMs }) => formatSeconds(loadTimeMs)) };
  const efficiency: Column = { heading: 'efficiency', align: 'right', cell: figure((each) => each.efficiency.toFixed(3)) };
  const connections: Column = { heading: CONNECTIONS, align: 'right', cell: (row) => (isSimulated(row[0]) ? connectionsOf(row) : UNKNOWN) };
  const bound: Column = {
    heading: 'most time goes to',
    align: 'left',
    cell: figure((each) => `${boundLabel(each.bound)}, ${percent(each.boundShares[each.bound])}`),
  };
  const gain: Column = {
    heading: `against ${BASELINE_ID}`,
    align: 'right',
    cell: ([each]) => gainText(each, { band: false }),
  };
  const gainWithBand: Column = { ...gain, cell: ([each]) => gainText(each, { band: true }) };
  const shortGain: Column = { ...gain, heading: 'gain' };
  return [
    [id, ...(deep ? [carrier] : []), time, efficiency, gainWithBand, connections, bound],
    [id, time, efficiency, gainWithBand, bound],
    [id, time, gainWithBand, bound],
    [id, time, gainWithBand],
    [id, time, efficiency, gain, bound],
    [id, time, efficiency, shortGain],
    [id, time, shortGain],
  ];
}

const CONNECTIONS = 'connections';

/** `12`, or `7 to 12` where profiles that share a row differ. */
function connectionsOf(row: Row): string {
  const counts = row.map((each) => each.connections);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return fewest === most ? String(most) : `${fewest} to ${most}`;
}

const EFFECT_LABELS: Readonly<Record<Exclude<PredictedEffect, 'predicted'>, string>> = {
  unchanged: 'no change',
  'not-modelled': 'not modelled',
  'cannot-act': 'cannot act',
  'short-round-trips': formatWithheld('short-round-trips'),
};

/** `+12 % (+5 to +18 %)`. */
function gainText(each: PredictedProfile, { band }: { readonly band: boolean }): string {
  if (each.profile.id === BASELINE_ID) return UNKNOWN;
  const effect = predictedEffect(each);
  if (effect !== 'predicted') return EFFECT_LABELS[effect];
  if (isUnchanged(each)) return EFFECT_LABELS.unchanged;
  const range = band && each.ratioBand !== undefined ? ` (${bandLabel(each.ratioBand)})` : '';
  return `${signedPercent(each.ratio - 1)}${range}`;
}

/** Profiles whose rows would read the same, connections aside, share one; the baseline has its own. */
function folded(profiles: readonly PredictedProfile[], columns: readonly Column[]): readonly Row[] {
  const rows = new Map<string, [PredictedProfile, ...PredictedProfile[]]>();
  for (const each of profiles) {
    const cells = columns.slice(1).flatMap(({ heading, cell }) => (heading === CONNECTIONS ? [] : [cell([each])]));
    const key = JSON.stringify([...cells, each.coverage.state === 'modelled']);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [each]);
    else row.push(each);
  }
  return [...rows.values()];
}

function profileTable(profiles: readonly PredictedProfile[], width: number): readonly string[] {
  const tables = layouts(profiles).map((columns) => textTable(folded(profiles, columns), columns));
  return tables.find((lines) => lines.every((line) => line.length <= width)) ?? tables.at(-1) ?? [];
}

/** Which profiles set what is not simulated. */
function notModelled(profiles: readonly PredictedProfile[]): readonly string[] {
  return profiles.flatMap(({ profile, coverage }) => {
    if (coverage.state === 'modelled' || coverage.state === 'cannot-act') return [];
    const part = coverage.state === 'in-part' ? 'Not modelled, so only the rest is predicted' : 'Not modelled, so nothing is predicted';
    return [`${part}: ${profile.id} (${coverage.notModelled.join(', ')}). It is not recommended.`];
  });
}

/** Profiles that act on no request of these pages. */
function cannotAct(profiles: readonly PredictedProfile[]): readonly string[] {
  const own = profiles.filter((each) => predictedEffect(each) === 'cannot-act');
  return own.length === 0 ? [] : [`Cannot act on these pages, so nothing is predicted: ${namesOf(own)}.`];
}

/** Which gateway the figures are of. */
function throughGateway(profiles: readonly PredictedProfile[]): readonly string[] {
  const visit = profiles.find(({ gateway }) => gateway !== undefined)?.gateway;
  return visit === undefined ? [] : [formatGatewayVisit(visit)];
}

const COST_FIGURES = {
  duration: formatSeconds,
  size: sizeLabel,
  count: (value: number, { one, many }: { readonly one: string; readonly many: string }) => `${value} ${value === 1 ? one : many}`,
};

/** Beside what most time goes to: what no setting gets back, and the page's author could. */
function fetchedTwice(facts: PredictionResult): readonly string[] {
  const isOne = facts.links.length === 1;
  return duplicatesJson(facts).map(({ page, links, bytes, ...cost }) => {
    const over = links.map(({ link, ms }) => ({ where: isOne ? 'over this link' : `over ${link}`, ms: ms ?? undefined }));
    const text = duplicateCostText({ ...cost, bytes: bytes ?? undefined }, over, { figures: COST_FIGURES });
    return facts.pages.length > 1 ? `${page}: ${text}` : text;
  });
}

/** The widest layout that fits, else the narrowest. */
function fitting<Each>(rows: readonly Each[], columns: readonly (readonly TextColumn<Each>[])[], width: number): readonly string[] {
  const tables = columns.map((each) => textTable(rows, each));
  return tables.find((lines) => lines.every((line) => line.length <= width)) ?? tables.at(-1) ?? [];
}

/** Each page over each link: load times of the baseline, the recommended and the best profile. */
function scenarioTable({ scenarios, profiles, recommendation: { profileId } }: PredictionResult, width: number): readonly string[] {
  type Scenario = (typeof scenarios)[number];
  const timeOf = ({ predictions }: Scenario, id: string) => predictions.find((each) => each.profileId === id)?.loadTimeMs;
  const modelled = new Set(
    profiles.filter(({ coverage, withheld }) => coverage.state === 'modelled' && withheld === undefined).map(({ profile }) => profile.id),
  );
  const best = ({ predictions }: Scenario) =>
    predictions
      .filter((each) => each.profileId === BASELINE_ID || modelled.has(each.profileId))
      .reduce((least, each) => (each.loadTimeMs < least.loadTimeMs ? each : least));
  const time = (id: string): TextColumn<Scenario> => ({
    heading: id,
    align: 'right',
    cell: (scenario) => formatSeconds(timeOf(scenario, id)),
  });
  const page: TextColumn<Scenario> = { heading: 'page', align: 'left', cell: (scenario) => scenario.page };
  const link: TextColumn<Scenario> = { heading: 'link', align: 'left', cell: (scenario) => scenario.link };
  const fastest: TextColumn<Scenario> = {
    heading: 'fastest',
    align: 'left',
    cell: (scenario) => `${best(scenario).profileId}, ${formatSeconds(best(scenario).loadTimeMs)}`,
  };
  const times = [...new Set([BASELINE_ID, profileId])].map(time);
  return fitting(
    scenarios,
    [
      [page, link, ...times, fastest],
      [page, link, fastest],
      [page, fastest],
    ],
    width,
  );
}

/** The measured errors by regime. Pages of several protocols were not measured, so each of their protocols is listed. */
function errorSentences({ regimes, unmeasured, pages }: PredictionResult): readonly string[] {
  const protocols = new Set(pages.flatMap(({ page }) => Object.values(page.origins ?? {}).map(({ protocol = 'http/1.1' }) => protocol)));
  return [
    ...regimes.map(regimeLine),
    ...(regimes.length > 0 ? [`Compared with ${ERROR_BASIS}.`] : []),
    ...(protocols.size > 1 && regimes.length > 0
      ? ['Pages that mix protocols were not measured: the largest of their errors is used.']
      : []),
    ...unmeasured.map((regime) => `The model's error was not measured for ${regime}.`),
  ];
}

function regimeLine({ loadTime, ratio, pacing, ...regime }: RegimeError): string {
  const off = ({ errorP50, errorP90, pairs, held }: RegimeError['loadTime']) =>
    `${percent(errorP50)} (median) and ${percent(errorP90)} (90th percentile) in ${counted(pairs, 'pair')}, ${held === undefined ? 'too few to test ranges' : `ranges held ${percent(held)} of new loads`}`;
  const gains = ratio === undefined ? 'predicted gains were not measured' : `predicted gains by ${off(ratio)}`;
  const paced = pacing === undefined ? '' : `; where pacing changes, by ${off(pacing)}`;
  return `Measured error, ${regimeLabel(regime)}: load times were off by ${off(loadTime)}; ${gains}${paced}.`;
}

/** How many requests each assumption concerns, and how many are no part of the page; of the link, that there was one. */
function assumed({ pages, links }: PredictionResult): readonly string[] {
  const counts = new Map<InferredField, number>();
  for (const { page, inferred } of pages) {
    for (const [field, requests] of countsOf(inferred)) {
      // Several rules of one field may concern the same request.
      const concerned = field === LEFT_OUT ? requests : Math.min(requests, page.requests.length);
      counts.set(field, (counts.get(field) ?? 0) + concerned);
    }
  }
  const parts = [...counts].flatMap(([field, requests]) => (field === LEFT_OUT ? [] : [`${FIELD_LABELS[field]} (${requests})`]));
  if (links.some(({ inferred = [] }) => inferred.length > 0)) parts.push('the link');
  const leftOut = counts.get(LEFT_OUT);
  const sentences = [
    ...(leftOut === undefined ? [] : [`Excluded: ${counted(leftOut, 'request')} of the record.`]),
    ...(parts.length === 0 ? [] : [`Assumed (number of requests): ${parts.join(', ')}.`]),
  ];
  return sentences.length === 0 ? [] : [`${sentences.join(' ')} --json names the rules.`];
}

function countsOf(inferred: readonly Inference[]): ReadonlyMap<InferredField, number> {
  const counts = new Map<InferredField, number>();
  for (const { field, requests } of inferred) counts.set(field, (counts.get(field) ?? 0) + requests);
  return counts;
}

const LEFT_OUT = 'left-out' satisfies InferredField;

const FIELD_LABELS: Readonly<Record<Exclude<InferredField, typeof LEFT_OUT>, string>> = {
  sizes: 'sizes of responses',
  'request-sizes': 'sizes of requests',
  'server-delays': 'server delays',
  discovery: 'initiators',
  protocols: 'protocols',
  classes: 'kinds of content',
  blocking: 'blocking of images',
  link: 'distances of servers',
  redirects: 'redirects',
};
