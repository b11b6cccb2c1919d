/** What the receiver of a direction said it had room for. */
import type { PacketFlow } from './packet-flow.ts';

export interface ReceiveWindow {
  /** Bytes, scaled; both absent where how the window is scaled was said before the capture began. */
  readonly leastBytes?: number;
  readonly mostBytes?: number;
  /** Acknowledgements that closed the window, those that repeat it included. */
  readonly zeroWindows: number;
  /** What it was from a time on, ms; only changes. */
  readonly steps: readonly { readonly atMs: number; readonly bytes: number }[];
}

export function receiveWindow({ acknowledged }: PacketFlow): ReceiveWindow {
  const steps: { atMs: number; bytes: number }[] = [];
  let zeroWindows = 0;
  let leastBytes = Number.POSITIVE_INFINITY;
  let mostBytes = 0;
  for (const { atMs, windowBytes } of acknowledged) {
    if (windowBytes === undefined) continue;
    if (windowBytes === 0) zeroWindows += 1;
    leastBytes = Math.min(leastBytes, windowBytes);
    mostBytes = Math.max(mostBytes, windowBytes);
    if (steps.at(-1)?.bytes !== windowBytes) steps.push({ atMs, bytes: windowBytes });
  }
  return { zeroWindows, steps, ...(steps.length > 0 && { leastBytes, mostBytes }) };
}
