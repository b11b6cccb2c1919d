/** How long each server needs between the request and the response's first byte. */
import { groupBy } from '../group-by.ts';
import { median } from '../stats/median.ts';
import { quantile } from '../stats/quantile.ts';
import type { Inference } from './inference.ts';
import type { ContentClass } from './page-graph.ts';
import type { PlacedLoad } from './place-requests.ts';
import { roundedMs } from './rounding.ts';
import { tally } from './tally.ts';
import { type ServerWait, serverWaits, type WaitContext } from './waits.ts';

export interface InferredDelays {
  /** ms in the order of the requests, never negative. */
  readonly serverMs: readonly number[];
  readonly inferred: readonly Inference[];
}

const RULES = {
  wait: "The server's delay is the wait for the first byte less a round trip (the least of its server's handshakes or first bytes) and less what the link needed for other responses meanwhile; what a server is farther away than the link is counted as its delay too",
  disturbed:
    'Others arrived during the wait, and what is left of it is more than the server needs for files like it undisturbed: as long as those',
  pushed:
    "Was pushed by its server, which browsers no longer take: asked for like any other, with the delay of its server's other requests",
  'of-origin': "The wait is not recorded: the median delay of its server's other requests, the document's aside where there are more",
  'of-page': 'The wait is not recorded for any request of its server: the median delay of the page, the document aside',
  none: 'No wait is recorded on the whole page: no delay',
} as const;
type Rule = keyof typeof RULES;

/** What servers make anew for each request: one answer's delay says nothing of another's. */
const MADE_ANEW: ReadonlySet<ContentClass> = new Set(['document', 'fetch']);
/** Of a server's delays for files, where none was undisturbed: queues only ever add. Our own choice. */
const FILES_RANK = 0.25;

export function inferServerDelays({ requests, document }: PlacedLoad, context: WaitContext): InferredDelays {
  const waits = serverWaits(requests, context);
  const isFile = (position: number) => position !== document && !MADE_ANEW.has(requests[position]?.observed.class ?? 'other');
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
