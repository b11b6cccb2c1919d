/** Counts as text. */

/** `12`, `1,120`. */
export const countText = (count: number): string => count.toLocaleString('en-GB');
