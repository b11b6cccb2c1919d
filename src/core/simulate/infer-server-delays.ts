/** How long each server needs between the request and the response's first byte. */
import { groupBy } from '../group-by.ts';
import { median } from '../stats/median.ts';
import { Arrivals } from './infer-arrivals.ts';
import type { PlacedLoad, PlacedRequest } from './infer-placed.ts';
import type { RoundTrips } from './infer-round-trips.ts';
import { roundedMs } from './infer-rounding.ts';
import { tally } from './infer-tally.ts';
import type { Inference } from './inference.ts';

export interface InferredDelays {
  /** ms in the order of the requests, never negative. */
  readonly serverMs: readonly number[];
  readonly inferred: readonly Inference[];
}

const RULES = {
  wait: "The server's delay is the wait for the first byte less a round trip (the least of its server's handshakes or first bytes) and less what the link needed for other responses meanwhile; what a server is farther away than the link is counted as its delay too",
  pushed:
    "Was pushed by its server, which browsers no longer take: asked for like any other, with the delay of its server's other requests",
  'of-origin': "The wait is not recorded: the median delay of its server's other requests, the document's aside where there are more",
  'of-page': 'The wait is not recorded for any request of its server: the median delay of the page, the document aside',
  none: 'No wait is recorded on the whole page: no delay',
} as const;
type Rule = keyof typeof RULES;

/** What else is known of the load. */
export interface DelayContext {
  readonly trips: RoundTrips;
  /** Of each response on the wire. */
  readonly bytes: readonly number[];
  /** `undefined`: the load does not show what the link can do, so it was not filled. */
  readonly downKbps: number | undefined;
}

export function inferServerDelays({ requests, document }: PlacedLoad, context: DelayContext): InferredDelays {
  const arrivals = new Arrivals(requests, context.bytes);
  const known = requests.map((request) => delayOf(request, context, arrivals));
  const positions = requests.map((_, position) => position);
  const usual = (of: readonly number[]) =>
    median(of.flatMap((position) => (position === document ? [] : (known[position] ?? [])))) ??
    median(of.flatMap((position) => known[position] ?? []));
  const ofOrigins = new Map(
    [...groupBy(positions, (position) => requests[position]?.observed.origin)].map(([origin, own]) => [origin, usual(own)] as const),
  );
  const ofPage = usual(positions);
  const ruled = requests.map(({ observed }, position): readonly [number, Rule] => {
    const [own, others] = [known[position], ofOrigins.get(observed.origin)];
    if (own !== undefined) return [own, 'wait'];
    const rule = others !== undefined ? 'of-origin' : ofPage !== undefined ? 'of-page' : 'none';
    return [others ?? ofPage ?? 0, observed.pushed === true ? 'pushed' : rule];
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

/**
 * The wait less the round trip, as Lantern has it (models/trace/lantern/core/NetworkAnalyzer, `estimateServerResponseTimeByOrigin`), less
 * the time that the link needed for what else arrived meanwhile: the response had to queue behind that.
 */
function delayOf(
  { observed, firstByteMs }: PlacedRequest,
  { trips: { byOrigin, linkMs }, downKbps }: DelayContext,
  arrivals: Arrivals,
): number | undefined {
  const { origin, pushed, timing } = observed;
  if (timing.waitMs === undefined || pushed === true) return undefined;
  const own = byOrigin.get(origin) ?? linkMs ?? 0;
  const excess = Math.max(0, timing.waitMs - Math.min(own, linkMs ?? own));
  if (downKbps === undefined || firstByteMs === undefined) return excess;
  // A rate of 1 kbit/s is 1 bit/ms.
  const queuedMs = ((arrivals.by(firstByteMs) - arrivals.by(firstByteMs - excess)) * 8) / downKbps;
  return Math.max(0, excess - queuedMs);
}
