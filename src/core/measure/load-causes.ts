/**
 * The cause of each instant of a load, so that the parts sum to its load time. Several requests are under way at most instants; the first cause
 * below that one of them has is the instant's, so that parallel requests count once. The phases are those of browsers' network panels, and so
 * is what they hold: a wait for the first byte includes the round trip, which one load rarely tells from the server's own time.
 *
 * 1. `receiving`: a response was arriving, so the link was in use. At most: Firefox reports the first and the last byte, not what is between.
 * 2. `unknown`: a request was under way whose phases are not known (in a frame, say). It may have been receiving, whatever others did.
 * 3. `opening`: a name was looked up, or a connection set up. Before the next, because a wait for the connection that is being opened is no other.
 * 4. `queue-wait`: a request waited for a free connection, as those of its server were waiting for first bytes. Therefore before the next.
 * 5. `server`: requests were sent, and no byte of a response had come yet.
 * 6. `idle`: nothing was on the way. The page was busy or waited, or Firefox held back what it had to send.
 *
 * Our own definition, over the requests whose times are known. A critical path, as the simulator walks it (`boundOfLoad`), needs to know what
 * initiated each request, which Firefox does not report.
 */
import { groupBy } from '../group-by.ts';
import { type Milliseconds, milliseconds } from '../units.ts';
import { loadWindow } from './load-window.ts';
import type { PageLoad, RequestRecord } from './page-load.ts';
import { networkRequests } from './requests.ts';

/** What the time of a load may be spent on, as far as it can be named. */
export const LOAD_CAUSES = ['receiving', 'opening', 'queue-wait', 'server', 'idle'] as const;
export type LoadCause = (typeof LOAD_CAUSES)[number];

/** What requests may be doing at an instant; the first counts. */
const PRIORITY = ['receiving', 'unknown', 'opening', 'queue-wait', 'server'] as const;
type RequestCause = (typeof PRIORITY)[number];

/** The parts sum to the load time. `undefined`: it is not known, as the load was not seen to its end. */
export function timeByCause(load: PageLoad): Readonly<Record<LoadCause | 'unknown', Milliseconds>> | undefined {
  const window = loadWindow(load);
  if (window === undefined || window.cutShort !== undefined) return undefined;
  const { start, end } = window;
  const requests = networkRequests(window.requests);
  const spans = [...groupBy(requests, ({ origin }) => origin).values()].flatMap(spansOfServer);
  const none = milliseconds(0);
  const parts = { receiving: none, opening: none, 'queue-wait': none, server: none, idle: none, unknown: none };
  let spent = 0;
  for (const { from, to, underWay } of stretches(spans)) {
    const cause = PRIORITY.find((each) => underWay.has(each));
    const timeMs = Math.min(to, end) - Math.max(from, start);
    if (cause === undefined || timeMs <= 0) continue;
    parts[cause] = milliseconds(parts[cause] + timeMs);
    spent += timeMs;
  }
  const rest = requests.some(isUntimedRedirect) ? 'unknown' : 'idle';
  parts[rest] = milliseconds(parts[rest] + end - start - spent);
  return parts;
}

/** The cause of the longest part of a load's time. */
export interface LongestCause {
  readonly cause: LoadCause;
  readonly timeMs: Milliseconds;
}

/** `undefined`: two are equally long, or another would be longer if the time of unknown cause were its own. */
export function longestCause(load: PageLoad): LongestCause | undefined {
  const parts = timeByCause(load);
  if (parts === undefined) return undefined;
  const [longest, next] = LOAD_CAUSES.map((cause) => ({ cause, timeMs: parts[cause] })).sort((a, b) => b.timeMs - a.timeMs);
  return longest !== undefined && next !== undefined && longest.timeMs > next.timeMs + parts.unknown ? longest : undefined;
}

/** Times in ms after the time origin. */
interface CauseSpan {
  readonly cause: RequestCause;
  readonly from: number;
  readonly to: number;
}

/** Before a request is sent Firefox needs some time itself: it waits for a connection only while its server has one in use. */
function spansOfServer(requests: readonly RequestRecord[]): readonly CauseSpan[] {
  const spans = requests.flatMap(spansOf);
  return [
    ...spans.filter(({ cause }) => cause !== 'queue-wait'),
    ...stretches(spans)
      .filter(({ underWay }) => underWay.has('queue-wait') && underWay.has('server'))
      .map(({ from, to }) => ({ cause: 'queue-wait' as const, from, to })),
  ];
}

function spansOf({ timing, wire, outcome }: RequestRecord): readonly CauseSpan[] {
  if (timing === undefined) return [];
  const { fetchStart, requestStart, responseStart, responseEnd } = timing;
  // Firefox repeats a request whose connection was cut, and reports phases of several tries.
  if (requestStart === undefined || responseStart === undefined || wire?.httpVersion === undefined || outcome.state === 'failed')
    return [{ cause: 'unknown', from: fetchStart, to: responseEnd }];
  const isShared = wire.httpVersion === 'http/2' || wire.httpVersion === 'http/3';
  return [
    ...(isShared ? [] : [{ cause: 'queue-wait' as const, from: fetchStart, to: requestStart }]),
    ...opening(timing.domainLookupStart, timing.domainLookupEnd),
    ...opening(timing.connectStart, timing.connectEnd),
    // A proxy, Plumbfox's gateway included, may have held it, or opened a connection for it.
    { cause: wire.proxied === true ? 'unknown' : 'server', from: requestStart, to: responseStart },
    { cause: 'receiving', from: responseStart, to: responseEnd },
  ];
}

const opening = (from: number | undefined, to: number | undefined): readonly CauseSpan[] =>
  from === undefined || to === undefined ? [] : [{ cause: 'opening', from, to }];

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly underWay: ReadonlySet<RequestCause>;
}

/** The time from the first span to the last, cut wherever one of them begins or ends; some stretches have no length. */
function stretches(spans: readonly CauseSpan[]): readonly Stretch[] {
  const changes = spans
    .filter(({ from, to }) => to > from)
    .flatMap(({ cause, from, to }) => [
      { at: from, cause, change: 1 },
      { at: to, cause, change: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const counts = { receiving: 0, unknown: 0, opening: 0, 'queue-wait': 0, server: 0 };
  return changes.map(({ at, cause, change }, index) => {
    counts[cause] += change;
    return { from: at, to: changes[index + 1]?.at ?? at, underWay: new Set(PRIORITY.filter((each) => counts[each] > 0)) };
  });
}

/** It was under way at an unknown time. Redirects of the document itself come before the load's start, its fetchStart. */
const isUntimedRedirect = ({ type, timing, outcome }: RequestRecord): boolean =>
  type !== 'main_frame' && timing === undefined && outcome.state === 'redirected';
