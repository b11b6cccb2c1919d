/** What is told on stderr is one line of plain text, whatever somebody typed into an argument or a file. */

/** Control characters, line and paragraph separators, and the marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Longer lines hide what they say. */
const LONGEST = 1000;

export function oneLine(text: string): string {
  const printable = text.trim().replace(UNPRINTABLE, (mark) => (/\s/.test(mark) ? ' ' : '\ufffd'));
  return printable.length <= LONGEST ? printable : `${printable.slice(0, LONGEST)} ...`;
}
