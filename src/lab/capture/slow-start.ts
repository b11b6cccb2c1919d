/** How the window grew where a connection began to send in earnest. */
import type { WindowRound } from './congestion-window.ts';

export interface SlowStart {
  readonly fromMs: number;
  readonly toMs: number;
  /** Round trips, the first included. */
  readonly rounds: number;
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Growth from one round to the next, the geometric mean; absent: one round only. Slow start doubles (RFC 5681), less with delayed acknowledgements. */
  readonly growthPerRound?: number;
  /** Data acknowledged before it: 0 for a connection that was cold. */
  readonly afterBytes: number;
  /** `steady`: the window grew by less than a quarter. */
  readonly endedBy: 'loss' | 'receiver' | 'steady' | 'no more to send';
}

/** Less growth in a round trip than this is not slow start: CUBIC and Reno grow by far less once out of it. Our own choice. */
const LEAST_GROWTH = 1.25;

/** From the first round that the congestion window held back; `undefined`: there is none. */
export function slowStart(rounds: readonly WindowRound[]): SlowStart | undefined {
  const from = rounds.findIndex(({ limit }) => limit === 'congestion');
  const first = rounds[from];
  if (!first) return undefined;
  let last = first;
  let count = 1;
  let endedBy: SlowStart['endedBy'] = 'no more to send';
  for (const [at, round] of rounds.entries()) {
    if (at <= from) continue;
    const end = endOf(round, { last, next: rounds[at + 1] });
    if (end !== undefined) {
      endedBy = end;
      break;
    }
    last = round;
    count += 1;
  }
  return {
    fromMs: first.fromMs,
    toMs: last.toMs,
    rounds: count,
    fromBytes: first.bytes,
    toBytes: last.bytes,
    ...(count > 1 && { growthPerRound: (last.bytes / first.bytes) ** (1 / (count - 1)) }),
    afterBytes: first.afterBytes,
    endedBy,
  };
}

interface Around {
  readonly last: WindowRound;
  readonly next: WindowRound | undefined;
}

function endOf({ limit, bytes }: WindowRound, { last, next }: Around): SlowStart['endedBy'] | undefined {
  if (limit === 'recovery') return 'loss';
  if (limit === 'receiver') return 'receiver';
  if (limit === 'application') return 'no more to send';
  if (bytes >= last.bytes * LEAST_GROWTH) return undefined;
  // A round cut short by news of a loss.
  return next?.limit === 'recovery' ? 'loss' : 'steady';
}
