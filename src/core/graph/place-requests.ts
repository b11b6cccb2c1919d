/** Puts a record in order: what counts, when it began after the document was requested, and what is left out. */
import { PlumbfoxError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { beganBeforeQuiet, MAX_LOAD_MS, QUIET_MS } from '../measure/load-window.ts';
import { FIRST_FLIGHT_BYTES } from '../tcp-constants.ts';
import { type Inference, inferenceOf, tally } from './inference.ts';
import type { ObservedLoad, ObservedRequest } from './observed-load.ts';

/** Times are ms after the first request that led to the document; never negative. */
export interface PlacedRequest {
  readonly observed: ObservedRequest;
  readonly startMs: number;
  readonly firstByteMs?: number;
  /** Absent: unknown. */
  readonly endMs?: number;
}

export interface PlacedLoad {
  /** In the order of their start; the first is the document, or the first of the redirects to it. */
  readonly requests: readonly PlacedRequest[];
  /** Position of the document. */
  readonly document: number;
  readonly inferred: readonly Inference[];
}

const LEFT_OUT = {
  failed: 'Excluded: requests without a response, which were aborted, blocked or refused',
  unfinished: 'Excluded: requests still open when the record ended, whose size is unknown',
  cached: "Excluded: responses from the browser's cache or its own redirects, which cost nothing on the network",
  before: 'Excluded: requests from before the document was requested, which belong to the page before',
  late: 'Excluded: requests that began after the network had been idle for 2 s after the load event, or after 60 s',
  'late-without-event':
    'The load event is not recorded. Excluded: requests that began after the network had been idle for 2 s after the document, or after 60 s',
} as const;
type LeftOut = keyof typeof LEFT_OUT;

/** @throws PlumbfoxError `bad-input`: nothing of the record is left. */
export function placeLoad(load: ObservedLoad): PlacedLoad {
  const started = startsOf(load.requests);
  const [first, ...others] = started.requests;
  if (first === undefined) throw new PlumbfoxError('bad-input', nothingLeft(load));
  const found = findDocument([first, ...others], load.document === undefined ? undefined : load.requests[load.document]);
  const groups = groupBy(started.requests, (request) => whyLeftOut(request, found));
  const counted = [found.root, ...(groups.get('counts') ?? [])].map((request) => place(request, found.root.startMs));
  const kept = withinWindow(counted, { loadEventMs: loadEventOf(load, found), quietMs: load.quietMs ?? QUIET_MS });
  const late = load.loadEventMs === undefined && load.wholeWithoutEvent !== true ? 'late-without-event' : 'late';
  const leftOut: readonly LeftOut[] = [
    ...load.requests.flatMap(({ outcome }) => (outcome === 'failed' || outcome === 'unfinished' ? [outcome] : [])),
    ...(groups.get('cached') ?? []).map(() => 'cached' as const),
    ...(groups.get('before') ?? []).map(() => 'before' as const),
    ...counted.slice(kept.length).map(() => late),
  ];
  return {
    requests: kept,
    document: kept.findIndex(({ observed }) => observed === found.document.observed),
    inferred: [
      ...tally('left-out', leftOut, LEFT_OUT),
      ...inferenceOf('discovery', found.standIn ? 1 : 0, 'No request looks like the document; the first stands in for it'),
      ...inferenceOf('discovery', started.guessed, 'When they were asked for is not recorded: taken to be when the one before them was'),
    ],
  };
}

/** Those that were answered, by their start. One whose start is unknown is taken to have begun with the one before it in the record. */
function startsOf(requests: readonly ObservedRequest[]): { requests: readonly StartedRequest[]; guessed: number } {
  const answered = requests.filter(({ outcome }) => outcome === 'answered' || outcome === 'redirected');
  let before = answered.find(({ timing }) => timing.startMs !== undefined)?.timing.startMs ?? 0;
  const started = answered.map((observed) => {
    before = observed.timing.startMs ?? before;
    return { observed, startMs: before };
  });
  const guessed = answered.filter(({ timing }) => timing.startMs === undefined).length;
  return { requests: started.sort((a, b) => a.startMs - b.startMs), guessed };
}

function whyLeftOut(request: StartedRequest, { document, root }: FoundDocument): 'root' | 'counts' | 'cached' | 'before' {
  if (request === root) return 'root';
  if (request === document) return 'counts';
  if (request.observed.fromCache) return 'cached';
  return request.startMs < root.startMs ? 'before' : 'counts';
}

/** ms after the first request, and never before the document was complete; `undefined`: everything belongs to the load. */
function loadEventOf(load: ObservedLoad, { document, root }: FoundDocument): number | undefined {
  if (load.loadEventMs === undefined && load.wholeWithoutEvent === true) return undefined;
  const complete = Math.max(document.startMs, document.observed.timing.endMs ?? document.startMs);
  return Math.max(complete, load.loadEventMs ?? complete) - root.startMs;
}

/**
 * Those that belong to the load, by the rule of `load-window.ts`. The document comes first; what has no known end counts as if it had
 * ended at once.
 */
function withinWindow(
  placed: readonly PlacedRequest[],
  { loadEventMs, quietMs }: { readonly loadEventMs: number | undefined; readonly quietMs: number },
): readonly PlacedRequest[] {
  const timings = placed.map(({ startMs, endMs }) => ({ fetchStart: startMs, responseEnd: endMs ?? startMs }));
  const began = beganBeforeQuiet({ loadEventEnd: loadEventMs, quietMs, timings });
  return placed.filter(({ startMs }, index) => (index === 0 || began(startMs)) && startMs <= MAX_LOAD_MS);
}

/** What ends before it begins is a fault of the record's clock: it ends when it begins. */
function place({ observed, startMs }: StartedRequest, rootMs: number): PlacedRequest {
  const { firstByteMs, endMs } = observed.timing;
  const first = firstByteMs === undefined ? undefined : Math.max(startMs, firstByteMs);
  const end = endMs === undefined ? undefined : Math.max(first ?? startMs, endMs);
  return {
    observed,
    startMs: startMs - rootMs,
    ...(first !== undefined && { firstByteMs: first - rootMs }),
    ...(end !== undefined && { endMs: end - rootMs }),
  };
}

function nothingLeft(load: ObservedLoad): string {
  const recorded = load.inferred.reduce((sum, { field, requests }) => sum + (field === 'left-out' ? requests : 0), load.requests.length);
  return `None of the ${recorded} recorded requests was answered over http or https, so there is no page to simulate; record the load again`;
}

/** A request that got an answer, and when it was requested on the record's clock, ms. */
interface StartedRequest {
  readonly observed: ObservedRequest;
  readonly startMs: number;
}

interface FoundDocument {
  readonly document: StartedRequest;
  /** First of the redirects that led to it, else the document itself. */
  readonly root: StartedRequest;
  /** No request looks like a document: the first one stands in for it. */
  readonly standIn: boolean;
}

/** Redirects from longer before are those of another navigation. */
const MAX_REDIRECTS_MS = MAX_LOAD_MS;
/** A document after more than this share of the requests is that of a frame: the record began after the page's own. */
const LATEST_SHARE = 0.5;

/**
 * The document the record names; else the earliest document that was answered.
 * @param started by start, at least one.
 */
function findDocument(started: readonly [StartedRequest, ...StartedRequest[]], named: ObservedRequest | undefined): FoundDocument {
  const byName = named && started.find(({ observed }) => observed === named);
  const place = started.findIndex(({ observed }) => observed.class === 'document' && observed.outcome === 'answered');
  const earliest = place >= 0 && place <= started.length * LATEST_SHARE ? started[place] : undefined;
  const document = byName ?? earliest ?? started[0];
  return { document, root: firstHop(started, document), standIn: document !== byName && document !== earliest };
}

/** Each redirect is used once, so a loop of redirects ends. What the browser redirected by itself cost nothing and is passed over. */
function firstHop(started: readonly StartedRequest[], document: StartedRequest): StartedRequest {
  const redirects = started.filter(
    ({ observed, startMs }) => observed.redirectsTo !== undefined && !observed.fromCache && document.startMs - startMs <= MAX_REDIRECTS_MS,
  );
  const hops = groupBy(redirects, ({ observed }) => observed.redirectsTo);
  for (let at = document; ; ) {
    const leading = hops.get(at.observed.url) ?? [];
    let hop = leading.pop();
    while (hop !== undefined && (hop.startMs > at.startMs || hop === at)) hop = leading.pop();
    if (hop === undefined) return at;
    at = hop;
  }
}

/** No clock of a record has longer steps. */
const INSTANT_MS = 1;

interface DocumentContext {
  /** Bytes of each response on the wire. */
  readonly bytes: readonly number[];
  readonly rttMs: number | undefined;
  readonly downKbps: number | undefined;
}

/**
 * The load with the end of its document in place, where the record does not say it: Firefox 153 reports a `responseEnd` of navigations that is
 * their `responseStart`, however long they took to arrive (timelines of test/corpus: a document of 41 kB over 240 kbit/s "ended" as it
 * began), and its older HARs a `receive` of 0. It is not before a request that began while nothing that could have requested it but the
 * document was there; nor before its bytes can have come over the link, or the flights of slow start that they take.
 */
export function withDocumentEnd(load: PlacedLoad, context: DocumentContext): PlacedLoad {
  const document = load.requests[load.document];
  const size = context.bytes[load.document] ?? 0;
  if (document === undefined || !isUnstated(document, size)) return load;
  const firstMs = document.firstByteMs ?? document.startMs;
  const namedMs = lastNamed(load, firstMs);
  const sentMs = context.downKbps === undefined ? 0 : (size * 8) / context.downKbps;
  const flightsMs = document.observed.timing.handshakeMs === undefined ? 0 : (flights(size) - 1) * (context.rttMs ?? 0);
  const endMs = Math.max(namedMs, firstMs + sentMs, firstMs + flightsMs);
  const rule =
    'When the document was complete is not recorded: not before the last request that only it can have asked for, nor before its bytes can have come';
  return {
    ...load,
    requests: load.requests.map((request, index) => (index === load.document ? { ...document, endMs } : request)),
    inferred: [...load.inferred, ...inferenceOf('discovery', 1, rule)],
  };
}

/** Not recorded, or an instant for more than a first flight. */
function isUnstated({ observed, firstByteMs, endMs }: PlacedRequest, size: number): boolean {
  if (observed.fromCache) return false;
  if (endMs === undefined) return true;
  return size > FIRST_FLIGHT_BYTES && firstByteMs !== undefined && endMs - firstByteMs <= INSTANT_MS;
}

/** Start of the last request before any script, style sheet or frame was complete. */
function lastNamed({ requests, document }: PlacedLoad, firstMs: number): number {
  const loaders = requests.filter(({ observed }, index) => index !== document && /^(?:script|stylesheet|document)$/.test(observed.class));
  const firstLoadedMs = loaders.reduce((least, { endMs }) => Math.min(least, endMs ?? least), Number.POSITIVE_INFINITY);
  const named = requests.filter(({ startMs }) => startMs >= firstMs && startMs < firstLoadedMs);
  return Number.isFinite(firstLoadedMs) ? named.reduce((last, { startMs }) => Math.max(last, startMs), firstMs) : firstMs;
}

/** Flights of slow start, each twice as large as the one before. */
const flights = (size: number): number => Math.ceil(Math.log2(size / FIRST_FLIGHT_BYTES + 1));
