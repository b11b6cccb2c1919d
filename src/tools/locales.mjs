// @ts-check
// The texts of the extension in the form that Firefox reads them: `_locales/<language>/messages.json`. English is written by the build, from
// src/core/text/english.ts, the manifest and the pages' HTML; other languages lie in `_locales` and are checked against it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** @typedef {Record<string, string>} Texts by the name that a message has in messages.json */

/** The language of the sources. */
export const SOURCE_LANGUAGE = 'en';

/** @typedef {string | { other: string, [form: string]: string }} Message */

/**
 * @typedef {object} Source What `english.ts`, `core-english.ts` and `packed-texts.ts` of core export
 * @property {Record<string, Message>} ENGLISH
 * @property {Record<string, Message>} CORE_ENGLISH In the scripts of the package too: workers and files of reports have it
 * @property {(language: string) => readonly string[]} pluralForms
 * @property {(id: string, form?: string) => string} messageKey
 * @property {(texts: [string, string][]) => string} staticTable
 * @property {string} STATIC_TABLE_KEY
 * @property {(line: number) => string} lineId
 * @property {RegExp} LINE_ID
 * @property {string} FORMS_END
 * @property {string} TABLE_KEY
 * @property {readonly string[]} PREFERENCE_TABLES
 * @property {(table: string, preference: string) => string} preferenceKey
 * @property {readonly any[]} CATALOGUE
 * @property {(knob: any) => string | undefined} refusalToSet
 */

/** @type {(root: string) => Promise<Source>} */
async function sourceTexts(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { ENGLISH } from './src/core/text/english.ts';\nexport { CORE_ENGLISH } from './src/core/text/core-english.ts';\nexport { pluralForms } from './src/core/text/messages.ts';\nexport { CATALOGUE } from './src/core/profiles/catalogue.ts';\nexport { refusalToSet } from './src/core/profiles/settable.ts';\nexport * from './src/core/text/packed-texts.ts';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** @type {(root: string) => Promise<Texts>} What scripts say, in English; a message with plural forms is one of each. */
export async function spokenTexts(root) {
  const { ENGLISH, CORE_ENGLISH, messageKey } = await sourceTexts(root);
  const texts = Object.entries({ ...ENGLISH, ...CORE_ENGLISH }).flatMap(([id, message]) =>
    typeof message === 'string' ? [[messageKey(id), message]] : Object.entries(message).map(([form, text]) => [messageKey(id, form), text]),
  );
  return Object.fromEntries(texts);
}

/**
 * The ids of the messages that are lines of a table in the package; they stand whole in the sources. An id that a script puts together, or that is a
 * word which may mean something else, keeps its name.
 * @type {(root: string) => Promise<ReadonlyMap<string, string>>} to what stands there in the package
 */
export async function lineIds(root) {
  const { ENGLISH, CORE_ENGLISH, lineId, LINE_ID } = await sourceTexts(root);
  const code = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
    .join('\n');
  const prefixes = [...code.matchAll(/[`'"]((?:\w+\.)+)(?:\$\{|['"] \+)/g)].map(([, prefix = '']) => prefix);
  const suffixes = [...code.matchAll(/\}((?:\.\w+)+)`/g)].map(([, suffix = '']) => suffix);
  const isWhole = (/** @type {string} */ id) =>
    id.includes('.') && !prefixes.some((prefix) => id.startsWith(prefix)) && !suffixes.some((suffix) => id.endsWith(suffix));
  const ids = Object.keys({ ...ENGLISH, ...CORE_ENGLISH });
  const short = ids.filter((id) => LINE_ID.test(id));
  if (short.length > 0) throw new Error(`${short.join(', ')} could be the number of a line: give it a longer id`);
  return new Map(ids.filter(isWhole).map((id, line) => [id, lineId(line)]));
}

/**
 * What core says, as scripts have it: as lines like those of a language, which follow one another, instead of an id at each.
 * @type {(root: string) => Promise<string>}
 */
export async function coreEnglishCode(root) {
  const [{ CORE_ENGLISH, FORMS_END, lineId }, lines] = await Promise.all([sourceTexts(root), lineIds(root)]);
  const ids = Object.keys(CORE_ENGLISH);
  const first = [...lines.keys()].indexOf(ids[0] ?? '');
  if (ids.some((id, at) => lines.get(id) !== lineId(first + at))) throw new Error('A sentence of core-english.ts is no line of the table');
  const table = Object.values(CORE_ENGLISH).map((message) =>
    typeof message === 'string' ? message : [message.one, message.other].join(FORMS_END),
  );
  return `export const CORE_ENGLISH = /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ ${JSON.stringify(table.join('\n'))}.split('\\n').map((line, at) => {
    const [one, other] = line.split('${FORMS_END}');
    return [(at + ${first}).toString(36), other === undefined ? one : { one, other }];
  }));`;
}

const TEXT_ATTRIBUTES = /\s(?:aria-label|title|placeholder|alt)="([^"]+)"/g;
const ENTITIES = /** @type {Record<string, string>} */ ({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  shy: '\u00ad',
  '#39': "'",
});

