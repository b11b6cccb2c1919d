/**
 * When the bytes of a stream had passed the capture point in order, so that the receiver could have them all. Where a stream is sent, a
 * byte that was sent again counts when it was sent last; where it arrives, when it and all before it had come.
 */
import { byteRanges } from './byte-ranges.ts';
import type { PacketFlow } from './packet-flow.ts';

export interface StreamPassage {
  /** When all before position `end` had passed, ms; `undefined`: not all of it has. */
  passedMs(end: number): number | undefined;
  /** The position after the last byte that passed. */
  readonly end: number;
}

interface Step {
  /** All before it ... */
  readonly upTo: number;
  /** ... had passed then. Both never fall. */
  readonly atMs: number;
}

export function streamPassage(flow: PacketFlow, { sentHere }: { readonly sentHere: boolean }): StreamPassage {
  const steps = sentHere ? sentSteps(flow) : arrivedSteps(flow);
  return {
    end: steps.at(-1)?.upTo ?? 0,
    passedMs: (end) => firstReaching(steps, end)?.atMs,
  };
}

/** Each transmission holds back all that follows it in the stream. */
function sentSteps({ sent }: PacketFlow): readonly Step[] {
  const data = sent.filter(({ dataBytes }) => dataBytes > 0);
  const byStart = isAscending(data.map(({ start }) => start)) ? data : data.toSorted((one, other) => one.start - other.start);
  const steps: Step[] = [];
  let atMs = Number.NEGATIVE_INFINITY;
  let upTo = Number.NEGATIVE_INFINITY;
  byStart.forEach((segment, index) => {
    atMs = Math.max(atMs, segment.atMs);
    upTo = Math.max(upTo, segment.start + segment.dataBytes);
    // Up to where the next begins nothing else can hold it back.
    const limit = Math.min(upTo, byStart[index + 1]?.start ?? upTo);
    if (limit > (steps.at(-1)?.upTo ?? Number.NEGATIVE_INFINITY)) steps.push({ upTo: limit, atMs });
  });
  return steps;
}

function arrivedSteps({ sent }: PacketFlow): readonly Step[] {
  const seen = byteRanges();
  const steps: Step[] = [];
  let upTo: number | undefined;
  for (const { atMs, start, dataBytes } of sent) {
    if (dataBytes === 0) continue;
    seen.add(start, start + dataBytes);
    // The stream begins with its first byte, or where the capture found it.
    upTo ??= start;
    const reached = seen.contiguousFrom(upTo);
    if (reached === upTo) continue;
    upTo = reached;
    steps.push({ upTo, atMs });
  }
  return steps;
}

function firstReaching(steps: readonly Step[], end: number): Step | undefined {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.upTo ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return steps[low];
}

const isAscending = (values: readonly number[]): boolean => values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value);
