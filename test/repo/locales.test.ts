/** German says all that English says, with the same parameters. The build puts both into `_locales` (src/tools/locales.mjs). */
import { describe, expect, it } from 'vitest';
import { CORE_ENGLISH } from '../../src/core/text/core-english.ts';
import { ENGLISH } from '../../src/core/text/english.ts';
import { placeholdersOf, pluralForms } from '../../src/core/text/messages.ts';
import { hashedKey, messageKey, staticTextKey } from '../../src/core/text/packed-texts.ts';
// @ts-expect-error A build script, checked by its own comments.
import { lineIds, localisedManifest, preferenceKeys, spokenTexts, staticTexts, translations } from '../../src/tools/locales.mjs';
// @ts-expect-error A build script, checked by its own comments.
import { pageHtml, pagesOf } from '../../src/tools/page-html.mjs';
import { builtText } from './support/built.ts';
import { filesUnder, jsonOf, ROOT, textOf } from './support/source-tree.ts';

type Texts = Readonly<Record<string, string>>;

const spoken: Texts = await spokenTexts(ROOT);
const manifestTexts: Texts = localisedManifest(jsonOf('manifest.json')).texts;
const statics = new Set<string>(pagesOf(ROOT).flatMap((path: string) => staticTexts(pageHtml(ROOT, path))));
/** What is the same in every language: names of programs, preferences and files. */
const isName = (text: string): boolean => /^(Plumbfox|Name|https?:\S+|[\w-]+(\.[\w-]+)+)$/.test(text);
const staticKeys = new Map([...statics].filter((text) => !isName(text)).map((text) => [staticTextKey(text), text]));
/**
 * Labels and sentences that scripts make in English; they may be translated, whole, in sentences, or up to a colon. What stands in `${}`, and numbers,
 * are `#` in the text that is translated.
 */
const fixed = filesUnder('src', ['.ts', '.js'])
  // By each kind of quote: a text may stand within a template.
  .flatMap((path) => [/'([^'\n]{3,})'/g, /"([^"\n]{3,})"/g, /`([^`]{3,})`/g].flatMap((quoted) => [...textOf(path).matchAll(quoted)]))
  .flatMap(([, text = '']) => [text, text.replaceAll(/\$\{[^}]*\}/g, '#')])
  .flatMap((text) => [text, ...text.split(/(?<=[.?!]) (?=[A-Z])/), text.split(': ')[0] ?? ''])
  .flatMap((text) => [text, text.replaceAll(/(?<!HTTP\/|[\w.-])\d+(?:\.\d+)*(?![\w-])/g, '#')])
  .map((text) => staticTextKey(text));
/** Sentences and pieces that stand nowhere whole: scripts put them together. */
const TOGETHER = [
  "Can't tell yet: these settings were used at different times. A trial switches them at random and settles it.",
  'No verdict: # of the # loads of # were excluded or have no efficiency.',
  'No verdict: # of # loads of # and # of # of # were excluded for reasons that may depend on how long a load takes.',
  "No verdict: the gateway's own cost is not known, as # has no pair of loads yet.",
  "No verdict: the gateway's own cost is not known, as control has no pair of loads yet.",
  "The gateway's own cost is not known: these settings were used at different times. Profiles that need the gateway get no verdict.",
  'without control nothing tells it apart from what the gateway does by itself',
  '# was # and is without a value now: someone else has changed it.',
  '# was without a value and is # now: someone else has changed it.',
  '# was put in effect, and nothing of Plumbfox is now: another part of Plumbfox has changed it.',
  'Set it back to # to continue, or stop the trial.',
  'a depth above # needs the gateway, which the helper runs: install the helper, and switch the gateway on once to allow it',
  'it is there to go through the gateway, which the helper runs: install the helper, and switch the gateway on once to allow it',
  'The gateway takes plain http only, not https',
  'Search for #, press Edit, and set it to # (# as shipped).',
  'Search for #, and press Toggle unless it shows # already (# as shipped).',
  'Search for # and press Reset, so that it shows #; if you had written down a value of your own, set that one instead.',
  'out of',
  '# % (no interval yet)',
  "Nothing is faster than Firefox's own settings.",
  'The closest is # connections (#), # % (# % to # %, # pairs of loads).',
  '# connections (#) are faster to the last byte: # % (# % to # %, # pairs of loads), # s instead of # s.',
  '# connections with up to # requests on each (#) are faster to the last byte through the gateway: # % (# % to # %, # pairs of loads), # s instead of # s.',
  'First paint: no real difference (# % to # %).',
  'First paint: not clear yet, # % (# % to # %).',
  'First paint: sooner, # % (# % to # %).',
  'First paint: later, # % (# % to # %).',
  'Within # % of the best of these # profiles, for sure.',
  'To use it: plumbfox gateway --connections # --depth # SITE.',
  'It handles plain http only.',
  'By settings alone: not enough data yet.',
  'Not enough data yet.',
  'The most promising: # connections (#), # % (# % to # %, # pairs of loads); it would take more than # more loads per profile.',
  'The most promising: # connections (#), # % (# % to # %, # pairs of loads); about # more loads per profile in this run would decide it.',
  'This run could detect gains over # of about # to # % or more, depending on the profile.',
  'This run could detect gains over # of about # % or more.',
  'your records and the file hold the same loads (# loads): each load counts once: omit one of them',
  'your records and the file hold the same loads (a load): each load counts once: omit one of them',
  'The links of your records are of kind real, those of the file packet: compare them separately',
  'it has no line such as user_pref("name", 1);',
  'it has no "policies" with "Preferences" that set one',
  'it holds NUL bytes, and Firefox reads nothing after the first',
  'Over HTTP/1.1 on eight links: # % (# % to # %, # pairs of loads), faster.',
  'Over HTTP/1.1 on eight links: # % (# % to # %, # pairs of loads), slower.',
  'Over HTTP/1.1 on eight links: # % (# % to # %, # pairs of loads), not enough data yet.',
  'Over HTTP/1.1, # scenarios of news, shop and gallery: # % (# % to # %, # pairs of loads), faster.',
  'Where servers speak HTTP/3, over four links: # % (# % to # %, # pairs of loads), not enough data yet.',
  'Over a geostationary satellite: # % (# % to # %, # pairs of loads), slower.',
];
/** What is said of each preference that may be set. */
const tables: readonly (readonly [table: string, keys: readonly string[]])[] = await preferenceKeys(ROOT);
const ofPreferences = tables.flatMap(([, keys]) => keys).filter((key) => key !== '');
const slots = (text: string): readonly string[] => placeholdersOf(text).toSorted();

