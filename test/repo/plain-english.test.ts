/** Docs stay short, and docs, screens and printed texts use the words that everybody uses. */
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { pageHtml, pagesOf } from '../../src/tools/page-html.mjs';
import { withoutGenerated } from './support/generated-docs.ts';
import { filesUnder, ROOT, textOf } from './support/source-tree.ts';

/** Made by a command, or a list held by a test that grows with what is promised; the guides and the reference are what a person reads. */
const NOT_COUNTED = ['docs/mutation.md', 'docs/extension-size.md', 'docs/reliability.md', 'docs/security.md', 'docs/formats.md'];

/** What a person reads in an hour. Lower it, never raise it. */
const MAX_WORDS = 15_500;

const PAGES = ['README.md', ...filesUnder('docs', ['.md'])].filter((path) => !/^docs\/.*\//.test(path) && !NOT_COUNTED.includes(path));

/** Anything between blanks with a letter or a digit in it, code included. */
const wordsOf = (text: string): number => text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;

it('README and docs are short enough to be read', () => {
  expect(PAGES.length).toBeGreaterThan(15);
  const words = PAGES.reduce((sum, path) => sum + wordsOf(withoutGenerated(textOf(path))), 0);
  expect(words).toBeLessThanOrEqual(MAX_WORDS);
});

/** Words of a private dialect, each with what to say instead. */
const DIALECT: Readonly<Record<string, string>> = {
  told: 'shown, reported, or estimated',
  heard: 'received',
  'askers?': 'initiator',
  'so many': 'a number of',
  '(?:put|puts|putting|take|takes|taking|taken|took) (?:it |them )?back': 'undo, restore',
  'back to before': 'undo',
  likeliest: 'Viterbi path',
  lent: 'pooled',
  doors: 'reverse proxy, many servers',
  quiet: 'idle',
  'turns as they came': 'unrandomised',
  'that against which': 'baseline',
  'carried by': 'through',
  'lost to': 'excluded for',
  'passed over': 'ignored',
  'by hand': 'manually',
  void: 'excluded, failed its checks',
  'left out': 'excluded',
  'set aside': 'excluded',
  'came to no end': 'did not finish',
  'small program': 'helper app',
  'guess(?:es|ing)? ahead': 'prefetching and early connections',
  '(?:what|as) (?:this )?firefox ships|what is shipped': "Firefox's own settings",
  'no meaningful difference': 'no real difference',
  'need more loads': 'not enough data yet',
  "the seed's|seed stud(?:y|ies)": 'original',
};

/** @returns What to say instead, for each word of the dialect in the text. */
const dialectIn = (text: string): readonly string[] =>
  Object.entries(DIALECT).flatMap(([word, instead]) => {
    const found = new RegExp(`(?<![\\w-])(?:${word})(?![\\w-])`, 'i').exec(text)?.[0];
    return found === undefined ? [] : [`${found}: say ${instead}`];
  });

describe.each([...PAGES, 'CONTRIBUTING.md', 'CHANGELOG.md'])('%s', (path) => {
  it('has no words of a private dialect', () => {
    const text = withoutGenerated(textOf(path)).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
    expect(dialectIn(text)).toEqual([]);
  });
});

/** Texts of the program that keep such a word, each with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  'what was changed by hand meanwhile': 'the name under which stored loads have it',
};

/** Two words or more: what is one word is a name, a value or a key. */
const SENTENCE = /\p{L}\S*\s+\S*\p{L}/u;

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked?: string } }[];
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The texts of a module that may reach a person: strings and templates of several words. Imports and types are none. */
function sentencesOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(sentencesOf);
  if (!isNode(node) || ['ImportDeclaration', 'ImportExpression', 'TSLiteralType'].includes(node.type)) return [];
  const own =
    node.type === 'Literal' && typeof node.value === 'string' ? node.value : node.quasis?.map(({ value }) => value.cooked).join('…');
  const inner = Object.entries(node).flatMap(([key, value]) => (key === 'quasis' ? [] : sentencesOf(value)));
  return own !== undefined && SENTENCE.test(own) ? [own, ...inner] : inner;
}

/** The text of a page, without tags and their attributes. */
const shownText = (html: string): string => html.replaceAll(/<!--[\s\S]*?-->|<[^>]*>/g, ' ');

describe('what a person reads on screens and in printed texts has no words of a private dialect', () => {
  it('in the sentences of src', () => {
    const found = filesUnder('src', ['.ts'])
      .filter((path) => !path.endsWith('.d.ts'))
      .flatMap((path) => sentencesOf(parseAst(textOf(path), { lang: 'ts' }).body).map((sentence) => ({ path, sentence })));
    expect(found.length).toBeGreaterThan(2000);
    const dialect = found.filter(({ sentence }) => !Object.hasOwn(KEPT, sentence)).map((one) => ({ ...one, say: dialectIn(one.sentence) }));
    expect(dialect.filter(({ say }) => say.length > 0)).toEqual([]);
    expect(Object.keys(KEPT).filter((kept) => !found.some(({ sentence }) => sentence === kept))).toEqual([]);
  });

  it('on the pages of the extension', () => {
    const pages: readonly string[] = pagesOf(ROOT);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap((path) => dialectIn(shownText(pageHtml(ROOT, path))))).toEqual([]);
  });

  it('in the golden files', () => {
    const golden = filesUnder('test/golden', ['.txt', '.svg']);
    expect(golden.length).toBeGreaterThan(20);
    const found = golden.map((path) => ({ path, say: dialectIn(path.endsWith('.svg') ? shownText(textOf(path)) : textOf(path)) }));
    expect(found.filter(({ say }) => say.length > 0)).toEqual([]);
  });
});