/** @type {(html: string) => string[]} Every text of a page that a person reads before a script has put anything there. */
export function staticTexts(html) {
  const body = html.replaceAll(/<!--.*?-->|<(script|style)\b.*?<\/\1>/gs, '');
  const texts = body.replaceAll(/<[^>]*>/g, '\0').split('\0');
  const attributes = [...body.matchAll(TEXT_ATTRIBUTES)].map(([, value = '']) => value);
  const decoded = [...texts, ...attributes].map((text) => text.replaceAll(/&(#?\w+);/g, (all, name) => ENTITIES[name] ?? all));
  return [...new Set(decoded.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => /[a-z]{2}/i.test(text)))];
}

/**
 * What of the manifest is said in each language, with the manifest that names it.
 * @param {any} manifest
 * @returns {{ manifest: any, texts: Texts }}
 */
export function localisedManifest(manifest) {
  /** @type {Texts} */
  const texts = { manifest_description: manifest.description };
  const commands = Object.entries(manifest.commands ?? {}).map(([name, command]) => {
    if (command.description === undefined) return [name, command];
    const key = `manifest_command_${name.replaceAll(/\W/g, '_')}`;
    texts[key] = command.description;
    return [name, { ...command, description: `__MSG_${key}__` }];
  });
  return {
    manifest: {
      ...manifest,
      default_locale: SOURCE_LANGUAGE,
      description: '__MSG_manifest_description__',
      ...(commands.length > 0 && { commands: Object.fromEntries(commands) }),
    },
    texts,
  };
}

/** @type {(root: string) => [language: string, texts: Texts][]} The languages other than the sources'. */
export const translations = (root) =>
  readdirSync(join(root, '_locales')).map((language) => {
    const messages = JSON.parse(readFileSync(join(root, '_locales', language, 'messages.json'), 'utf8'));
    return [language, Object.fromEntries(Object.entries(messages).map(([name, { message }]) => [name, message]))];
  });

/**
 * The preferences that a page names, and the keys under which a language has what it says of them: a table of each, in the catalogue's order.
 * @type {(root: string) => Promise<[table: string, keys: string[]][]>}
 */
export async function preferenceKeys(root) {
  const { CATALOGUE, PREFERENCE_TABLES, preferenceKey, refusalToSet } = await sourceTexts(root);
  const key = (/** @type {string} */ table) => (/** @type {any} */ knob) =>
    refusalToSet(knob) === undefined ? preferenceKey(table, knob.preference) : '';
  return PREFERENCE_TABLES.map((table) => [table, CATALOGUE.map(key(table))]);
}

/** @type {(root: string, manifestTexts: Texts) => Promise<[string, Buffer][]>} Path in the package, and content. */
export async function localeFiles(root, manifestTexts) {
  const { ENGLISH, CORE_ENGLISH, messageKey, pluralForms, staticTable, STATIC_TABLE_KEY, FORMS_END, TABLE_KEY } = await sourceTexts(root);
  const tables = await preferenceKeys(root);
  const ofPreferences = new Set(tables.flatMap(([, keys]) => keys));
  const [lines, spoken] = await Promise.all([lineIds(root), spokenTexts(root)]);
  /** @type {[string, Texts]} */
  const english = [SOURCE_LANGUAGE, { language: SOURCE_LANGUAGE, direction: 'ltr', ...manifestTexts, ...spoken }];
  return [english, ...translations(root)].map(([language, texts]) => {
    /** @type {(key: string) => string} */
    const textOf = (key) => texts[key] ?? spoken[key] ?? '';
    /** @type {(id: string) => string} */
    const packed = (id) => {
      if (language === SOURCE_LANGUAGE && Object.hasOwn(CORE_ENGLISH, id)) return '';
      return typeof (ENGLISH[id] ?? CORE_ENGLISH[id]) === 'string'
        ? textOf(messageKey(id))
        : pluralForms(language)
            .map((form) => texts[messageKey(id, form)] ?? textOf(messageKey(id, 'other')))
            .join(FORMS_END);
    };
    const others = Object.keys(texts).filter((key) => !Object.hasOwn(spoken, key) && !ofPreferences.has(key));
    const said = tables.map(([table, keys]) => [table, keys.map((key) => texts[key] ?? '').join('\n')]);
    const isStatic = (/** @type {string} */ key) => key.startsWith('page_');
    const messages = {
      ...Object.fromEntries(others.filter((key) => !isStatic(key)).map((key) => [key, textOf(key)])),
      [STATIC_TABLE_KEY]: staticTable(others.filter(isStatic).map((key) => [key, textOf(key)])),
      [TABLE_KEY]: [...lines.keys()].map(packed).join('\n'),
      ...Object.fromEntries(said.filter(([, table = '']) => table.trim() !== '')),
      ...Object.fromEntries(
        Object.keys({ ...ENGLISH, ...CORE_ENGLISH })
          .filter((id) => !lines.has(id))
          .map((id) => [messageKey(id), packed(id)]),
      ),
    };
    // A dollar sign begins a placeholder of Firefox's own.
    const escaped = Object.entries(messages).map(([key, text]) => [key, { message: text.replaceAll('$', '$$$$') }]);
    return [`_locales/${language}/messages.json`, Buffer.from(JSON.stringify(Object.fromEntries(escaped)))];
  });
}
