/** A pause that lasts until nothing more has come for a while: what comes in bursts is written after the burst, not in it. */
import type { Pause } from './group-commit.ts';

export interface PauseLengths {
  /** Nothing more has come for this long. */
  readonly quietMs: number;
  /** At most this long altogether, however much comes. */
  readonly longestMs: number;
}

export function gatheringPause({ quietMs, longestMs }: PauseLengths): Pause {
  let lastAt = 0;
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cut = () => {
    clearTimeout(timer);
    end?.();
    end = undefined;
  };
  /** One timer for many items: when it is due it looks whether it still is. */
  const look = (latest: number) => {
    const now = performance.now();
    const due = Math.min(lastAt + quietMs, latest);
    if (now >= due) cut();
    else timer = setTimeout(look, due - now, latest);
  };

  return {
    begin: () =>
      new Promise((resolve) => {
        end = resolve;
        lastAt = performance.now();
        look(lastAt + longestMs);
      }),
    extend: () => {
      lastAt = performance.now();
    },
    cut,
  };
}
