/** The last load, in words: how long it took, how efficient it was, and why. Link figures of the field are estimates and say so. */
import { assertNever } from '../core/errors.ts';
import { duplicateCostText } from '../core/measure/duplicate-cost-text.ts';
import { duplicateCost } from '../core/measure/duplicate-fetches.ts';
import { disprovesLink } from '../core/measure/efficiency.ts';
import type { CutShort, LoadMeasures } from '../core/measure/load-measures.ts';
import { MAX_REQUESTS } from '../core/measure/max-requests.ts';
import type { HttpVersion } from '../core/measure/page-load.ts';
import type { PopupState } from '../protocol/popup-state.ts';
import { type Figures, LINK_DISPROVED } from '../core/text/number-format.ts';

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

export function loadView(load: LastLoad, options: { readonly now: number; readonly figures: Figures }): LoadView {
  const { now, figures } = options;
  return {
    page: pageName(load.url),
    age: figures.age(now - load.startedAt),
    loadTime: `${load.measures.cutShort === undefined ? '' : 'at least '}${figures.duration(load.measures.loadTimeMs)}`,
    efficiency: efficiencyWords(load, figures),
    facts: facts(load, figures),
    findings: loadFindings(load.measures, { rttMs: load.link?.rttMs, downKbps: load.link?.downKbps, figures }),
  };
}

function pageName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'a page without an address';
  return parsed.host === '' ? `a page without a host (${parsed.protocol})` : parsed.host;
}

function efficiencyWords(load: LastLoad, figures: Figures): LoadView['efficiency'] {
  const { measures } = load;
  const { efficiency, idealTimeMs } = measures;
  if (efficiency !== undefined) {
    const ideal =
      idealTimeMs === undefined ? '' : ` No transport could have been faster than ${figures.duration(idealTimeMs)} (estimated).`;
    return {
      value: figures.percent(efficiency),
      explanation: `Estimated share of the speed that this link allows.${ideal}`,
    };
  }
  if (measures.cutShort === undefined && disprovesLink(measures)) {
    return {
      value: LINK_DISPROVED,
      explanation: `The load was faster than the ${idealTimeMs === undefined ? '' : `${figures.duration(idealTimeMs)} that the `}estimated link allows, so the estimate is wrong for it.`,
    };
  }
  return { value: 'not known', explanation: unknownEfficiency(load) };
}

function unknownEfficiency({ measures, link, linkPending }: LastLoad): string {
  if (measures.cutShort !== undefined) return `${cutShortWords(measures.cutShort)} Without its end, a load has no efficiency.`;
  if (linkPending) return 'The link is being told from all loads.';
  if (link === undefined) return 'The link has not been estimated yet; a few more loads that open new connections are needed.';
  if (measures.bytes === undefined) return 'Firefox did not report how many bytes the page took.';
  return 'The fastest possible time of this load cannot be worked out.';
}

function cutShortWords(cutShort: CutShort): string {
  switch (cutShort) {
    case 'document-failed':
      return 'The page itself could not be fetched.';
    case 'no-load-event':
      return 'The page never finished loading.';
    case 'page-left':
      return 'You left the page before it went quiet.';
    case 'time-limit':
      return 'The page was still fetching after a minute.';
    case 'too-many-requests':
      return `The page made more than ${MAX_REQUESTS} requests; the rest was not recorded.`;
    default:
      return assertNever(cutShort);
  }
}

function facts({ measures, link }: LastLoad, figures: Figures): LoadView['facts'] {
  const optional = (term: string, value: string | undefined) => (value === undefined ? [] : [{ term, value }]);
  const duration = (value: number | undefined) => (value === undefined ? undefined : figures.duration(value));
  return [
    ...optional('First content shown', duration(measures.firstContentfulPaintMs)),
    ...optional('Largest content shown', duration(measures.largestContentfulPaintMs)),
    { term: 'Received', value: measures.bytes === undefined ? 'not known' : figures.size(measures.bytes) },
    ...optional('Link (estimated)', link && linkWords(link)),
    { term: 'Round trip (estimated)', value: estimate(link?.rttMs, link?.rttIntervalMs, figures.duration) },
    { term: 'Download rate (estimated)', value: estimate(link?.downKbps, link?.downIntervalKbps, figures.rate) },
  ];
}

/** A name that a person gave says nothing of the figures. */
function linkWords({ given, name }: NonNullable<LastLoad['link']>): string {
  return given === undefined ? name : `${given} (${name})`;
}

type Bounds = { readonly low?: number | undefined; readonly high?: number | undefined };

/** The figure with the interval that its samples allow, where there are enough of them. */
function estimate(value: number | undefined, bounds: Bounds | undefined, words: (value: number) => string): string {
  if (value === undefined) return 'not known yet';
  const { low, high } = bounds ?? {};
  const [from, to] = [low === undefined ? undefined : words(low), high === undefined ? undefined : words(high)];
  if (from === undefined || to === undefined || from === to) return words(value);
  return `${words(value)} (${from} to ${to})`;
}

export interface Finding {
  readonly text: string;
  /** `cost`: this took time that another profile or another page might save; `plain`: a fact; `unknown`: could not be measured. */
  readonly tone: 'cost' | 'plain' | 'unknown';
}

interface Context {
  /** Estimated; `undefined`: not known yet. */
  readonly rttMs: number | undefined;
  readonly downKbps?: number | undefined;
  readonly figures: Figures;
}

