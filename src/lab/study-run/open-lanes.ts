/** Opens the lanes of a study beside the first: one that does not start is opened once more, and then left out. */
import { reasonOf } from './lane-work.ts';

/** What keeps one from starting may pass, as a machine that is busy for a moment does; what stays would cost this long every time. */
const MOST_TRIES = 2;

export interface OpenLanes<Lane> {
  /** Of the lanes to open, each once. */
  readonly numbers: readonly number[];
  /** How many are opened at a time; at least 1. */
  readonly atOnce: number;
  /** Leaves nothing behind when it throws. */
  readonly open: (number: number) => Promise<Lane>;
  readonly say: (line: string) => void;
  readonly interrupted: () => boolean;
}

/** @returns those that started, in the order of their numbers. Never throws: a study goes on with fewer. */
export async function openLanes<Lane>(options: OpenLanes<Lane>): Promise<readonly Lane[]> {
  const { numbers, atOnce, interrupted } = options;
  const waiting = [...numbers];
  const opened = new Map<number, Lane>();
  await Promise.all(
    Array.from({ length: Math.max(1, atOnce) }, async () => {
      for (let number = waiting.shift(); number !== undefined && !interrupted(); number = waiting.shift()) {
        const lane = await openOne(options, number);
        if (lane !== undefined) opened.set(number, lane);
      }
    }),
  );
  return numbers.flatMap((number) => opened.get(number) ?? []);
}

async function openOne<Lane>({ open, say, interrupted }: OpenLanes<Lane>, number: number): Promise<Lane | undefined> {
  for (let tries = 1; !interrupted(); tries++) {
    try {
      return await open(number);
    } catch (error) {
      const isLast = tries >= MOST_TRIES;
      if (!interrupted()) say(`Lane ${number} does not start, and is ${isLast ? 'left out' : 'opened anew'}: ${reasonOf(error)}`);
      if (isLast) return undefined;
    }
  }
  return undefined;
}
