/**
 * HTML in which nothing from outside is ever markup: every value put into the template is escaped, unless it was itself made
 * by `html`. The mark is a symbol, which no JSON can carry.
 */
const made: unique symbol = Symbol('markup');

export interface Markup {
  readonly [made]: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** Template tag. Of an array each part has a line of its own; `undefined` is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let result = texts[0] ?? '';
  parts.forEach((part, at) => {
    result += textOf(part) + (texts[at + 1] ?? '');
  });
  return { [made]: result };
}

/** The finished text. */
export function markupText(markup: Markup): string {
  return markup[made];
}

/** Text of ours that is markup or style already: for constants of this program only. */
export function constantMarkup(text: string): Markup {
  return { [made]: text };
}

/** With the no-break space that keeps a number and its percent sign on one line. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', ' ': '\u00a0' };

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']| (?=%)/g, (character) => ENTITIES[character] ?? '');
  if (made in part) return part[made];
  return part.map(markupText).join('\n');
}
