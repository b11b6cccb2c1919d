/** How long each server needs between the request and the response's first byte. */
import { groupBy } from '../group-by.ts';
import { median } from '../stats/median.ts';
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
  wait: "The server's delay is the wait for the first byte less a round trip, the least of its server's handshakes or first bytes; what a server is farther away than the link is counted as its delay too",
  pushed:
    "Was pushed by its server, which browsers no longer take: asked for like any other, with the delay of its server's other requests",
  'of-origin': "The wait is not recorded: the median delay of its server's other requests, the document's aside where there are more",
  'of-page': 'The wait is not recorded for any request of its server: the median delay of the page, the document aside',
  none: 'No wait is recorded on the whole page: no delay',
} as const;
type Rule = keyof typeof RULES;

export function inferServerDelays({ requests, document }: PlacedLoad, trips: RoundTrips): InferredDelays {
  const known = requests.map(({ observed }) => delayOf(observed, trips));
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

/** Lantern takes the same difference (models/trace/lantern/core/NetworkAnalyzer, `estimateServerResponseTimeByOrigin`). */
function delayOf({ origin, pushed, timing }: PlacedRequest['observed'], { byOrigin, linkMs }: RoundTrips): number | undefined {
  if (timing.waitMs === undefined || pushed === true) return undefined;
  const own = byOrigin.get(origin) ?? linkMs ?? 0;
  return Math.max(0, timing.waitMs - Math.min(own, linkMs ?? own));
}
