/** A page graph out of a load that the extension recorded. It holds no address: origins and requests are numbered. */
import { roundTripSample } from '../measure/links/estimate-link.ts';
import type { PageLoad, RequestRecord, RequestTiming, RequestType } from '../measure/page-load.ts';
import { milliseconds } from '../units.ts';
import { inferPage } from './infer-page.ts';
import { type Inference, type InferredPage, inferenceOf } from './inference.ts';
import type { ObservedRequest, ObservedTiming } from './observed-load.ts';
import type { ContentClass } from './page-graph.ts';

/**
 * The page as this load fetched it, by the same rules as `pageFromHar` (docs/page-graphs.md). It may leave the machine: it holds numbers,
 * sizes, times and protocols, and no address, host or name of a file.
 *
 * @throws PlumbfoxError `bad-input`, one line: nothing of the load was answered over the network.
 */
export function pageFromLoad(load: PageLoad): InferredPage {
  const [document, ...others] = load.requests;
  // Redirects of the navigation come after its document in the record, have no times, and do not count to the load time.
  const navigation = (record: RequestRecord) =>
    document !== undefined && record.type === 'main_frame' && record.outcome.state === 'redirected';
  const hops = redirectHops(load.requests);
  const counted = [...(document === undefined ? [] : [document]), ...others.filter((record) => !navigation(record))];
  const readable = counted.filter(({ origin, type }) => origin !== null && type !== 'websocket');
  const requests = readable.map((record) => observed(record, hops.get(record)));
  return inferPage(
    {
      requests,
      ...(load.loadEventEnd !== undefined && { loadEventMs: load.loadEventEnd }),
      wholeWithoutEvent: true,
      quietMs: load.observation.quietMs,
      ...(readable[0] !== undefined && readable[0] === document && { document: 0 }),
      inferred: leftOut(load, { redirects: others.filter(navigation).length, unreadable: counted.length - readable.length }),
    },
    { id: (_request, number) => `${number}`, origin: (_origin, number) => `origin-${number}` },
  );
}

function leftOut(
  { observation, requests }: PageLoad,
  { redirects, unreadable }: { redirects: number; unreadable: number },
): readonly Inference[] {
  const ended = observation.ended === 'quiet' ? 0 : 1;
  const hops = requests.filter(
    ({ outcome, type, timing }) => outcome.state === 'redirected' && type !== 'main_frame' && timing === undefined,
  );
  return [
    ...inferenceOf('left-out', unreadable, 'Excluded: data:, blob: and WebSockets'),
    ...inferenceOf('redirects', redirects, 'Excluded: redirects of the navigation, which come before the measured load time'),
    ...inferenceOf('redirects', hops.length, 'The times of redirects are not recorded: each took the shortest round trip of the load'),
    ...inferenceOf('left-out', ended, 'The load was not seen to its end; what it would still have fetched is missing'),
  ];
}

interface Hop {
  readonly redirectsTo: string;
  readonly timing?: RequestTiming;
}

/**
 * What each redirect leads to: the next record of the same request. Firefox reports no times of a redirect, only that its target's fetch began
 * when it had been answered; it is taken to have lasted the shortest round trip of the load.
 */
export function redirectHops(records: readonly RequestRecord[]): ReadonlyMap<RequestRecord, Hop> {
  const lasted = records.reduce((least, record) => Math.min(least, roundTripSample(record) ?? least), Number.POSITIVE_INFINITY);
  const began = records[0]?.timing?.fetchStart ?? 0;
  const hops = new Map<RequestRecord, Hop>();
  const targets = new Map<string, RequestRecord>();
  for (const record of records.toReversed()) {
    const { requestId, outcome } = record;
    const target = requestId === undefined ? undefined : targets.get(requestId);
    if (outcome.state === 'redirected' && target !== undefined) {
      const end = (target.timing ?? hops.get(target)?.timing)?.fetchStart;
      const start = end === undefined ? undefined : Math.max(Math.min(began, end), end - (Number.isFinite(lasted) ? lasted : 0));
      const times = end === undefined || start === undefined ? {} : { timing: { fetchStart: milliseconds(start), responseEnd: end } };
      hops.set(record, { redirectsTo: target.url, ...times });
    }
    if (requestId !== undefined) targets.set(requestId, record);
  }
  return hops;
}

