/** What the timelines of the corpus say of the machine it was measured on. Pure. */

import { discoveriesOf, type PageRequest } from '../../../src/core/graph/page-graph.ts';
import { median, quantile } from '../../../src/core/stats/quantile.ts';
import type { MeasuredRequest, MeasuredScenario } from './measured-scenario.ts';

/** All in ms; medians over the loads unless said otherwise; `undefined`: no load tells. */
export interface MachineFigures {
  /** From the start of the navigation until the document's connection begins. */
  readonly startMs: number | undefined;
  /** From the document's first byte until the first of its resources is asked for. */
  readonly parserStartMs: number | undefined;
  /** From the last byte of what a script waits for until the first of what it asks for is asked for. */
  readonly scriptRunMs: number | undefined;
  /** The same for pictures of a style sheet. */
  readonly stylingMs: number | undefined;
  /** From when the first resources are asked for until the first of them is on its way. */
  readonly firstDispatchMs: number | undefined;
  /** The same for what scripts and style sheets ask for; lower quartile, as the upper ones waited for a connection. */
  readonly dispatchMs: number | undefined;
  /** Between one connection's opening and the next, of those wanted together. */
  readonly requestWorkMs: number | undefined;
}

/** A handshake takes longer than this over every link: below it, no connection was opened to a server. */
const HANDSHAKE_MS = 2;
/** Of one parser's turn: what is asked for so shortly after the first resource came in the same piece of the document. */
const SAME_TURN_MS = 10;
/** Fewer openings are no row. */
const MIN_OPENINGS = 3;

interface Row {
  readonly request: PageRequest;
  readonly measured: MeasuredRequest;
}

interface Timeline {
  readonly rows: readonly Row[];
  /** Without the gateway, whose connections are on the machine itself. */
  readonly direct: boolean;
}

/** @param isDirect whether a profile goes without the gateway. */
export function measureMachine(scenarios: readonly MeasuredScenario[], isDirect: (profileId: string) => boolean): MachineFigures {
  const timelines = scenarios.flatMap(({ graph, profiles }) =>
    profiles
      .filter(({ requests }) => requests.length === graph.requests.length)
      .map(({ profileId, requests }): Timeline => ({ direct: isDirect(profileId), rows: rowsOf(graph.requests, requests) })),
  );
  const over = (figure: (timeline: Timeline) => number | undefined) => timelines.map(figure).filter((value) => value !== undefined);
  const dispatches = over(({ rows }) => least(rows.filter(isLater).map(({ measured }) => difference(measured.sentMs, measured.askedMs))));
  return {
    startMs: median(over(({ rows, direct }) => (direct ? rows[0]?.measured.connectStartMs : undefined))),
    parserStartMs: median(over(({ rows }) => difference(firstAsked(rows), rows[0]?.measured.firstByteMs))),
    scriptRunMs: median(over(({ rows }) => leastDelayAfter(rows, 'script'))),
    stylingMs: median(over(({ rows }) => leastDelayAfter(rows, 'stylesheet'))),
    firstDispatchMs: median(over((timeline) => least(firstTurn(timeline.rows).map(({ measured }) => dispatchOf(measured, timeline))))),
    dispatchMs:
      dispatches.length === 0
        ? undefined
        : quantile(
            dispatches.toSorted((a, b) => a - b),
            0.25,
          ),
    requestWorkMs: median(over(openingGap)),
  };
}

const rowsOf = (requests: readonly PageRequest[], measured: readonly MeasuredRequest[]): readonly Row[] =>
  requests.flatMap((request, index) => {
    const own = measured[index];
    return own === undefined ? [] : [{ request, measured: own }];
  });

const difference = (later: number | undefined, earlier: number | undefined): number | undefined =>
  later === undefined || earlier === undefined ? undefined : later - earlier;

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Asked for by something else than the document. */
const isLater = ({ request }: Row, _: number, rows: readonly Row[]): boolean =>
  discoveriesOf(request).some(({ id }) => id !== rows[0]?.request.id);

const firstAsked = (rows: readonly Row[]): number | undefined => least(rows.slice(1).map(({ measured }) => measured.askedMs));

function firstTurn(rows: readonly Row[]): readonly Row[] {
  const first = firstAsked(rows);
  return first === undefined
    ? []
    : rows.slice(1).filter(({ measured }) => (measured.askedMs ?? Number.POSITIVE_INFINITY) < first + SAME_TURN_MS);
}

const opensConnection = ({ connectStartMs, connectEndMs }: MeasuredRequest): boolean =>
  (difference(connectEndMs, connectStartMs) ?? 0) > HANDSHAKE_MS;

const dispatchOf = (measured: MeasuredRequest, { direct }: Timeline): number | undefined =>
  difference(direct && opensConnection(measured) ? measured.connectStartMs : measured.sentMs, measured.askedMs);

/** Of what waits for responses of this class alone, besides the document and what must be there before. */
function leastDelayAfter(rows: readonly Row[], asking: 'script' | 'stylesheet'): number | undefined {
  const byId = new Map(rows.map((row) => [row.request.id, row]));
  return least(
    rows.map(({ request, measured }) => {
      const others = discoveriesOf(request).flatMap(({ id }) => (id === rows[0]?.request.id ? [] : [byId.get(id)]));
      if (others[0]?.request.class !== asking) return undefined;
      const ends = others.map((other) => other?.measured.endMs);
      return ends.includes(undefined) ? undefined : difference(measured.askedMs, Math.max(...ends.map((end) => end ?? 0)));
    }),
  );
}

function openingGap({ rows, direct }: Timeline): number | undefined {
  if (!direct) return undefined;
  const openings = firstTurn(rows).flatMap(({ measured }) => (opensConnection(measured) ? (measured.connectStartMs ?? []) : []));
  return openings.length < MIN_OPENINGS ? undefined : (Math.max(...openings) - Math.min(...openings)) / (openings.length - 1);
}
