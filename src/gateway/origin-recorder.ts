import { type OriginCounters, WaitRecorder } from './gateway-counters.ts';

/** Counts what happens at one origin. Levels (open, outstanding) go on over a reset; peaks begin at the level then. */
export class OriginRecorder {
  readonly #origin: string;
  #open = 0;
  #outstanding = 0;
  #connectionsOpened = 0;
  #connectionsFailed = 0;
  #peakConnections = 0;
  #peakDepth = 0;
  #peakOutstanding = 0;
  #requests = 0;
  #pipelinedRequests = 0;
  #repeatedRequests = 0;
  #headOfLineWait = new WaitRecorder();
  #queueWait = new WaitRecorder();

  constructor(origin: string) {
    this.#origin = origin;
  }

  arrived(): void {
    this.#requests++;
  }

  assigned(waitedMs: number): void {
    this.#queueWait.add(waitedMs);
  }

  opened(): void {
    this.#connectionsOpened++;
    this.#open++;
    this.#peakConnections = Math.max(this.#peakConnections, this.#open);
  }

  openFailed(): void {
    this.#connectionsFailed++;
  }

  closed(): void {
    this.#open--;
  }

  /** `depth`: outstanding on its connection, this request included. */
  sent(depth: number, options: { readonly repeated: boolean }): void {
    this.#outstanding++;
    this.#peakDepth = Math.max(this.#peakDepth, depth);
    this.#peakOutstanding = Math.max(this.#peakOutstanding, this.#outstanding);
    if (options.repeated) this.#repeatedRequests++;
    else if (depth > 1) this.#pipelinedRequests++;
  }

  /** Answered, or lost with its connection. */
  settled(requests: number): void {
    this.#outstanding -= requests;
  }

  heldUp(ms: number): void {
    this.#headOfLineWait.add(ms);
  }

  get idle(): boolean {
    return this.#open === 0 && this.#outstanding === 0;
  }

  /** `busiest`: outstanding on the busiest connection now. */
  reset(busiest: number): void {
    this.#connectionsOpened = 0;
    this.#connectionsFailed = 0;
    this.#peakConnections = this.#open;
    this.#peakDepth = busiest;
    this.#peakOutstanding = this.#outstanding;
    this.#requests = 0;
    this.#pipelinedRequests = 0;
    this.#repeatedRequests = 0;
    this.#headOfLineWait = new WaitRecorder();
    this.#queueWait = new WaitRecorder();
  }

  counters(): OriginCounters {
    return {
      origin: this.#origin,
      connectionsOpened: this.#connectionsOpened,
      connectionsFailed: this.#connectionsFailed,
      peakConnections: this.#peakConnections,
      peakDepth: this.#peakDepth,
      peakOutstanding: this.#peakOutstanding,
      requests: this.#requests,
      pipelinedRequests: this.#pipelinedRequests,
      repeatedRequests: this.#repeatedRequests,
      headOfLineWait: this.#headOfLineWait.summary(),
      queueWait: this.#queueWait.summary(),
    };
  }
}
