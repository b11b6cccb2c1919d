/**
 * HTML in which nothing from outside is ever markup: every value in the template is escaped, unless it was made by `html` itself. The mark is a
 * symbol, which no JSON can carry.
 */
import { printable } from './text-table.ts';

const made: unique symbol = Symbol('markup');

export interface Markup {
  readonly [made]: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** Template tag. The members of an array stand on their own lines; `undefined` is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let result = texts[0] ?? '';
  parts.forEach((part, at) => {
    result += textOf(part) + (texts[at + 1] ?? '');
  });
  return { [made]: result };
}

/** The finished text. */
export const markupText = (markup: Markup): string => markup[made];

/** Text that is markup or style already: for constants of this program only. */
export const constantMarkup = (text: string): Markup => ({ [made]: text });

/** The no-break space keeps a number and its percent sign on one line. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', ' ': '\u00a0' };
const ESCAPED = /[&<>"']| (?=%)|\p{Bidi_Control}/gu;

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  // A question mark stands for what would turn the direction of the text around it.
  if (typeof part === 'string') return part.replace(ESCAPED, (character) => ENTITIES[character] ?? '?');
  if (made in part) return part[made];
  return part.map(markupText).join('\n');
}

/** A question mark stands for what XML 1.0 cannot hold even escaped (section 2.2), and for what changes the direction of text. */
export function xmlText(text: string): string {
  return printable(text).replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '?');
}

/** Cuts the middle out for an ellipsis, as both ends of an address say more. */
export function shortened(text: string, maxCharacters: number): string {
  const characters = [...text];
  if (characters.length <= maxCharacters) return text;
  const head = Math.floor((maxCharacters - 1) / 3);
  return [...characters.slice(0, head), '…', ...characters.slice(characters.length - (maxCharacters - 1 - head))].join('');
}

/** `name` heads the section; `rows` are whole `<tr>`. */
interface TableInput {
  readonly name: string;
  readonly caption: string;
  readonly headings: readonly string[];
  readonly rows: readonly Markup[];
  /** `heat`: narrow cells of figures, whose colour means something; `heat map`: pages by links, to be seen at once. */
  readonly kind?: 'heat' | 'heat map';
}

/** Each cell carries its heading, which a narrow page shows above it in place of columns. */
function labelled(row: Markup, headings: readonly string[]): Markup {
  let at = 0;
  return {
    [made]: markupText(row).replaceAll('<td', () => {
      at += 1;
      return `<td data-h="${textOf(headings[at])}"`;
    }),
  };
}

/** A table that scrolls by itself on a page that is not wide enough, also by keyboard. */
export function tableSection({ name, caption, headings, rows, kind }: TableInput): Markup {
  return html`<section>
<h2>${name}</h2>
<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table${kind === undefined ? html`` : html` class="${kind}"`}>
<caption><span>${caption}</span></caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${kind === 'heat map' ? rows : rows.map((row) => labelled(row, headings))}</tbody>
</table></div>
</section>`;
}
