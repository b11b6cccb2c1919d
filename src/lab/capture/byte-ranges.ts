/** Which bytes of a stream have been seen. */

export interface ByteRanges {
  /** @returns how many bytes of `[start, end)` had been there before. */
  add(start: number, end: number): number;
  /** Where the first hole begins, counted from the range that holds or follows `from`; `from` itself where nothing is there. */
  contiguousFrom(from: number): number;
}

export function byteRanges(): ByteRanges {
  /** Disjoint, ascending, never touching. Few: only what was lost or came out of order divides them. */
  const ranges: [number, number][] = [];
  return {
    add: (start, end) => {
      if (end <= start) return 0;
      const last = ranges.at(-1);
      if (!last || start > last[1]) {
        ranges.push([start, end]);
        return 0;
      }
      if (start === last[1]) {
        last[1] = end;
        return 0;
      }
      return insert(ranges, start, end);
    },
    contiguousFrom: (from) => {
      const at = firstEndingAtOrAfter(ranges, from);
      const range = ranges[at];
      return range && range[0] <= from ? range[1] : from;
    },
  };
}

function insert(ranges: [number, number][], start: number, end: number): number {
  const from = firstEndingAtOrAfter(ranges, start);
  let to = from;
  let known = 0;
  let low = start;
  let high = end;
  for (let range = ranges[to]; range && range[0] <= end; range = ranges[++to]) {
    known += Math.max(0, Math.min(end, range[1]) - Math.max(start, range[0]));
    low = Math.min(low, range[0]);
    high = Math.max(high, range[1]);
  }
  ranges.splice(from, to - from, [low, high]);
  return known;
}

function firstEndingAtOrAfter(ranges: readonly (readonly [number, number])[], value: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
