/** A progress bar on stderr, so that stdout holds results only. Without a terminal, a line every tenth of the way. */
import type { WriteStream } from 'node:tty';

export interface ProgressBar {
  /** A line of its own, above the bar. */
  say(line: string): void;
  /** @param progress - `leftMs`: time left, where somebody knows better than that the rest takes as long as what is done. */
  show(progress: { done: number; total: number; label: string; leftMs?: number }): void;
  clear(): void;
}

const BAR_CELLS = 24;

/** @param options.plain - Never moves the cursor: for terminals that cannot (`TERM=dumb`). */
export function progressBar(stream: WriteStream, now: () => number, options: { readonly plain?: boolean } = {}): ProgressBar {
  const inPlace = stream.isTTY && options.plain !== true;
  const startedMs = now();
  let lastTenth = -1;
  const clear = () => {
    if (inPlace) stream.write('\r\x1b[2K');
  };
  return {
    clear,
    say: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    show: ({ done, total, label, leftMs }) => {
      const share = total === 0 ? 1 : done / total;
      const text = `${bar(share)} ${done}/${total}  ${leftMs === undefined ? remaining(share, now() - startedMs) : clockOf(leftMs)}  ${label}`;
      if (inPlace) {
        stream.write(`\r\x1b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth === lastTenth) return;
      lastTenth = tenth;
      stream.write(`${text}\n`);
    },
  };
}

function bar(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function remaining(share: number, elapsedMs: number): string {
  if (share <= 0) return 'time left unknown';
  return clockOf((elapsedMs * (1 - share)) / share);
}

function clockOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
