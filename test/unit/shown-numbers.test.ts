/** The rule by which numbers are found that say nothing, and the texts that a person reads in a terminal. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bareNumbers, groundlessChanges, numberFaults } from '../support/shown-numbers.ts';

const shown = (text: string, { heading = '', around = text } = {}) => ({ text, heading, around });

describe('a number', () => {
  it.each([
    '12 connections are faster here',
    '+4 % to +14 %',
    'between 4.9 to 6 % or more',
    '92 of about 246 page loads each',
    '1.3 s, 51 % of the best possible',
    'Loads over HTTP/1.1 at 10:14 on 3 May in Firefox 153.7.0',
    'c8-d1 at http://127.0.0.1:8080/page?3',
    '2, 3 and 4 connections',
    'Slot 3 of block 2',
    'a ratio of 1.2, and new loads: 0 of about 256.',
    'On the network with RTT 1 ms (2) (estimated).',
    'RTT 50 ms, 10.5 Mbit/s (2)',
  ])('says what it is: %s', (text) => {
    expect(bareNumbers(shown(text))).toEqual([]);
  });

  it.each(['The score is 42.', 'Efficiency 0.51', '0.51 is better than 0.49', '12', 'in 1 ms (2)'])('is bare: %s', (text) => {
    expect(bareNumbers(shown(text))).not.toEqual([]);
  });

  it('is named by its column or its term', () => {
    expect(bareNumbers(shown('12', { heading: 'Loads' }))).toEqual([]);
    expect(bareNumbers(shown('12', { heading: 'Score' }))).not.toEqual([]);
  });
});

describe('a change of speed', () => {
  it.each(['+9 % (+4 to +14 %)', '+42 %: +23 % to +65 %, 40 new page loads', '+12 % predicted', '+31 %, not bounded yet'])(
    'has its interval or its loads: %s',
    (text) => {
      expect(groundlessChanges(shown(text))).toEqual([]);
    },
  );

  it('is groundless without, wherever it stands', () => {
    expect(groundlessChanges(shown('12 connections: +42 %'))).toHaveLength(1);
    expect(groundlessChanges(shown('+42 %', { around: '+42 % 11 pairs of loads' }))).toEqual([]);
  });
});

/** Texts that a person reads whole; tables of the terminal have their units in their heads. */
const GOLDEN = readdirSync('test/golden').filter(
  (name) => name.endsWith('.txt') && !/^server-|\.html\.txt$|^study-|^c(?:ohort|utoff)/.test(name),
);

it.each(GOLDEN)('no number of %s is bare, no change groundless', (name) => {
  const paragraphs = readFileSync(`test/golden/${name}`, 'utf8')
    .split(/\n\s*\n/)
    .filter((paragraph) => !/^[^\n]*\n[─\s]+\n/.test(paragraph));
  const texts = paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split('\n');
    const isWrapped = lines.every((line) => !line.startsWith(' ') && !line.startsWith('|'));
    const units = isWrapped ? [lines.join(' ')] : lines.filter((line) => !line.startsWith('|'));
    return units.map((text) => shown(text, { around: paragraph }));
  });
  expect(numberFaults(texts)).toEqual([]);
});
