/** The counts of the origin servers for one load, per server: the lab's independent witness. */
import * as v from 'valibot';
import { count } from '../../core/schema.ts';

/** The counts of one server. */
export const originCountSchema = v.object({
  requests: count,
  /** Connections that carried at least one request of the load. */
  connections: count,
  /** The most that were open at once. */
  peakConnections: count,
  /** The most requests received and not yet answered in full, all connections together. */
  peakOutstanding: count,
  /** The same on one connection. */
  peakDepth: count,
  bodyBytes: count,
});
export type OriginCount = v.InferOutput<typeof originCountSchema>;

interface OriginCounters {
  /** A request has arrived; call the result when its response has been handed to the kernel or its connection is gone. */
  arrive(origin: string, connection: object): (bodyBytes: number) => void;
  connectionClosed(connection: object): void;
  /** The figures since the last `reset`. */
  read(): Record<string, OriginCount>;
  reset(): void;
}

interface Running extends OriginCount {
  outstanding: number;
  readonly open: Map<object, number>;
}

export function originCounters(): OriginCounters {
  let origins = new Map<string, Running>();
  const at = (origin: string): Running => {
    const known = origins.get(origin);
    if (known) return known;
    const fresh: Running = {
      requests: 0,
      connections: 0,
      peakConnections: 0,
      peakOutstanding: 0,
      peakDepth: 0,
      bodyBytes: 0,
      outstanding: 0,
      open: new Map(),
    };
    origins.set(origin, fresh);
    return fresh;
  };
  return {
    arrive: (origin, connection) => {
      const count = at(origin);
      if (!count.open.has(connection)) {
        count.connections += 1;
        count.open.set(connection, 0);
        count.peakConnections = Math.max(count.peakConnections, count.open.size);
      }
      const depth = (count.open.get(connection) ?? 0) + 1;
      count.open.set(connection, depth);
      count.requests += 1;
      count.outstanding += 1;
      count.peakOutstanding = Math.max(count.peakOutstanding, count.outstanding);
      count.peakDepth = Math.max(count.peakDepth, depth);
      let answered = false;
      return (bodyBytes) => {
        if (answered) return;
        answered = true;
        count.outstanding -= 1;
        count.bodyBytes += bodyBytes;
        const left = count.open.get(connection);
        if (left !== undefined) count.open.set(connection, left - 1);
      };
    },
    connectionClosed: (connection) => {
      for (const count of origins.values()) count.open.delete(connection);
    },
    read: () => Object.fromEntries([...origins].map(([origin, { outstanding: _outstanding, open: _open, ...count }]) => [origin, count])),
    reset: () => {
      origins = new Map();
    },
  };
}