describe.each(translations(ROOT) as [string, Texts][])('%s', (language, texts) => {
  const { language: named, direction, ...said } = texts;

  it('names itself and its direction', () => {
    expect(named).toBe(language);
    expect(direction).toMatch(/^(ltr|rtl)$/);
  });

  it('says every message of the scripts, in each of its plural forms', () => {
    const wanted = Object.entries({ ...ENGLISH, ...CORE_ENGLISH }).flatMap(([id, message]) =>
      typeof message === 'string' ? [messageKey(id)] : pluralForms(language).map((form) => messageKey(id, form)),
    );
    expect(wanted.filter((key) => (said[key] ?? '') === '')).toEqual([]);
  });

  it('says every text of the pages and of the manifest', () => {
    expect([...staticKeys].filter(([key]) => (said[key] ?? '') === '').map(([, text]) => text)).toEqual([]);
    expect(Object.keys(manifestTexts).filter((key) => (said[key] ?? '') === '')).toEqual([]);
  });

  it('says what a prediction assumes, and the last step of settings set manually', () => {
    const graph = filesUnder('src/core/graph', ['.ts']).filter((path) => !path.endsWith('page-graph.ts'));
    const sentences = [...graph, 'src/core/profiles/about-config.ts']
      .flatMap((path) => [...textOf(path).matchAll(/'([A-Z][^'\n]*)'|"([A-Z][^"\n]*)"/g)])
      .flatMap(([, one, other]) => one ?? other ?? [])
      .filter((text) => text.split(' ').length >= 4);
    expect(sentences.length).toBeGreaterThan(40);
    const isSaid = (text: string) => (said[staticTextKey(text)] ?? '') !== '';
    expect(sentences.filter((text) => !isSaid(text) && !isSaid(text.replaceAll(/(?<![/.\d])\d+/g, '#')))).toEqual([]);
  });

  it('names every preference that may be set, each by a name of its own, and says what it does', () => {
    expect(ofPreferences.length).toBeGreaterThanOrEqual(300);
    expect(ofPreferences.filter((key) => (said[key] ?? '') === '')).toEqual([]);
    const names = ofPreferences.filter((key) => key.startsWith('names_')).map((key) => said[key]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('says nothing that English does not say any more', () => {
    const known = new Set([
      ...Object.keys(spoken),
      ...staticKeys.keys(),
      ...fixed,
      ...TOGETHER.map(staticTextKey),
      ...ofPreferences,
      ...Object.keys(manifestTexts),
    ]);
    const forms = new RegExp(`__(${pluralForms(language).join('|')})$`);
    expect(Object.keys(said).filter((key) => !known.has(key) && !known.has(key.replace(forms, '__other')))).toEqual([]);
  });

  it('has the parameters of the English text, and no line break', () => {
    for (const [key, text] of Object.entries(said)) {
      const english = spoken[key] ?? spoken[key.replace(/__\w+$/, '__other')];
      if (english !== undefined) {
        const own = key.includes('__') ? (one: string) => slots(one).filter((slot) => slot !== '{count}') : slots;
        expect.soft(own(text), key).toEqual(own(english));
      }
      expect.soft(text, key).not.toMatch(/[\n\t]/);
    }
  });
});

describe('the package', () => {
  const packed = (language: string) => JSON.parse(builtText(`extension-release/_locales/${language}/messages.json`));

  it('has names that Firefox takes, and none twice: it does not tell capitals from small letters', () => {
    const names = Object.keys(packed('de'));
    expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const statics = translations(ROOT).flatMap(([, texts]: [string, Texts]) =>
      Object.keys(texts).filter((name) => name.startsWith('page_')),
    );
    expect(new Set(statics.map(hashedKey)).size).toBe(statics.length);
  });

  it('has in its scripts the numbers of lines, and the table has a line for each', async () => {
    const lines: ReadonlyMap<string, string> = await lineIds(ROOT);
    expect(lines.size).toBeGreaterThan(300);
    for (const [table, keys] of tables) expect(packed('de')[table].message.split('\n')).toHaveLength(keys.length);
    for (const language of ['en', 'de']) expect(packed(language).texts.message.split('\n')).toHaveLength(lines.size);
    expect(builtText('extension-release/manifest.json')).toContain('"default_locale":"en"');
  });
});
