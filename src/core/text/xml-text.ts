import { printable } from './text-table.ts';

/** What XML 1.0 cannot hold even escaped (section 2.2), or what steers the direction of text, is a question mark. */
export function xmlText(text: string): string {
  return printable(text).replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '?');
}

/** At most so many characters; what is left out of the middle is an ellipsis, as both ends of an address tell more. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.floor((most - 1) / 3);
  return [...characters.slice(0, head), '…', ...characters.slice(characters.length - (most - 1 - head))].join('');
}
