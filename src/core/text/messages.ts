/**
 * Sentences of the extension's pages: each is a message with an id, and its text is defined once in the catalogue of a language. A second language
 * is a second catalogue of the same ids (`Catalogue`); its plural forms are those that `Intl.PluralRules` names for it.
 */
import type { ENGLISH } from './english.ts';
import { createNumberFormat, type NumberFormat, type Units, USUAL_UNITS } from './number-format.ts';

/** One text for each plural form of a language, chosen by `count`. */
type Plural = { readonly other: string } & { readonly [Form in Intl.LDMLPluralRule]?: string };

/**
 * A text with placeholders for parameters: `{name}` takes text or a whole number, `{time:duration}` a number that is formatted as the kind says. With
 * plural forms it has the parameter `count` as well.
 */
export type Message = string | Plural;

type Kind = 'duration' | 'percent' | 'share' | 'change' | 'size' | 'rate';

type English = typeof ENGLISH;
/** The name of a sentence in the catalogue. */
export type MessageId = keyof English;

/** Every message in one language. */
export type Catalogue = { readonly [Id in MessageId]: English[Id] extends string ? string : Plural };

type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | PlaceholdersOf<Rest> : never;
type TextOf<M extends Message> = M extends { readonly other: infer Other extends string } ? Other : Extract<M, string>;
type Name<Slot extends string> = Slot extends `${infer Before}:${Kind}` ? Before : Slot;
type Value<Slot extends string> = Slot extends `${string}:${Kind}` ? number : string | number;

export type MessageParameters<Id extends MessageId> = {
  readonly [Slot in PlaceholdersOf<TextOf<English[Id]>> as Name<Slot>]: Value<Slot>;
} & (English[Id] extends string ? unknown : { readonly count: number });

/** A message without parameters. */
export type PlainId = { [Id in MessageId]: keyof MessageParameters<Id> extends never ? Id : never }[MessageId];

/** The text of a message; unknown ids and wrong parameters do not compile. */
export type TextOfMessage = <Id extends MessageId>(
  id: Id,
  ...parameters: keyof MessageParameters<Id> extends never ? [] : [MessageParameters<Id>]
) => string;

export interface Language {
  readonly text: TextOfMessage;
  readonly format: NumberFormat;
  /** Writes every figure in these units from now on. */
  readonly useUnits: (units: Units) => void;
}

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;

/** The placeholders of a message's text, as written. */
export const placeholdersOf = (text: string): readonly string[] => [...text.matchAll(PLACEHOLDER)].map(([slot]) => slot);

/** The plural forms of a language, by their names. */
export const pluralForms = (language: string): readonly Intl.LDMLPluralRule[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();

const BIDIRECTIONAL = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;
/** A text that runs from right to left, or turns direction, leaves the sentence around it as it is: U+2068 and U+2069 isolate it. */
const isolated = (text: string): string => (BIDIRECTIONAL.test(text) ? `\u2068${text}\u2069` : text);

/**
 * Core knows no locale except those it is given.
 * @param locale - BCP 47 tag of the catalogue's language: of its plural forms. @param figures - Of numbers and dates.
 */
export function createLanguage(catalogue: Catalogue, locale: string, figures = locale): Language {
  const plurals = new Intl.PluralRules(locale);
  const fill = (id: MessageId, parameters: Readonly<Record<string, string | number>> = {}): string => {
    const message: Message = catalogue[id];
    const isPlural = typeof message !== 'string';
    const form = isPlural ? (message[plurals.select(Number(parameters.count))] ?? message.other) : message;
    // A number stays on one line with what it counts.
    const template = isPlural ? form.replaceAll('{count} ', '{count}\u00a0') : form;
    return template.replaceAll(PLACEHOLDER, (_, name: string, kind: Kind | undefined) => {
      const value = parameters[name] ?? '';
      return typeof value === 'string' ? isolated(value) : format[kind ?? 'integer'](value);
    });
  };
  let units = USUAL_UNITS;
  const format = createNumberFormat(
    { words: locale, figures },
    {
      under: (figure) => fill('figure.under', { figure }),
      over: (figure) => fill('figure.over', { figure }),
      justNow: () => fill('figure.justNow'),
      onDay: (time, day) => fill('figure.onDay', { time, day }),
    },
    () => units,
  );
  const useUnits = (wanted: Units) => {
    units = wanted;
  };
  return { text: fill as TextOfMessage, format, useUnits };
}
