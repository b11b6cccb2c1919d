/** What the extension's pages say, by the ids of the catalogue: a test quotes no sentence, so that rewording one breaks none. */
import { ENGLISH } from '../../src/core/text/english.ts';
import type { Message, MessageId, MessageParameters, TextOfMessage } from '../../src/core/text/messages.ts';
import { format, text } from '../../src/views/text.ts';

/** A message with its parameters, with plain spaces in the place of no-break ones. */
export const english = ((...message: Parameters<TextOfMessage>) => text(...message).replaceAll('\u00a0', ' ')) as TextOfMessage;

/** What the records section says of that many loads. */
export const loadsStored = (count: number): string => english('records.some', { loads: english('count.loads', { count }) });

/** What is known of a message's parameters. */
type Known<Id extends MessageId> = { readonly [Name in keyof MessageParameters<Id>]?: MessageParameters<Id>[Name] | RegExp };

/** Finds a message wherever it stands, in any of its plural forms, whatever its spaces; a parameter that is not given may be anything. */
export function englishPattern<Id extends MessageId>(id: Id, known: Known<Id> = {}): RegExp {
  const message: Message = ENGLISH[id];
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  const values = new Map<string, string | number | RegExp>(Object.entries(known));
  return new RegExp(`(?:${forms.map((form) => sourceOf(form, values)).join('|')})`);
}

/** Finds a sentence wherever it stands, whatever its figures. */
export const anyFigures = (sentence: string): RegExp => new RegExp(literal(sentence).replaceAll(/\d(?:[\d,]|\\.(?=\d))*/g, '[\\d.,]+'));

const SLOT = /\{(\w+)(?::\w+)?\}/;

function sourceOf(form: string, known: ReadonlyMap<string, string | number | RegExp>): string {
  // Split by a pattern with a group, every second part is a slot's name.
  return form
    .split(SLOT)
    .map((part, at) => (at % 2 === 0 ? literal(part) : valueSource(known.get(part))))
    .join('');
}

function valueSource(value: string | number | RegExp | undefined): string {
  if (value === undefined) return '.+';
  if (value instanceof RegExp) return value.source;
  return literal(typeof value === 'string' ? value : format.integer(value));
}

const literal = (words: string): string => words.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
