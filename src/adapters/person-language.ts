/** The language of the extension, as Firefox chose it among its `_locales`, and figures as the person writes them. */
import { CORE_ENGLISH } from '../core/text/core-english.ts';
import { ENGLISH } from '../core/text/english.ts';
import { type CoreLanguage, IN_ENGLISH } from '../core/text/figures.ts';
import { createLanguage, createText } from '../core/text/messages.ts';
import {
  hashedKey,
  type PreferenceTable,
  packedCatalogue,
  readStaticTable,
  STATIC_TABLE_KEY,
  staticTextKey,
} from '../core/text/packed-texts.ts';
import { browser } from './browser.ts';

// Neither a worker nor a unit test has it: these speak English.
const i18n = browser?.i18n;

/** The text of a name in messages.json; empty: there is none. */
export const lookUp = (key: string): string => i18n?.getMessage(key) ?? '';

/** The translation's language, not Firefox's: whoever has none reads English, from left to right. */
export const language = lookUp('language') || 'en';

const catalogue = packedCatalogue<typeof ENGLISH & typeof CORE_ENGLISH>(lookUp, language, { ...CORE_ENGLISH, ...ENGLISH });

const figures = i18n === undefined ? language : new Intl.NumberFormat().resolvedOptions().locale;
const decimalSign = new Intl.NumberFormat(figures).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

export const { text, format, useUnits } = createLanguage(catalogue, language, figures);

const preferenceTables = new Map<PreferenceTable, readonly string[]>();

/** What is said of the preference at this place in core's catalogue; empty: English alone says it. */
export function preferenceText(table: PreferenceTable, place: number): string {
  const lines = preferenceTables.get(table) ?? lookUp(table).split('\n');
  preferenceTables.set(table, lines);
  return lines[place] ?? '';
}

/** What core words, in the language of the pages. */
export const coreLanguage: CoreLanguage = language === 'en' ? IN_ENGLISH : translatedCore();

const longDay = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });

function translatedCore(): CoreLanguage {
  const said = createText<typeof CORE_ENGLISH>(catalogue, { locale: language, format, joins: true });
  return {
    text: said,
    label: fixedText,
    percent: format.percent,
    gain: format.gain,
    day: (iso) => longDay.format(new Date(iso)),
    setting: {
      nameAt: (place) => preferenceText('names', place),
      without: said('setting.without'),
      withValue: (name, value) => said('setting.value', { name, value: value.replace(' ', '\u00a0') }),
    },
  };
}

let statics: ReadonlyMap<string, string> | undefined;

/** A text that has no parameter, as it stands in a page's HTML; empty: it has no translation. */
export function translated(english: string): string {
  statics ??= readStaticTable(lookUp(STATIC_TABLE_KEY));
  const words = english.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? '' : (statics.get(hashedKey(staticTextKey(words))) ?? '');
}

/** Preferences, profiles, numbers and what is quoted, which stand in a sentence of any language; `1.1` of `HTTP/1.1` is no number. */
const NAMES =
  /"[^"]*"|\b(?:network|browser|dom|security|extensions|org)\.[\w.-]*\w|\bc\d+-d\d+(?:\+\S+)?|\bfirefox-default\b|\b(?:true|false)\b|(?<!HTTP\/|[\w.-])[+\u2212]?\d+(?:\.\d+)*(?![\w-])/g;
const SLOT = /\{(\d)\}/g;
const DECIMAL = /^[+\u2212]?\d+\.\d+$/;
const PROTOCOL = /^HTTP\/[\d.]+$/;
const SENTENCE_END = /(?<=[.?!]) (?=[A-Z])/;

/**
 * A label or a sentence that is English where it was made: in core, in a worker, by the helper app or an earlier version. Names within it stand as `#`
 * in the text that is translated, and as `{1}`, `{2}` in the translation. What is not translated stays English.
 */
export function fixedText(english: string): string {
  if (language === 'en') return english;
  return sentence(english) ?? parts(english) ?? english;
}

/** `undefined`: it is not translated. */
function sentence(english: string): string | undefined {
  const names = english.match(NAMES) ?? [];
  const pattern = english.replaceAll(NAMES, '#');
  if (pattern === '#') return english;
  const whole = translated(english);
  const said = whole || (names.length === 0 ? '' : translated(pattern));
  const places = Math.max(0, ...[...said.matchAll(SLOT)].map(([, at]) => Number(at)));
  // Texts of other signs have the same key: `#: # is left` and `# is left`, `# % (# % to # %)` and `# to #`.
  const isOther = whole === '' ? places !== names.length : places > names.length;
  return said === '' || isOther ? undefined : said.replaceAll(SLOT, (_, at: string) => figure(names[Number(at) - 1] ?? ''));
}

const figure = (name: string): string => (DECIMAL.test(name) ? name.replace('.', decimalSign) : name);

/** Sentences one by one, or a reason after what it is the reason of; `undefined`: none of it is translated. */
function parts(english: string): string | undefined {
  const sentences = english.split(SENTENCE_END);
  const said = sentences.map(sentence);
  if (said.length > 1 && said.every((one) => one !== undefined)) return said.join(' ');
  const at = english.indexOf(': ');
  const before = english.slice(0, Math.max(at, 0));
  const head = PROTOCOL.test(before) ? before : at < 0 ? undefined : sentence(before);
  return head === undefined ? undefined : `${head}: ${fixedText(english.slice(at + 2))}`;
}
