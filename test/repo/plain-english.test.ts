/** README and docs stay short, and in the words that everybody uses. */
import { describe, expect, it } from 'vitest';
import { withoutGenerated } from './support/generated-docs.ts';
import { filesUnder, textOf } from './support/source-tree.ts';

/** Made by a command, or a list held by a test that grows with what is promised; the guides and the reference are what a person reads. */
const NOT_COUNTED = ['docs/mutation.md', 'docs/extension-size.md', 'docs/reliability.md', 'docs/security.md', 'docs/formats.md'];

/** What a person reads in an hour. Lower it, never raise it. */
const MAX_WORDS = 14_000;

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
  asker: 'initiator',
  'so many': 'a number of',
  'put(?:s|ting)? back': 'restore, undo',
  'take[sn]? back': 'undo',
  likeliest: 'Viterbi path',
  lent: 'pooled',
  doors: 'reverse proxy',
  quiet: 'idle',
  'turns as they came': 'unrandomised',
  'that against which': 'baseline',
  'carried by': 'through',
  'lost to': 'excluded for',
  'passed over': 'ignored',
};

describe.each(PAGES)('%s', (path) => {
  it('has no words of a private dialect', () => {
    const text = withoutGenerated(textOf(path)).replaceAll(/```[\s\S]*?```/g, '');
    const found = Object.entries(DIALECT).filter(([word]) => new RegExp(`\\b${word}\\b`, 'i').test(text));
    expect(found.map(([word, instead]) => `${word}: say ${instead}`)).toEqual([]);
  });
});
