/** Which lane does which block when. Pure but for its own state. */

export interface WaitingBlock<Block> {
  readonly block: Block;
  /** Likely time, ms. */
  readonly expectedMs: number;
}

export interface BlockQueue<Block> {
  /** The next block for a lane; `undefined`: nothing is left to begin. */
  take(lane: number): Block | undefined;
  /** A block that came to no end goes back, to be done first. */
  giveBack(waiting: WaitingBlock<Block>): void;
  /** Likely time of what nobody has begun, ms. */
  waitingMs(): number;
}

/**
 * Lanes of even number take the longest block left, the others the shortest: fast links, whose loads keep the processor busy, are measured
 * beside slow ones from beginning to end, and the blocks left for the end are of middling length.
 */
export function blockQueue<Block>(blocks: readonly WaitingBlock<Block>[]): BlockQueue<Block> {
  const waiting = blocks.toSorted((a, b) => a.expectedMs - b.expectedMs);
  return {
    take: (lane) => (lane % 2 === 0 ? waiting.pop() : waiting.shift())?.block,
    giveBack: (back) => {
      waiting.push(back);
    },
    waitingMs: () => waiting.reduce((sum, { expectedMs }) => sum + expectedMs, 0),
  };
}