/** A wait counts as a cost from the size of change the verdicts call meaningful (3 % of the load time). */
const MEANINGFUL_SHARE = 0.03;
const ON_THIS_NETWORK = 'on this network (estimated)';
const REQUESTS = { one: 'request', many: 'requests' };
const VERSIONS: readonly HttpVersion[] = ['http/1.0', 'http/1.1', 'http/2', 'http/3'];

/** Why a load took as long as it did: one finding per measure, what cost time first. */
export function loadFindings(measures: LoadMeasures, context: Context): readonly Finding[] {
  const all = [
    queueWait(measures, context),
    ...connections(measures, context),
    ...duplicates(measures, context),
    ...failures(measures, context),
    ...renderBlocking(measures, context),
    outstanding(measures, context),
    versions(measures, context),
  ];
  const order = { cost: 0, plain: 1, unknown: 2 } as const;
  return all.toSorted((a, b) => order[a.tone] - order[b.tone]);
}

function queueWait({ queueWait: wait, loadTimeMs }: LoadMeasures, { figures }: Context): Finding {
  if (wait === undefined) return { text: 'How long requests waited for a free connection is not known.', tone: 'unknown' };
  if (wait.maxMs === 0) return { text: 'No request waited for a free connection.', tone: 'plain' };
  const half = wait.medianMs === 0 ? 'most did not wait at all' : `half of them waited ${figures.duration(wait.medianMs)} or more`;
  return {
    text: `Requests waited for a free connection: the longest ${figures.duration(wait.maxMs)}; ${half}.`,
    tone: wait.maxMs >= MEANINGFUL_SHARE * loadTimeMs ? 'cost' : 'plain',
  };
}

function connections({ coldConnections: cold, reusedConnections: reused }: LoadMeasures, { rttMs, figures }: Context): Finding[] {
  if (cold === undefined && reused === undefined) {
    return [{ text: 'Which requests opened a new connection is not known.', tone: 'unknown' }];
  }
  const opened =
    cold === undefined
      ? []
      : cold === 0
        ? ['no new connection had to be opened']
        : [`${figures.count(cold, { one: 'new connection was', many: 'new connections were' })} opened`];
  const used = reused === undefined ? [] : [`${figures.count(reused, { one: 'request', many: 'requests' })} reused one already open`];
  const text = `${capitalise([...opened, ...used].join('; '))}.`;
  if (cold === undefined || cold === 0) return [{ text, tone: 'plain' }];
  const roundTrip = rttMs === undefined ? '' : `, about ${figures.duration(rttMs)} here (estimated)`;
  return [{ text: `${text} Each new one costs at least one round trip${roundTrip}, and one more with TLS.`, tone: 'cost' }];
}

function duplicates(measures: LoadMeasures, { rttMs, downKbps, figures }: Context): Finding[] {
  const link = rttMs === undefined || downKbps === undefined ? undefined : { rttMs, downKbps };
  const cost = duplicateCost(measures, link);
  if (cost === undefined) return [{ text: 'Nothing was fetched twice.', tone: 'plain' }];
  return [{ text: duplicateCostText(cost, [{ where: ON_THIS_NETWORK, ms: cost.ms }], figures), tone: 'cost' }];
}

function failures({ failedRequests, requests }: LoadMeasures, { figures }: Context): Finding[] {
  if (failedRequests === 0) return [];
  return [{ text: `${figures.count(failedRequests, REQUESTS)} of ${requests} failed.`, tone: 'cost' }];
}

function renderBlocking({ renderBlockingEndMs: end }: LoadMeasures, { figures }: Context): Finding[] {
  if (end === undefined) return [];
  return [{ text: `The last file that holds back the first paint had arrived after ${figures.duration(end)}.`, tone: 'plain' }];
}

function outstanding({ peakOutstanding, peakOutstandingByOrigin, requests }: LoadMeasures, { figures }: Context): Finding {
  const busiest = Object.entries(peakOutstandingByOrigin).reduce<readonly [string, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  );
  const atOne = busiest === undefined ? '' : `; at most ${busiest[1]} at one server (${originName(busiest[0])})`;
  return { text: `Of ${figures.count(requests, REQUESTS)}, at most ${peakOutstanding} were under way at once${atOne}.`, tone: 'plain' };
}

function originName(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//, '');
}

function versions({ httpVersions }: LoadMeasures, { figures }: Context): Finding {
  const shares = VERSIONS.flatMap((version) => {
    const share = httpVersions[version];
    return share === undefined || share === 0 ? [] : [{ version, share }];
  });
  if (shares.length === 0) return { text: 'The HTTP versions used are not known.', tone: 'unknown' };
  const list = shares.map(({ version, share }) => `${figures.share(share)} ${version.toUpperCase()}`).join(', ');
  return { text: `Requests by HTTP version: ${list}. ${reach(httpVersions, figures)}`, tone: 'plain' };
}

/** What a preference that only touches HTTP/1.1 can reach at all. */
function reach(httpVersions: LoadMeasures['httpVersions'], figures: Figures): string {
  const firstVersion = (httpVersions['http/1.0'] ?? 0) + (httpVersions['http/1.1'] ?? 0);
  const knobs = 'The number of connections per server';
  if (firstVersion === 0) return `${knobs} matters only for HTTP/1.1, so it had nothing to act on.`;
  return firstVersion > 1 - 1e-9
    ? `${knobs} acts on all of them.`
    : `${knobs} acts only on the ${figures.share(firstVersion)} over HTTP/1.x.`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
