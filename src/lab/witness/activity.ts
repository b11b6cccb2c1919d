/** Notices when a server has had nothing to do for a while: how a scenario knows that Firefox has asked for all that it wanted. */
import { PlumbfoxError } from '../../core/errors.ts';

export interface Activity {
  /** Something has happened. */
  note(): void;
  /** Settles when nothing has happened for `ms`, once something has; or `withinMs` after the call where nothing does. */
  quiet(ms: number, withinMs?: number): Promise<void>;
  /** Settles once the condition holds, looked at again whenever something happens. @throws PlumbfoxError `run-void` after `withinMs`. */
  until(condition: () => boolean, what: string, withinMs?: number): Promise<void>;
}

/** An idle machine takes milliseconds; a busy one a few seconds. */
const WITHIN_MS = 20_000;

export function activity(): Activity {
  const listeners = new Set<() => void>();
  let lastMs: number | undefined;
  return {
    note: () => {
      lastMs = performance.now();
      for (const listener of listeners) listener();
    },
    quiet: (ms, withinMs = WITHIN_MS) =>
      new Promise((resolve) => {
        const begunMs = performance.now();
        const look = () => {
          const nowMs = performance.now();
          const leftMs = lastMs === undefined ? begunMs + withinMs - nowMs : lastMs + ms - nowMs;
          if (leftMs <= 0) resolve();
          else setTimeout(look, Math.min(leftMs, ms));
        };
        look();
      }),
    until: (condition, what, withinMs = WITHIN_MS) =>
      new Promise((resolve, reject) => {
        if (condition()) {
          resolve();
          return;
        }
        const end = (settle: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          settle();
        };
        const timer = setTimeout(
          () => end(() => reject(new PlumbfoxError('run-void', `${what}: not within ${withinMs / 1000} s`))),
          withinMs,
        );
        const look = () => {
          if (condition()) end(resolve);
        };
        listeners.add(look);
      }),
  };
}
