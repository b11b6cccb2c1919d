/** The record of a simulated load, a column each over the requests of the page. Times in ms; NaN until it has happened. */
import type { PageColumns } from './page-columns.ts';
import { BOUNDS, type Bound } from './prediction.ts';

const unset = (count: number): Float64Array => new Float64Array(count).fill(Number.NaN);

export class LoadRecord {
  readonly discovered: Float64Array;
  readonly started: Float64Array;
  readonly firstByte: Float64Array;
  readonly ended: Float64Array;
  /** Number of the connection. */
  readonly connection: Int32Array;
  /** Bytes of the response that are there, in order. */
  readonly received: Int32Array;

  // How it came to be requested: the request whose bytes were awaited last, and when they came.
  readonly causedBy: Int32Array;
  readonly causeAt: Float64Array;
  /** Busy time of the downlink and stalls of the connection (ms so far) when it was sent, when its cause came, and at its end. */
  readonly startBusy: Float64Array;
  readonly startStall: Float64Array;
  readonly causeBusy: Float64Array;
  readonly causeStall: Float64Array;
  readonly endBusy: Float64Array;
  readonly endStall: Float64Array;
  /** When the connection it used was opened and established. */
  readonly openedAt: Float64Array;
  readonly establishedAt: Float64Array;

  constructor({ count }: PageColumns) {
    this.discovered = unset(count);
    this.started = unset(count);
    this.firstByte = unset(count);
    this.ended = unset(count);
    this.connection = new Int32Array(count).fill(-1);
    this.received = new Int32Array(count);
    this.causedBy = new Int32Array(count).fill(-1);
    this.causeAt = new Float64Array(count);
    this.startBusy = unset(count);
    this.startStall = unset(count);
    this.causeBusy = unset(count);
    this.causeStall = unset(count);
    this.endBusy = unset(count);
    this.endStall = unset(count);
    this.openedAt = unset(count);
    this.establishedAt = unset(count);
  }
}

type Shares = Record<Bound, number>;

interface Path {
  readonly page: PageColumns;
  readonly record: LoadRecord;
  readonly rttMs: number;
}

/**
 * The bound of a simulated load: its time, walked back from the last response along what each request waited for, and split by cause.
 * On that path the wait for a connection is `queue-wait`, but a handshake is `round-trips`; then a request takes a round trip and the
 * server's time; the rest of a response is `bandwidth` while the downlink was busy, `loss` while the connection stood still for something
 * lost, and else `round-trips` (a congestion window that had to grow).
 */
export function boundOfLoad(path: Path, last: number): { readonly bound: Bound; readonly shares: Readonly<Shares> } {
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

/** Adds the time from what a request waited for until it was sent. */
function addAsking(shares: Shares, { record }: Path, request: number): void {
  const discovered = record.discovered[request] as number;
  const started = record.started[request] as number;
  shares.page += Math.max(0, discovered - (record.causeAt[request] as number));
  // A connection that was opened for it, or for its like, and was established late.
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
