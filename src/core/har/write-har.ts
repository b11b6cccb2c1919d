/**
 * Recorded loads as a HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). What the recorder does not see is written as the format says it
 * for unknown: sizes and phases of -1, empty lists of headers and cookies. Members that begin with an underscore are those of Chrome and
 * WebPageTest where they have one, which other readers know; `_timing` is ours.
 */
import { CLASSES, redirectHops } from '../graph/page-from-load.ts';
import type { PageLoad, RequestRecord, RequestTiming, RequestType } from '../measure/page-load.ts';
import { isoTime } from './fields.ts';

export interface HarPhases {
  readonly blocked: number;
  readonly dns: number;
  /** TLS included, as the format wants it. Firefox's own panel adds `ssl` once more, as it does for every HAR but its own. */
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/**
 * How much of a request's times is recorded. `whole`: its start and end, so `wait` stands for everything between; `no-end`: all but its end;
 * `start`: only that; `none`: nothing, and it stands at the page's start.
 */
export type RecordedTiming = 'all' | 'whole' | 'no-end' | 'start' | 'none';

interface HarMessage {
  readonly httpVersion: string;
  readonly cookies: readonly never[];
  readonly headers: readonly never[];
  readonly headersSize: -1;
  readonly bodySize: number;
}

interface HarEntry {
  readonly pageref: string;
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: HarMessage & { readonly method: string; readonly url: string; readonly queryString: readonly never[] };
  readonly response: HarMessage & {
    readonly status: number;
    readonly statusText: '';
    readonly redirectURL: string;
    readonly content: { readonly size: -1; readonly mimeType: '' };
    readonly _transferSize?: number;
    /** `bodySize` counts the headers too. */
    readonly _bodyWithHeaders?: true;
    readonly _error?: string;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: HarPhases;
  readonly serverIPAddress?: string;
  readonly _timing: RecordedTiming;
  readonly _resourceType: string;
  readonly _renderBlocking?: 'blocking' | 'non_blocking';
  readonly _fromCache?: 'cache';
  readonly _bytesOut?: number;
  readonly _final_base_page?: true;
}

interface HarPage {
  readonly startedDateTime: string;
  readonly id: string;
  readonly title: string;
  readonly pageTimings: { readonly onContentLoad: number; readonly onLoad: number };
  readonly comment: string;
}

export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: 'Plumbfox'; readonly version: string };
    readonly browser?: { readonly name: 'Firefox'; readonly version: string };
    readonly pages: readonly HarPage[];
    readonly entries: readonly HarEntry[];
    readonly comment: string;
  };
}

const COMMENT =
  'Recorded by Plumbfox. It holds page addresses: keep it private. Methods, headers, cookies and contents were not recorded; methods are guessed, and queries are replaced by a number.';

/** The loads in the order given, a page each. It holds their addresses. */
export function writeHar(loads: readonly PageLoad[], made: { readonly plumbfox: string; readonly firefox?: string | undefined }): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Plumbfox', version: made.plumbfox },
      ...(made.firefox !== undefined && { browser: { name: 'Firefox', version: made.firefox } }),
      pages: loads.map((load, at) => pageOf(load, pageId(at))),
      entries: loads.flatMap((load, at) => entriesOf(load, pageId(at))),
      comment: COMMENT,
    },
  };
}

const pageId = (at: number): string => `page_${at + 1}`;

const pageOf = (load: PageLoad, id: string): HarPage => ({
  startedDateTime: isoTime(load.startedAt),
  id,
  title: load.url,
  pageTimings: { onContentLoad: load.domContentLoadedEventEnd ?? -1, onLoad: load.loadEventEnd ?? -1 },
  comment: `Settings: ${load.applied?.profileId ?? 'firefox-default'}`,
});

function entriesOf(load: PageLoad, pageref: string): readonly HarEntry[] {
  const hops = redirectHops(load.requests);
  return load.requests.flatMap((record, at) => {
    // data: and blob: never reach the network.
    if (record.origin === null) return [];
    const hop = hops.get(record);
    const timed = timesOf({ ...record, timing: record.timing ?? hop?.timing }, at === 0);
    return [
      {
        ...entryOf(record, hop?.redirectsTo, timed),
        pageref,
        startedDateTime: isoTime(load.startedAt + timed.startMs),
        ...(at === 0 && { _final_base_page: true as const }),
      },
    ];
  });
}

interface Timed {
  /** ms after the time origin. */
  readonly startMs: number;
  readonly timings: HarPhases;
  readonly known: RecordedTiming;
}

