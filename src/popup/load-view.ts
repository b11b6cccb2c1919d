/** The last load: how long it took, how efficient it was, and why. Figures of a network in the field are estimates and say so. */

import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import { duplicateCost } from '../core/measure/duplicate-fetches.ts';
import { disprovesLink } from '../core/measure/efficiency.ts';
import type { CutShort, LoadMeasures } from '../core/measure/load-measures.ts';
import type { HttpVersion } from '../core/measure/page-load.ts';
import { MAX_REQUESTS } from '../core/measure/page-load.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { linkLabel } from '../views/prediction-view.ts';
import { format, text } from '../views/text.ts';

type LastLoad = NonNullable<PopupState['lastLoad']>;

export interface LoadView {
  /** The page's host; what the page was where it had none. */
  readonly page: string;
  readonly age: string;
  readonly loadTime: string;
  readonly efficiency: { readonly value: string; readonly explanation: string };
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly findings: readonly Finding[];
}

export function loadView(load: LastLoad, now: number): LoadView {
  const { measures, link } = load;
  const time = format.duration(measures.loadTimeMs);
  return {
    page: pageName(load.url),
    age: format.age(now - load.startedAt),
    loadTime: measures.cutShort === undefined ? time : text('figure.atLeast', { figure: time }),
    efficiency: efficiencyOf(load),
    facts: factsOf(load),
    findings: loadFindings(measures, { rttMs: link?.rttMs, downKbps: link?.downKbps }),
  };
}

function pageName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return text('load.noAddress');
  return parsed.host === '' ? text('load.noHost', { protocol: parsed.protocol }) : parsed.host;
}

function efficiencyOf(load: LastLoad): LoadView['efficiency'] {
  const { measures } = load;
  const { efficiency, idealTimeMs: time } = measures;
  if (efficiency !== undefined) {
    const explanation = time === undefined ? text('load.efficiency') : text('load.efficiency.ideal', { time });
    return { value: format.percent(efficiency), explanation };
  }
  if (measures.cutShort === undefined && disprovesLink(measures)) {
    const explanation = time === undefined ? text('load.networkWrong') : text('load.networkWrong.ideal', { time });
    return { value: text('figure.networkWrong'), explanation };
  }
  return { value: text('figure.unknown'), explanation: unknownEfficiency(load) };
}

function unknownEfficiency({ measures, link, linkPending }: LastLoad): string {
  if (measures.cutShort !== undefined) return text('load.cutShort', { why: cutShortLabel(measures.cutShort) });
  if (linkPending) return text('load.networkPending');
  if (link === undefined) return text('load.networkUnknown');
  return text(measures.bytes === undefined ? 'load.noBytes' : 'load.noIdeal');
}

function cutShortLabel(cutShort: CutShort): string {
  switch (cutShort) {
    case 'document-failed':
      return text('load.documentFailed');
    case 'no-load-event':
      return text('load.noLoadEvent');
    case 'page-left':
      return text('load.pageLeft');
    case 'time-limit':
      return text('load.timeLimit');
    case 'too-many-requests':
      return text('load.tooManyRequests', { most: MAX_REQUESTS });
    default:
      return assertNever(cutShort);
  }
}

function factsOf({ measures, link }: LastLoad): LoadView['facts'] {
  const optional = (term: string, value: string | undefined) => (value === undefined ? [] : [{ term, value }]);
  const duration = (ms: number | undefined) => (ms === undefined ? undefined : format.duration(ms));
  return [
    ...optional(text('load.firstPaint'), duration(measures.firstContentfulPaintMs)),
    ...optional(text('load.largestPaint'), duration(measures.largestContentfulPaintMs)),
    { term: text('load.received'), value: measures.bytes === undefined ? text('figure.unknown') : format.size(measures.bytes) },
    ...optional(text('load.network'), link && linkLabel(link)),
    { term: text('load.roundTrip'), value: estimate(link?.rttMs, link?.rttIntervalMs, format.duration) },
    { term: text('load.rate'), value: estimate(link?.downKbps, link?.downIntervalKbps, format.rate) },
  ];
}

type Bounds = { readonly low?: number | undefined; readonly high?: number | undefined };

/** The figure with the interval that its samples allow, where there are enough of them. */
function estimate(value: number | undefined, bounds: Bounds | undefined, label: (value: number) => string): string {
  if (value === undefined) return text('figure.notYet');
  const { low, high } = bounds ?? {};
  if (low === undefined || high === undefined || label(low) === label(high)) return label(value);
  return text('figure.interval', { figure: label(value), low: label(low), high: label(high) });
}

export interface Finding {
  readonly text: string;
  /** `cost`: this took time that another profile or another page might save; `plain`: a fact; `unknown`: could not be measured. */
  readonly tone: 'cost' | 'plain' | 'unknown';
}