/** The class of a request by the type that webRequest gives it. */
export const CLASSES: Readonly<Record<RequestType, ContentClass>> = {
  main_frame: 'document',
  sub_frame: 'document',
  stylesheet: 'stylesheet',
  xslt: 'stylesheet',
  script: 'script',
  image: 'image',
  imageset: 'image',
  font: 'font',
  media: 'media',
  object: 'media',
  xmlhttprequest: 'fetch',
  json: 'fetch',
  ping: 'other',
  beacon: 'other',
  websocket: 'other',
  csp_report: 'other',
  xml_dtd: 'other',
  web_manifest: 'other',
  speculative: 'other',
  other: 'other',
};

function observed(record: RequestRecord, hop: Hop | undefined): ObservedRequest {
  const { wire, type, origin } = record;
  const blocks = record.renderBlocking !== undefined && (type === 'stylesheet' || type === 'script');
  const timing = record.timing ?? hop?.timing;
  return {
    url: record.url,
    origin: origin ?? '',
    secure: record.url.startsWith('https:'),
    class: CLASSES[type],
    classBasis: type === 'other' ? 'unknown' : 'stated',
    outcome: outcomeOf(record),
    ...(hop !== undefined && { redirectsTo: hop.redirectsTo }),
    fromCache: wire?.fromCache === true,
    timing: timing === undefined ? {} : timingOf(record, timing),
    size: wire?.responseBytes === undefined ? {} : { total: wire.responseBytes },
    ...(wire?.requestBytes !== undefined && wire.requestBytes > 0 && { requestBytes: wire.requestBytes }),
    ...(wire?.httpVersion !== undefined && { httpVersion: wire.httpVersion }),
    ...(blocks && { blocking: record.renderBlocking === true }),
    initiators: { named: [], ...(record.initiatorType === 'css' && { fromStylesheet: true }) },
  };
}

/** A failed request that got a status and bytes did cost the network something; it ended early. */
function outcomeOf({ outcome, wire }: RequestRecord): ObservedRequest['outcome'] {
  switch (outcome.state) {
    case 'completed':
      return 'answered';
    case 'redirected':
      return 'redirected';
    case 'unfinished':
      return 'unfinished';
    case 'failed':
      return wire?.status !== undefined && (wire.responseBytes ?? 0) > 0 ? 'answered' : 'failed';
  }
}

function timingOf(record: RequestRecord, timing: RequestTiming): ObservedTiming {
  const { fetchStart, domainLookupStart, domainLookupEnd, connectStart, connectEnd, requestStart, responseStart, responseEnd } = timing;
  const opened = connectStart !== undefined && connectEnd !== undefined && connectEnd > connectStart;
  const handshakeMs = opened ? roundTripSample(record) : undefined;
  // Firefox reports the end of navigations as their beginning, see `withDocumentEnd`.
  const isUnstated = record.type === 'main_frame' && responseStart !== undefined && responseEnd <= responseStart;
  return {
    startMs: fetchStart,
    ...(responseStart !== undefined && { firstByteMs: responseStart }),
    ...(!isUnstated && { endMs: responseEnd }),
    ...(domainLookupStart !== undefined && domainLookupEnd !== undefined && { dnsMs: Math.max(0, domainLookupEnd - domainLookupStart) }),
    ...(handshakeMs !== undefined && { handshakeMs }),
    ...(requestStart !== undefined && responseStart !== undefined && { waitMs: Math.max(0, responseStart - requestStart) }),
  };
}
