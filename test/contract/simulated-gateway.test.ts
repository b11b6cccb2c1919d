/** The simulator's gateway gives every request to the connection that the real one's policy would choose, whatever happens in between. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GATEWAY_VISITS, type GatewayVisit, PROBATION } from '../../src/core/gateway-policy.ts';
import { Connection } from '../../src/core/simulate/connection.ts';
import type { PoolPort } from '../../src/core/simulate/connection-pool.ts';
import { GatewayPool } from '../../src/core/simulate/gateway-pool.ts';
import { pageColumns } from '../../src/core/simulate/page-columns.ts';
import {
  connectionsWanted,
  type DispatchLimits,
  type EstablishingLoad,
  nextDispatch,
  nextMove,
} from '../../src/gateway/dispatch-policy.ts';
import { OriginHealth } from '../../src/gateway/origin-health.ts';

const REQUESTS = 24;
const page = pageColumns({
  requests: Array.from({ length: REQUESTS }, (_, at) => ({ id: `r${at}`, bytes: 1000, class: at === 0 ? 'document' : 'image' })),
});

/** What happens to both: a request arrives, or a connection (by turns among those it can happen to) stands, answers one or has rested. */
type Happening = { readonly kind: 'arrives' | 'stands' | 'answers' | 'has rested'; readonly which: number };

/** Requests of each connection, in the order in which they were given to it. */
type Placement = readonly (readonly number[])[];

/** The real policy, with the bookkeeping of `src/gateway/origin-pool.ts`. */
function byPolicy(setting: DispatchLimits, visit: GatewayVisit, happenings: readonly Happening[]): Placement {
  const connections: { established: boolean; resting: boolean; requests: number[]; left: number[]; onProbation: Set<number> }[] = [];
  const health = new OriginHealth(visit === 'first-visit' ? PROBATION.answers : 0);
  const queue: number[] = [];
  let arrivals = 0;
  const open = () => connections.push({ established: false, resting: false, requests: [], left: [], onProbation: new Set() });
  const loads = (): EstablishingLoad[] =>
    connections.map(({ established, resting, left }) => ({ established, outstanding: left.length, accepting: !resting }));
  const pump = () => {
    const limits = { ...setting, depth: health.effectiveDepth(setting.depth) };
    for (;;) {
      const next = nextDispatch(queue.length, loads(), limits);
      if (next === undefined) break;
      if (next.connection === 'new') open();
      const to = connections[next.connection === 'new' ? connections.length - 1 : next.connection];
      for (const request of queue.splice(0, next.take)) {
        to?.requests.push(request);
        to?.left.push(request);
        if (to?.established && health.onProbation) to.onProbation.add(request);
      }
    }
    for (let move = queue.length === 0 ? nextMove(loads()) : undefined; move !== undefined; move = nextMove(loads())) {
      const request = connections[move.from]?.left.pop() as number;
      connections[move.from]?.requests.pop();
      const to = connections[move.to];
      to?.requests.push(request);
      to?.left.push(request);
      if (health.onProbation) to?.onProbation.add(request);
    }
  };
  for (const { kind, which } of happenings) {
    if (kind === 'arrives' && arrivals < REQUESTS) {
      queue.push(arrivals);
      arrivals += 1;
      const wanted = connectionsWanted({ count: arrivals, document: arrivals === 1 }, { mode: 'ahead', limit: setting.connections });
      while (connections.length < wanted) open();
    } else if (kind === 'stands') {
      const own = connections.filter(({ established }) => !established);
      const one = own[which % Math.max(1, own.length)];
      if (one === undefined) continue;
      one.established = true;
      if (health.onProbation) one.onProbation = new Set(one.left);
    } else if (kind === 'answers') {
      const own = connections.filter(({ established, left }) => established && left.length > 0);
      const one = own[which % Math.max(1, own.length)];
      if (one === undefined) continue;
      if (one.onProbation.has(one.left.shift() as number)) one.resting = true;
      health.answered();
    } else if (kind === 'has rested') {
      const own = connections.filter(({ resting }) => resting);
      const one = own[which % Math.max(1, own.length)];
      if (one) one.resting = false;
    }
    pump();
  }
  return connections.map(({ requests }) => requests);
}

function bySimulation(limits: DispatchLimits, visit: GatewayVisit, happenings: readonly Happening[]): Placement {
  const requests: number[][] = [];
  const left: number[][] = [];
  const resting: Connection[] = [];
  const port: PoolPort = {
    open: (origin) => {
      requests.push([]);
      left.push([]);
      return new Connection(requests.length - 1, origin, 0);
    },
    assign: (connection, request) => {
      connection.outstanding += 1;
      requests[connection.id]?.push(request);
      left[connection.id]?.push(request);
    },
    takeBack: (connection) => {
      connection.outstanding -= 1;
      left[connection.id]?.pop();
      return requests[connection.id]?.pop() as number;
    },
    waitForToken: () => {},
    restUntil: (connection) => resting.push(connection),
    backupAt: () => {},
    heldBack: () => false,
    active: () => 0,
    connecting: () => 0,
  };
  const { connections: limit, depth, mode } = limits;
  const pool = new GatewayPool({ port, origin: 0, page, connections: limit, depth, dispatch: mode, backupAfterMs: 250, visit });
  let arrivals = 0;
  for (const { kind, which } of happenings) {
    if (kind === 'arrives' && arrivals < REQUESTS) pool.submit(arrivals++, 0);
    else if (kind === 'stands') {
      const own = pool.connections.filter(({ establishedAt }) => establishedAt === undefined);
      const one = own[which % Math.max(1, own.length)];
      if (one === undefined) continue;
      one.establishedAt = 0;
      pool.connected(one, 0);
    } else if (kind === 'answers') {
      const own = pool.connections.filter(({ establishedAt, outstanding }) => establishedAt !== undefined && outstanding > 0);
      const one = own[which % Math.max(1, own.length)];
      if (one === undefined) continue;
      one.outstanding -= 1;
      pool.answered(one, left[one.id]?.shift() as number, 0);
      pool.retry(0);
    } else if (kind === 'has rested') {
      // Which one by turns, in the order of the connections.
      resting.sort((a, b) => a.id - b.id);
      const [one] = resting.splice(which % Math.max(1, resting.length), 1);
      if (one) pool.rested(one, 0);
    }
  }
  return requests;
}

const limits = fc.record({
  connections: fc.integer({ min: 1, max: 6 }),
  depth: fc.integer({ min: 1, max: 8 }),
  mode: fc.constantFrom('appended' as const, 'bundled' as const),
});
const happenings = fc.array(
  fc.record({ kind: fc.constantFrom('arrives', 'arrives', 'stands', 'answers', 'has rested' as const), which: fc.nat(11) }),
  { minLength: 1, maxLength: 80 },
);

it('as the policy of the gateway', () => {
  fc.assert(
    fc.property(limits, fc.constantFrom(...GATEWAY_VISITS), happenings, (given, visit, events) => {
      expect(bySimulation(given, visit, events)).toEqual(byPolicy(given, visit, events));
    }),
    { numRuns: 2000 },
  );
});
