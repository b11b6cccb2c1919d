/** A column with room for more: the same values in a new array of that length, at least as long. */
type Column = Float64Array | Int32Array | Uint8Array;

export function lengthened(column: Float64Array, length: number): Float64Array<ArrayBuffer>;
export function lengthened(column: Int32Array, length: number): Int32Array<ArrayBuffer>;
export function lengthened(column: Uint8Array, length: number): Uint8Array<ArrayBuffer>;
export function lengthened(column: Column, length: number): Column {
  const longer =
    column instanceof Float64Array
      ? new Float64Array(length)
      : column instanceof Int32Array
        ? new Int32Array(length)
        : new Uint8Array(length);
  longer.set(column);
  return longer;
}
