/** The bytes of one direction, in order, as far as they were kept. */
import { lowerBound, type PacketFlow } from './packet-flow.ts';

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

export class StreamBytes {
  readonly #pieces: readonly Piece[];
  readonly #segmentStarts: readonly number[];
  /** The position after the last byte that was sent, kept or not. */
  readonly end: number;

  constructor({ sent }: PacketFlow) {
    const data = sent.filter(({ dataBytes }) => dataBytes > 0).toSorted((one, other) => one.start - other.start);
    const pieces: Piece[] = [];
    let covered = Number.NEGATIVE_INFINITY;
    let end = 0;
    for (const { start, dataBytes, data: kept } of data) {
      const from = Math.max(start, covered);
      const to = start + kept.byteLength;
      if (to > from) {
        pieces.push({ start: from, end: to, bytes: kept.subarray(from - start) });
        covered = to;
      }
      end = Math.max(end, start + dataBytes);
    }
    this.#pieces = pieces;
    this.#segmentStarts = data.map(({ start }) => start);
    this.end = end;
  }

  /** Where the data begins; `undefined`: there is none. */
  get start(): number | undefined {
    return this.#segmentStarts[0];
  }

  /** `undefined`: not kept. */
  byte(position: number): number | undefined {
    const piece = this.#pieceAt(position);
    return piece?.bytes[position - piece.start];
  }

  /** What was kept in one stretch from there on, each byte as one character (ISO 8859-1). */
  text(from: number, mostBytes: number): string {
    let text = '';
    let position = from;
    for (let at = this.#indexAt(position); text.length < mostBytes; at++) {
      const piece = this.#pieces[at];
      if (!piece || piece.start > position || piece.end <= position) break;
      text += latin1(piece.bytes.subarray(position - piece.start, position - piece.start + mostBytes - text.length));
      position = piece.end;
    }
    return text;
  }

  /** The first segment at or after a position that begins with what `matches`; for going on where bytes were not kept. */
  nextSegmentBeginning(from: number, matches: (text: string) => boolean): number | undefined {
    const starts = this.#segmentStarts;
    const first = lowerBound(starts.length, (at) => (starts[at] ?? 0) < from);
    return starts.slice(first).find((start) => matches(this.text(start, SIGNATURE_BYTES)));
  }

  #pieceAt(position: number): Piece | undefined {
    const piece = this.#pieces[this.#indexAt(position)];
    return piece && piece.start <= position ? piece : undefined;
  }

  /** The first piece that ends after the position. */
  #indexAt(position: number): number {
    return lowerBound(this.#pieces.length, (at) => (this.#pieces[at]?.end ?? 0) <= position);
  }
}

/** Enough for a method or a status line's beginning. */
const SIGNATURE_BYTES = 16;
/** Arguments of one call: engines allow some tens of thousands. */
const MAX_ARGUMENTS = 8192;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += MAX_ARGUMENTS) text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  return text;
}
