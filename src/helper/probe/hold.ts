/** When the probe answers: nobody until nothing more arrives, so that a browser shows all that it will have under way at once. */

export interface HoldTimes {
  /** Nothing has arrived for so long, ms: nothing more will without an answer. */
  readonly quietMs: number;
  /** Nobody waits longer than this, ms. */
  readonly longestMs: number;
}

/**
 * Answers are held in waves. The first wave that shows nothing new is the last that is held: a browser that has shown the same twice
 * has shown all, and its other requests shall not wait.
 */
export class ProbeHold {
  readonly #times: HoldTimes;
  readonly #shown: () => number;
  #held: (() => void)[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #longest: NodeJS.Timeout | undefined;
  #shownBefore = 0;
  #over = false;

  /** @param shown - Grows whenever more is under way at once than ever before. */
  constructor(times: HoldTimes, shown: () => number) {
    this.#times = times;
    this.#shown = shown;
  }

  add(answer: () => void): void {
    if (this.#over) {
      answer();
      return;
    }
    this.#held.push(answer);
    this.#longest ??= setTimeout(() => this.#release(), this.#times.longestMs);
    if (this.#quiet) this.#quiet.refresh();
    else this.#quiet = setTimeout(() => this.#release(), this.#times.quietMs);
  }

  /** Waves are held again, as at the beginning. */
  restart(): void {
    this.#shownBefore = 0;
    this.#over = false;
  }

  /** Answers everybody; nobody is held any more. */
  stop(): void {
    this.#over = true;
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    this.#quiet = undefined;
    this.#longest = undefined;
    const shown = this.#shown();
    if (shown <= this.#shownBefore) this.#over = true;
    this.#shownBefore = shown;
    for (const answer of this.#held.splice(0)) answer();
  }
}
