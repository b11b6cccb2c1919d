/** Ctrl-C and SIGTERM: the first stops the run in good order, a second ends the process at once. */
import { PlumbfoxError } from '../core/errors.ts';
import { EXIT_CODES } from './errors.ts';

export interface Interruption {
  interrupted(): boolean;
  /** @throws PlumbfoxError `interrupted` once it was; `what` says how far things were. */
  check(what: string): void;
  /** What to do first, so that whatever is waited for ends. */
  onInterrupt(action: () => Promise<void>): void;
  close(): void;
}

/** npm passes Ctrl-C on to the command, which has had it from the terminal already: signals this close are one. */
const SAME_PRESS_MS = 700;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function watchInterrupts(now: () => number): Interruption {
  let seenAtMs: number | undefined;
  let action: () => Promise<void> = async () => {};
  const stop = () => {
    // Whoever waits for what the action ends learns what went wrong with it.
    action().catch(() => {});
  };
  const onSignal = () => {
    if (seenAtMs !== undefined) {
      if (now() - seenAtMs > SAME_PRESS_MS) process.exit(EXIT_CODES.interrupted);
      return;
    }
    seenAtMs = now();
    process.stderr.write('\nStopping ...\n');
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    interrupted: () => seenAtMs !== undefined,
    check: (what) => {
      if (seenAtMs !== undefined) throw new PlumbfoxError('interrupted', what);
    },
    onInterrupt: (next) => {
      action = next;
      if (seenAtMs !== undefined) stop();
    },
    close: () => {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    },
  };
}
