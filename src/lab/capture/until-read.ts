/** Waits until tcpdump has read what the kernel took for it: told to end, it leaves the rest unread, and says nothing of that (4.99.3). */
import { once } from 'node:events';
import type { Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { countsOf, unreadOf } from './tcpdump-counts.ts';

/** Far beyond what a busy machine keeps a process waiting. */
const LONGEST_WAIT_MS = 10_000;
/** Between two questions; the answers come at once, the packets when tcpdump has the processor. */
const PAUSE_MS = 10;

export interface ReadingTcpdump {
  /** The network device it listens on. */
  readonly device: string;
  /** Makes it say its counts. */
  readonly ask: () => void;
  /** What it says on stderr, by lines; closes when it has ended. */
  readonly said: Interface;
}

/** @returns whether nothing was left unread; false too when tcpdump ends or does not get that far within ten seconds. */
export async function untilRead({ device, ask, said }: ReadingTcpdump): Promise<boolean> {
  const closed = new AbortController();
  const close = () => closed.abort();
  said.once('close', close);
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
  try {
    for (;;) {
      const answer = once(said, 'line', { signal });
      ask();
      const counts = countsOf(String((await answer)[0]));
      if (counts && unreadOf(counts, device) === 0) return true;
      await pause(PAUSE_MS, undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    said.off('close', close);
  }
}
