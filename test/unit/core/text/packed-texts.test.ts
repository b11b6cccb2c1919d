/** The texts of a language as a package has them: lines of a table, names, and English for what is missing. */
import { expect, it } from 'vitest';
import type { Catalogue } from '../../../../src/core/text/messages.ts';
import { createLanguage, pluralForms } from '../../../../src/core/text/messages.ts';
import {
  FORMS_END,
  hashedKey,
  lineId,
  messageKey,
  packedCatalogue,
  readStaticTable,
  staticTable,
  staticTextKey,
} from '../../../../src/core/text/packed-texts.ts';

const english = { saved: 'Saved as {name}.', failed: '{what}: {why}' } as Catalogue;
const messages: Record<string, string> = {
  texts: ['Vorhersage läuft', ['{count} Aufruf', '{count} Aufrufe'].join(FORMS_END)].join('\n'),
  saved: 'Gespeichert als {name}.',
};
const catalogue = packedCatalogue((key) => messages[key] ?? '', 'de', english);
const { text } = createLanguage(catalogue, 'de');
const say = text as (id: string, parameters?: object) => string;

it('finds a line by its number, with its plural forms, a text by its name, and English for what is missing', () => {
  expect(say(lineId(0))).toBe('Vorhersage läuft');
  expect(say(lineId(1), { count: 1 })).toBe('1\u00a0Aufruf');
  expect(say(lineId(1), { count: 1234 })).toBe('1.234\u00a0Aufrufe');
  expect(say('saved', { name: 'a' })).toBe('Gespeichert als a.');
  expect(say('failed', { what: 'a', why: 'b' })).toBe('a: b');
});

it('names messages with letters, digits and underscores', () => {
  expect(lineId(40)).toBe('14');
  expect(messageKey('trial.plan.slot')).toBe('trial_plan_slot');
  expect(messageKey('count.loads', 'one')).toBe('count_loads__one');
  expect(staticTextKey(' Keep them… ')).toBe('page_Keep_them_');
  // FNV-1a of "a": 0xe40c292c.
  expect(hashedKey('a')).toBe((0xe40c292c).toString(36).slice(-4));
  expect(
    readStaticTable(
      staticTable([
        ['a', 'eins'],
        ['b', 'zwei'],
      ]),
    ).get(hashedKey('b')),
  ).toBe('zwei');
  expect(pluralForms('pl')).toEqual(['few', 'many', 'one', 'other']);
});

it('isolates a parameter that runs from right to left, or turns direction', () => {
  expect(say('saved', { name: 'شبكة' })).toBe('Gespeichert als \u2068شبكة\u2069.');
  expect(say('saved', { name: 'a\u202eb' })).toBe('Gespeichert als \u2068a\u202eb\u2069.');
});