/** Estimated; `undefined`: not known yet. */
interface Network {
  readonly rttMs: number | undefined;
  readonly downKbps?: number | undefined;
}

/** A wait counts as a cost from the size of change the verdicts call meaningful (3 % of the load time). */
const MEANINGFUL_SHARE = 0.03;
const VERSIONS: readonly HttpVersion[] = ['http/1.0', 'http/1.1', 'http/2', 'http/3'];

/** Why a load took as long as it did: one finding per measure, what cost time first. */
export function loadFindings(measures: LoadMeasures, network: Network): readonly Finding[] {
  const all = [
    queueWait(measures),
    ...connections(measures, network),
    ...duplicates(measures, network),
    ...failures(measures),
    ...renderBlocking(measures),
    outstanding(measures),
    versions(measures),
  ];
  const order = { cost: 0, plain: 1, unknown: 2 } as const;
  return all.toSorted((a, b) => order[a.tone] - order[b.tone]);
}

const cost = (sentence: string): Finding => ({ text: sentence, tone: 'cost' });
const plain = (sentence: string): Finding => ({ text: sentence, tone: 'plain' });
const unknown = (sentence: string): Finding => ({ text: sentence, tone: 'unknown' });

function queueWait({ queueWait: wait, loadTimeMs }: LoadMeasures): Finding {
  if (wait === undefined) return unknown(text('load.wait.unknown'));
  const { maxMs: longest, medianMs: typical } = wait;
  if (longest === 0) return plain(text('load.wait.none'));
  const waited = typical === 0 ? text('load.wait.few', { longest }) : text('load.wait', { longest, typical });
  return longest >= MEANINGFUL_SHARE * loadTimeMs ? cost(text('load.wait.cost', { wait: waited })) : plain(waited);
}

function connections({ coldConnections: cold, reusedConnections: reused }: LoadMeasures, { rttMs: time }: Network): Finding[] {
  if (cold === undefined && reused === undefined) return [unknown(text('load.opened.unknown'))];
  const found = [
    ...(cold === undefined ? [] : [cold === 0 ? text('load.opened.none') : text('load.opened', { count: cold })]),
    ...(reused === undefined ? [] : [text('load.reused', { count: reused })]),
  ].join(' ');
  if (cold === undefined || cold === 0) return [plain(found)];
  return [cost(`${found} ${time === undefined ? text('load.opened.cost') : text('load.opened.costHere', { time })}`)];
}

function duplicates(measures: LoadMeasures, { rttMs, downKbps }: Network): Finding[] {
  const link = rttMs === undefined || downKbps === undefined ? undefined : { rttMs, downKbps };
  const duplicate = duplicateCost(measures, link);
  if (duplicate === undefined) return [plain(text('load.noDuplicates'))];
  return [cost(duplicateCostText(duplicate, [{ where: text('load.here'), ms: duplicate.ms }], format))];
}

function failures({ failedRequests: count, requests }: LoadMeasures): Finding[] {
  return count === 0 ? [] : [cost(text('load.failures', { count, requests }))];
}

function renderBlocking({ renderBlockingEndMs: time }: LoadMeasures): Finding[] {
  return time === undefined ? [] : [plain(text('load.renderBlocking', { time }))];
}

function outstanding({ peakOutstanding: peak, peakOutstandingByOrigin, requests: count }: LoadMeasures): Finding {
  const requests = text('count.requests', { count });
  const busiest = Object.entries(peakOutstandingByOrigin).reduce<readonly [string, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  );
  if (busiest === undefined) return plain(text('load.outstanding', { peak, requests }));
  const [origin, most] = busiest;
  return plain(text('load.outstanding.server', { peak, requests, busiest: most, server: origin.replace(/^[a-z]+:\/\//, '') }));
}

function versions({ httpVersions }: LoadMeasures): Finding {
  const shares = VERSIONS.flatMap((version) => {
    const share = httpVersions[version];
    return share === undefined || share === 0 ? [] : [text('load.version', { share, version: version.toUpperCase() })];
  });
  if (shares.length === 0) return unknown(text('load.versions.unknown'));
  return plain(text('load.versions', { list: shares.join(', '), reach: reach(httpVersions) }));
}

/** What a preference that only touches HTTP/1.1 can reach at all. */
function reach(httpVersions: LoadMeasures['httpVersions']): string {
  const share = (httpVersions['http/1.0'] ?? 0) + (httpVersions['http/1.1'] ?? 0);
  if (share === 0) return text('load.reach.none');
  return share > 1 - 1e-9 ? text('load.reach.all') : text('load.reach.part', { share });
}
