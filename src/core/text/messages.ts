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

type Kind = 'duration' | 'percent' | 'gain' | 'share' | 'change' | 'size' | 'rate' | 'decimal';

type English = typeof ENGLISH;
/** The name of a sentence in the catalogue. */
export type MessageId = keyof English;

/** The messages of an English catalogue in one language. */
export type CatalogueOf<Source> = { readonly [Id in keyof Source]: Source[Id] extends string ? string : Plural };
/** Every message of the pages in one language. */
export type Catalogue = CatalogueOf<English>;

type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | PlaceholdersOf<Rest> : never;
type Written<M> = M extends { readonly other: infer Other extends string } ? Other : Extract<M, string>;
type Name<Slot extends string> = Slot extends `${infer Before}:${Kind}` ? Before : Slot;
type Value<Slot extends string> = Slot extends `${string}:${Kind}` ? number : string | number;

type ParametersOf<M> = {
  readonly [Slot in PlaceholdersOf<Written<M>> as Name<Slot>]: Value<Slot>;
} & (M extends string ? unknown : { readonly count: number });
export type MessageParameters<Id extends MessageId> = ParametersOf<English[Id]>;

/** A message without parameters. */
export type PlainId = { [Id in MessageId]: keyof MessageParameters<Id> extends never ? Id : never }[MessageId];

/** The text of a message; unknown ids and wrong parameters do not compile. */
export type TextOf<Source> = <Id extends keyof Source>(
  id: Id,
  ...parameters: keyof ParametersOf<Source[Id]> extends never ? [] : [ParametersOf<Source[Id]>]
) => string;
/** The text of a message of the pages. */
export type TextOfMessage = TextOf<English>;

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

/** Languages that are written from right to left, by ISO 639: in their sentences a figure would begin with its unit. */
const FROM_RIGHT = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;
/** U+2066 and U+2069 keep `+38 %` as it is written. */
const fromLeft = (figure: string): string => `\u2066${figure}\u2069`;

interface Filling {
  /** BCP 47 tag of the catalogue's language: of its plural forms. */
  readonly locale: string;
  /** One for each kind of figure that the catalogue has; `integer` is for those without a kind. */
  readonly format: Readonly<Partial<Record<Kind | 'integer', (value: number) => string>>>;
  /** Whether a number stays on one line with what it counts. */
  readonly joins: boolean;
}

/** Makes the function that fills the messages of a catalogue. */
export function createText<Source>(catalogue: CatalogueOf<Source>, { locale, format, joins }: Filling): TextOf<Source> {
  const plurals = new Intl.PluralRules(locale);
  const placed = FROM_RIGHT.test(locale) ? fromLeft : (figure: string) => figure;
  const fill = (id: keyof Source, parameters: Readonly<Record<string, string | number>> = {}): string => {
    const message: Message = catalogue[id];
    const isPlural = typeof message !== 'string';
    const form = isPlural ? (message[plurals.select(Number(parameters.count))] ?? message.other) : message;
    const template = isPlural && joins ? form.replaceAll('{count} ', '{count}\u00a0') : form;
    return template.replaceAll(PLACEHOLDER, (_, name: string, kind: Kind | undefined) => {
      const value = parameters[name] ?? '';
      return typeof value === 'string' ? isolated(value) : placed((format[kind ?? 'integer'] ?? String)(value));
    });
  };
  return fill as TextOf<Source>;
}

/**
 * Core knows no locale except those it is given.
 * @param locale - BCP 47 tag of the catalogue's language. @param figures - Of numbers and dates.
 */
export function createLanguage(catalogue: Catalogue, locale: string, figures = locale): Language {
  let units = USUAL_UNITS;
  const format: NumberFormat = createNumberFormat(
    { words: locale, figures },
    {
      under: (figure) => text('figure.under', { figure }),
      over: (figure) => text('figure.over', { figure }),
      justNow: () => text('figure.justNow'),
      onDay: (time, day) => text('figure.onDay', { time, day }),
    },
    () => units,
  );
  const text: TextOfMessage = createText<English>(catalogue, { locale, format, joins: true });
  const useUnits = (wanted: Units) => {
    units = wanted;
  };
  return { text, format, useUnits };
}
