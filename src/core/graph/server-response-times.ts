/** How long each server needs between the request and the response's first byte. */
import { groupBy } from '../group-by.ts';
import { median, quantile } from '../stats/quantile.ts';
import { SEGMENT_BYTES } from '../tcp-constants.ts';
import { type Inference, roundedMs, tally } from './inference.ts';
import type { RoundTrips } from './link-of-load.ts';
import type { ContentClass } from './page-graph.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';

interface InferredDelays {
  /** ms in the order of the requests, never negative. */
  readonly serverMs: readonly number[];
  readonly inferred: readonly Inference[];
}

const RULES = {
  wait: "The server's delay is the wait for the first byte less a round trip (the least of its server's handshakes or first bytes) and less what the link needed for other responses during that time. The extra distance to a server beyond the link counts as its delay too",
  disturbed:
    'Others arrived during the wait, and what is left of it is more than the server needs for files like it undisturbed: as long as those',
  pushed:
    "Was pushed by its server; browsers no longer accept pushes, so it is requested like any other, with the delay of its server's other requests",
  'of-origin': "The wait is not recorded: the median delay of its server's other requests, the document's aside where there are more",
  'of-page': 'The wait is not recorded for any request of its server: the median delay of the page, the document aside',
  none: 'No wait is recorded on the whole page: no delay',
} as const;
type Rule = keyof typeof RULES;

/** Content that servers generate for each request: one response's delay says nothing about another's. */
const GENERATED_PER_REQUEST: ReadonlySet<ContentClass> = new Set(['document', 'fetch']);
/** The quantile of a server's delays for files. Queues only add delay, so a low quantile is used if none was undisturbed. */
const FILES_RANK = 0.25;

/** How long the servers took for each response: the wait for the first byte without the network's part. */
export function inferServerDelays({ requests, document }: PlacedLoad, context: WaitContext): InferredDelays {
  const waits = serverWaits(requests, context);
  const isFile = (position: number) => position !== document && !GENERATED_PER_REQUEST.has(requests[position]?.observed.class ?? 'other');
  const positions = requests.map((_, position) => position);
  const byOrigin = groupBy(positions, (position) => requests[position]?.observed.origin);
  const most = new Map(
    [...byOrigin].map(([origin, own]) => [origin, mostForFiles(own.filter(isFile).flatMap((each) => waits[each] ?? []))]),
  );
  const known = waits.map((wait, position): readonly [number, Rule] | undefined => {
    const limit = isFile(position) ? most.get(requests[position]?.observed.origin) : undefined;
    if (wait === undefined || wait.undisturbed || limit === undefined || wait.delayMs <= limit) return wait && [wait.delayMs, 'wait'];
    return [limit, 'disturbed'];
  });
  const delays = known.map((each) => each?.[0]);
  const usual = (of: readonly number[]) =>
    median(of.flatMap((each) => (each === document ? [] : (delays[each] ?? [])))) ?? median(of.flatMap((each) => delays[each] ?? []));
  const ofOrigins = new Map([...byOrigin].map(([origin, own]) => [origin, usual(own)] as const));
  const ofPage = usual(positions);
  const ruled = requests.map(({ observed }, position): readonly [number, Rule] => {
    const others = ofOrigins.get(observed.origin);
    const rule = others !== undefined ? 'of-origin' : ofPage !== undefined ? 'of-page' : 'none';
    return known[position] ?? [others ?? ofPage ?? 0, observed.pushed === true ? 'pushed' : rule];
  });
  return {
    serverMs: ruled.map(([delay]) => roundedMs(delay)),
    inferred: tally<Rule>(
      'server-delays',
      ruled.map(([, rule]) => rule),
      RULES,
    ),
  };
}

/** What a server needs for a file, ms: the median of the undisturbed, else the lower quartile of all. `undefined`: it sent none. */
function mostForFiles(waits: readonly ServerWait[]): number | undefined {
  if (waits.length === 0) return undefined;
  const delays = (of: readonly ServerWait[]) => of.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  return median(delays(waits.filter(({ undisturbed }) => undisturbed))) ?? quantile(delays(waits), FILES_RANK);
}

/** What else is known of the load. */
interface WaitContext {
  readonly trips: RoundTrips;
  /** Bytes of each response on the wire. */
  readonly bytes: readonly number[];
  /** `undefined`: the load does not show what the link can do, so it was not filled. */
  readonly downKbps: number | undefined;
}

