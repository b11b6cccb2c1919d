/** A progress bar on stderr, so that stdout holds results only. Without a terminal, a line every tenth of the way. */
import type { WriteStream } from 'node:tty';

export interface ProgressBar {
  /** A line of its own, above the bar. */
  say(line: string): void;
  /** @param done - Share of the work in [0, 1]. */
  show(progress: { done: number; total: number; label: string }): void;
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
    show: ({ done, total, label }) => {
      const share = total === 0 ? 1 : done / total;
      const text = `${bar(share)} ${done}/${total}  ${remaining(share, now() - startedMs)}  ${label}`;
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
  const seconds = Math.round((elapsedMs * (1 - share)) / share / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
