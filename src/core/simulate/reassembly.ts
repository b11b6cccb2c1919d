/** The bytes of a stream that are there in order, of pieces that come in any order. */
export class Reassembly {
  /** Bytes that are there without a gap. */
  next = 0;
  /** Pieces beyond the gap, by their start. */
  #early: Map<number, number> | undefined;

  /** Whether pieces wait beyond a gap. */
  get gap(): boolean {
    return this.#early !== undefined && this.#early.size > 0;
  }

  add(start: number, length: number): void {
    if (start > this.next) {
      this.#early ??= new Map();
      this.#early.set(start, Math.max(length, this.#early.get(start) ?? 0));
      return;
    }
    this.next = Math.max(this.next, start + length);
    if (this.#early === undefined) return;
    for (let length = this.#early.get(this.next); length !== undefined; length = this.#early.get(this.next)) {
      this.#early.delete(this.next);
      this.next += length;
    }
  }
}