interface ServerWait {
  /** What is left for the server, ms; never negative. */
  readonly delayMs: number;
  /** Hardly anything else arrived during the wait, so what is left is the server's. */
  readonly undisturbed: boolean;
}

/** The waits in the order of the requests; `undefined`: unknown, or the response was pushed. */
function serverWaits(requests: readonly PlacedRequest[], context: WaitContext): readonly (ServerWait | undefined)[] {
  const arrivals = new Arrivals(requests, context.bytes);
  return requests.map((request, position) => serverWait(request, { ...context, size: context.bytes[position] ?? 0, arrivals }));
}

/**
 * The wait less the round trip, as Lantern has it (models/trace/lantern/core/NetworkAnalyzer, `estimateServerResponseTimeByOrigin`), less
 * the time that the link needed for the response's own first segment and for what else arrived during the wait: the response had to queue after that.
 */
function serverWait(
  request: PlacedRequest,
  { trips, downKbps, size, arrivals }: WaitContext & { readonly size: number; readonly arrivals: Arrivals },
): ServerWait | undefined {
  const { observed, firstByteMs } = request;
  const { origin, pushed, timing } = observed;
  if (timing.waitMs === undefined || pushed === true) return undefined;
  const own = trips.byOrigin.get(origin) ?? trips.linkMs ?? 0;
  const beyondTrip = Math.max(0, timing.waitMs - Math.min(own, trips.linkMs ?? own));
  if (downKbps === undefined || firstByteMs === undefined) return { delayMs: beyondTrip, undisturbed: true };
  // A rate of 1 kbit/s is 1 bit/ms. If the round trip comes from a first byte, it already includes the segment.
  const segmentMs = trips.withHandshake.has(origin) ? (Math.min(size, SEGMENT_BYTES) * 8) / downKbps : 0;
  const excess = Math.max(0, beyondTrip - segmentMs);
  const itself = request.endMs !== undefined && request.endMs <= firstByteMs ? size : 0;
  const others = Math.max(0, arrivals.bytesBy(firstByteMs) - itself - arrivals.bytesBy(firstByteMs - excess));
  return { delayMs: Math.max(0, excess - (others * 8) / downKbps), undisturbed: others < SEGMENT_BYTES };
}

/** A point of the piecewise-linear arrival curve. */
interface Knot {
  readonly atMs: number;
  /** Bytes that had arrived by then. */
  readonly bytes: number;
}

/**
 * How many bytes had arrived by any moment of a load. The bytes of a response are spread evenly from its first to its last byte; one whose times are
 * unknown counts for nothing. Built once; each question takes the logarithm of the number of requests.
 */
class Arrivals {
  readonly #knots: readonly Knot[];

  /** @param bytes of each response on the wire. */
  constructor(requests: readonly PlacedRequest[], bytes: readonly number[]) {
    const changes = requests.flatMap(({ firstByteMs, endMs }, index) => {
      const size = bytes[index] ?? 0;
      if (firstByteMs === undefined || endMs === undefined) return [];
      if (endMs <= firstByteMs) return [{ atMs: endMs, jump: size, slope: 0 }];
      const slope = size / (endMs - firstByteMs);
      return [
        { atMs: firstByteMs, jump: 0, slope },
        { atMs: endMs, jump: 0, slope: -slope },
      ];
    });
    const knots: Knot[] = [];
    let [arrived, rate, before] = [0, 0, 0];
    for (const { atMs, jump, slope } of changes.sort((a, b) => a.atMs - b.atMs)) {
      arrived += rate * (atMs - before);
      if (jump > 0) knots.push({ atMs, bytes: arrived });
      arrived += jump;
      knots.push({ atMs, bytes: arrived });
      rate += slope;
      before = atMs;
    }
    this.#knots = knots;
  }

  bytesBy(atMs: number): number {
    let [low, high] = [0, this.#knots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#knots[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    const [before, next] = [this.#knots[low - 1], this.#knots[low]];
    if (before === undefined) return 0;
    if (next === undefined || next.atMs <= before.atMs) return before.bytes;
    return before.bytes + ((next.bytes - before.bytes) * (atMs - before.atMs)) / (next.atMs - before.atMs);
  }
}
