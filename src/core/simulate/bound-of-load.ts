/**
 * What bound a simulated load: its time, walked back from the last response along what each request waited for, and split by cause.
 * On that path the wait for a connection is `queue-wait`, but a handshake is `round-trips`; then a request takes a round trip and the
 * server's time; the rest of a response is `bandwidth` while the downlink was busy, `loss` while the connection stood still for something
 * lost, and else `round-trips` (a congestion window that had to grow).
 */
import type { LoadRecord } from './load-record.ts';
import type { PageColumns } from './page-columns.ts';
import { BOUNDS, type Bound } from './prediction.ts';

type Shares = Record<Bound, number>;

export interface BoundOfLoad {
  readonly bound: Bound;
  readonly shares: Readonly<Shares>;
}

interface Path {
  readonly page: PageColumns;
  readonly record: LoadRecord;
  readonly rttMs: number;
}

export function boundOfLoad(path: Path, last: number): BoundOfLoad {
  const { record } = path;
  const shares: Shares = { bandwidth: 0, 'queue-wait': 0, 'round-trips': 0, loss: 0, server: 0, page: 0 };
  const loadTime = record.ended[last] as number;
  let request = last;
  addReception(shares, path, {
    request,
    until: loadTime,
    busy: record.endBusy[request] as number,
    stall: record.endStall[request] as number,
  });
  for (let cause = record.causedBy[request] as number; cause >= 0; cause = record.causedBy[request] as number) {
    addAsking(shares, path, request);
    addReception(shares, path, {
      request: cause,
      until: record.causeAt[request] as number,
      busy: record.causeBusy[request] as number,
      stall: record.causeStall[request] as number,
    });
    request = cause;
  }
  addAsking(shares, path, request);
  const total = BOUNDS.reduce((sum, bound) => sum + shares[bound], 0);
  for (const bound of BOUNDS) shares[bound] = total > 0 ? shares[bound] / total : 0;
  const bound = BOUNDS.reduce((most, each) => (shares[each] > shares[most] ? each : most));
  if (total === 0) shares[bound] = 1;
  return { bound, shares };
}

/** From what it waited for to its sending. */
function addAsking(shares: Shares, { record }: Path, request: number): void {
  const discovered = record.discovered[request] as number;
  const started = record.started[request] as number;
  shares.page += Math.max(0, discovered - (record.causeAt[request] as number));
  // A connection that was opened for it, or for its like, and stood late.
  const opened = Math.max(discovered, record.openedAt[request] as number);
  const handshake = Math.max(0, Math.min(started, record.establishedAt[request] as number) - opened);
  shares['round-trips'] += handshake;
  shares['queue-wait'] += Math.max(0, started - discovered - handshake);
}

function addReception(
  shares: Shares,
  { page, record, rttMs }: Path,
  { request, until, busy, stall }: { request: number; until: number; busy: number; stall: number },
): void {
  let left = Math.max(0, until - (record.started[request] as number));
  const take = (bound: Bound, most: number) => {
    const part = Math.max(0, Math.min(left, most));
    shares[bound] += part;
    left -= part;
  };
  take('round-trips', rttMs);
  take('server', page.serverMs[request] as number);
  take('bandwidth', busy - (record.startBusy[request] as number));
  take('loss', stall - (record.startStall[request] as number));
  take('round-trips', left);
}
