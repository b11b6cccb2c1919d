/** What a simulated load leaves behind, a column each over the requests of the page. Times in ms; NaN until it has happened. */
import type { PageColumns } from './page-columns.ts';

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

  // How it came to be asked for: the request whose bytes were awaited last, and when they came.
  readonly causedBy: Int32Array;
  readonly causeAt: Float64Array;
  /** Busy time of the downlink and stalls of the connection (ms so far) when it was sent, when its cause came, and at its end. */
  readonly startBusy: Float64Array;
  readonly startStall: Float64Array;
  readonly causeBusy: Float64Array;
  readonly causeStall: Float64Array;
  readonly endBusy: Float64Array;
  readonly endStall: Float64Array;
  /** When the connection it used was opened and stood. */
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
