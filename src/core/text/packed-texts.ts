/**
 * The texts of a language as they are in the extension's package, `_locales/<language>/messages.json`, made by src/tools/locales.mjs. Most are lines
 * of one table, and scripts there have the number of a line in the place of an id: a fifth less than with ids.
 */
import { type CatalogueOf, type Message, pluralForms } from './messages.ts';

/** The name of a message, or of one of its plural forms, in a messages.json: letters, digits and underscores. */
export const messageKey = (id: string, form?: string): string => `${id.replaceAll('.', '_')}${form === undefined ? '' : `__${form}`}`;

/** The name of a text that stands in the HTML of a page: made of its beginning. */
export const staticTextKey = (text: string): string => `page_${text.trim().replaceAll(/\W+/g, '_').slice(0, 60)}`;

/** Characters of a hash: few, as they do not pack. A test holds that no two texts have the same. */
const HASH_LENGTH = 4;

/** What a package has in the place of such a name: the end of its hash (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashedKey(key: string): string {
  let hash = 0x811c9dc5;
  for (const character of key) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36).slice(-HASH_LENGTH).padStart(HASH_LENGTH, '0');
}

/** The name of the table of such texts: a line of all hashes, and a line for each text. */
export const STATIC_TABLE_KEY = 'statics';

export const staticTable = (texts: readonly (readonly [key: string, text: string])[]): string =>
  [texts.map(([key]) => hashedKey(key)).join(''), ...texts.map(([, text]) => text)].join('\n');

/** The texts by hash. */
export function readStaticTable(table: string): ReadonlyMap<string, string> {
  const [hashes = '', ...texts] = table.split('\n');
  return new Map(texts.map((text, at) => [hashes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH), text]));
}

/** In the place of an id: the number of a line of the table. An id that keeps its name is longer. */
export const lineId = (line: number): string => line.toString(36);
export const LINE_ID = /^[\da-z]{1,3}$/;
/** Between plural forms of a line, which are in the order of `pluralForms`. */
export const FORMS_END = '\t';
/** The name of the table. */
export const TABLE_KEY = 'texts';

/**
 * What is said of the preferences that may be set, in the order of core's catalogue of them, a line each: names within a sentence, and effects. In a
 * messages.json of `_locales` each has a key of its own.
 */
export const PREFERENCE_TABLES = ['names', 'effects'] as const;
export type PreferenceTable = (typeof PREFERENCE_TABLES)[number];

export const preferenceKey = (table: PreferenceTable, preference: string): string => `${table}_${preference.replaceAll(/\W/g, '_')}`;

/**
 * A catalogue of what is packed; what is not there is as in the English one.
 * @param lookUp - The text of a name in messages.json; an empty one: there is none.
 */
export function packedCatalogue<Source>(
  lookUp: (key: string) => string,
  language: string,
  english: CatalogueOf<Source>,
): CatalogueOf<Source> {
  const forms = pluralForms(language);
  const table = lookUp(TABLE_KEY).split('\n');
  const messageOf = (id: string): Message | undefined => {
    const line = LINE_ID.exec(id)?.[0];
    const text = line === undefined ? lookUp(messageKey(id)) : table[Number.parseInt(line, 36)];
    if (text === undefined || text === '') return undefined;
    const texts = text.split(FORMS_END);
    return texts.length === 1 ? text : { other: text, ...Object.fromEntries(forms.map((form, at) => [form, texts[at] ?? text])) };
  };
  return new Proxy(english as object, {
    get: (_, id: string) => messageOf(id) ?? Reflect.get(english as object, id),
  }) as CatalogueOf<Source>;
}