function entryOf(
  record: RequestRecord,
  redirectsTo: string | undefined,
  { timings, known }: Timed,
): Omit<HarEntry, 'pageref' | 'startedDateTime'> {
  const { url, type, wire, outcome, renderBlocking } = record;
  const httpVersion = wire?.httpVersion?.toUpperCase() ?? 'unknown';
  const message = { httpVersion, cookies: [], headers: [], headersSize: -1 } as const;
  return {
    time: timeOf(timings),
    request: { ...message, method: METHODS[type] ?? 'GET', url, queryString: [], bodySize: -1 },
    response: {
      ...message,
      status: Math.trunc(wire?.status ?? 0),
      statusText: '',
      redirectURL: redirectsTo ?? '',
      content: { size: -1, mimeType: '' },
      // As Firefox writes it, whose panel shows it as transferred.
      bodySize: Math.round(wire?.responseBytes ?? -1),
      ...(wire?.responseBytes !== undefined && { _transferSize: Math.round(wire.responseBytes), _bodyWithHeaders: true as const }),
      ...(outcome.state === 'failed' && { _error: outcome.error }),
    },
    cache: {},
    timings,
    ...(wire?.address !== undefined && isAddress(wire.address) && { serverIPAddress: wire.address }),
    _timing: known,
    _resourceType: OTHER_TYPES[type] ?? CLASSES[type],
    ...(renderBlocking !== undefined && { _renderBlocking: renderBlocking ? ('blocking' as const) : ('non_blocking' as const) }),
    ...(wire?.fromCache === true && { _fromCache: 'cache' as const }),
    ...(wire?.requestBytes !== undefined && { _bytesOut: Math.round(wire.requestBytes) }),
  };
}

/** The sum of the phases that there are; `ssl` is part of `connect`. */
const timeOf = ({ blocked, dns, connect, send, wait, receive }: HarPhases): number =>
  [blocked, dns, connect, send, wait, receive].reduce((sum, phase) => sum + Math.max(0, phase), 0);

const NO_PHASES: HarPhases = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };

function timesOf(record: RequestRecord, isDocument: boolean): Timed {
  const { timing, beganAt, outcome } = record;
  if (timing === undefined) {
    const startMs = beganAt ?? (outcome.state === 'failed' ? outcome.at : undefined);
    return { startMs: startMs ?? 0, timings: NO_PHASES, known: startMs === undefined ? 'none' : 'start' };
  }
  const { fetchStart, requestStart, responseStart, responseEnd } = timing;
  if (requestStart === undefined || responseStart === undefined) {
    return { startMs: fetchStart, timings: { ...NO_PHASES, wait: Math.max(0, responseEnd - fetchStart) }, known: 'whole' };
  }
  // Firefox reports the end of navigations as their beginning: see `page-from-load.ts`.
  const hasNoEnd = isDocument && responseEnd <= responseStart;
  return { startMs: fetchStart, timings: phasesOf({ ...timing, requestStart, responseStart }), known: hasNoEnd ? 'no-end' : 'all' };
}

/** What is neither lookup nor handshake before the request was sent is waiting, wherever it lies. */
function phasesOf(timing: RequestTiming & { readonly requestStart: number; readonly responseStart: number }): HarPhases {
  const { fetchStart, domainLookupStart, domainLookupEnd, connectStart, connectEnd, secureConnectionStart } = timing;
  const sent = Math.max(fetchStart, timing.requestStart);
  const first = Math.max(sent, timing.responseStart);
  const before = sent - fetchStart;
  const dns = Math.min(before, span(domainLookupStart, domainLookupEnd) ?? 0);
  const connect = Math.min(before - dns, span(connectStart, connectEnd) ?? 0);
  const tls = span(secureConnectionStart, connectEnd);
  return {
    blocked: before - dns - connect,
    dns: domainLookupStart === undefined ? -1 : dns,
    connect: connectStart === undefined ? -1 : connect,
    ssl: tls === undefined || connect === 0 ? -1 : Math.min(connect, tls),
    send: 0,
    wait: first - sent,
    receive: Math.max(0, timing.responseEnd - first),
  };
}

const span = (start: number | undefined, end: number | undefined): number | undefined =>
  start === undefined || end === undefined ? undefined : Math.max(0, end - start);

/** Only these are ever anything else than a GET without a script's doing. */
const METHODS: Readonly<Partial<Record<RequestType, string>>> = { ping: 'POST', beacon: 'POST', csp_report: 'POST' };

/** Chrome's names (Network.ResourceType of its protocol, in lower case) of what has no class of its own. */
const OTHER_TYPES: Readonly<Partial<Record<RequestType, string>>> = {
  ping: 'ping',
  beacon: 'ping',
  websocket: 'websocket',
  csp_report: 'cspviolationreport',
  web_manifest: 'manifest',
};

const isAddress = (text: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)$/i.test(text);
