/** The catalogue of what the extension's pages say, and that a second language can be added to it. */
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../src/core/text/english.ts';
import { type Catalogue, createLanguage, type Message, type MessageId, placeholdersOf } from '../../../../src/core/text/messages.ts';
import { format, text } from '../../../../src/views/text.ts';
import { filesUnder, textOf } from '../../../repo/support/source-tree.ts';

const messages = Object.entries(ENGLISH) as readonly [MessageId, Message][];
const textsOf = (message: Message): readonly string[] => (typeof message === 'string' ? [message] : Object.values(message));

describe('the catalogue', () => {
  it('has no message that nothing says', () => {
    const said = filesUnder('src', ['.ts'])
      .filter((path) => !path.endsWith('english.ts'))
      .map(textOf)
      .join('\n');
    // Made of an id and a state.
    const made = /^(pipelining|tick|comparison|report)\./;
    expect(messages.filter(([id]) => !said.includes(`'${id}'`) && !made.test(id)).map(([id]) => id)).toEqual([]);
  });

  it('has the same slots in each plural form, but for the count', () => {
    const slots = (form: string) => placeholdersOf(form).filter((slot) => slot !== '{count}');
    for (const [id, message] of messages) {
      const [first, ...others] = textsOf(message).map((form) => slots(form).toSorted());
      for (const other of others) expect(other, id).toEqual(first);
    }
  });

  it('has no slot that is not written as one', () => {
    for (const [id, message] of messages) {
      for (const one of textsOf(message))
        expect(
          placeholdersOf(one).reduce((rest, slot) => rest.replace(slot, ''), one),
          id,
        ).not.toMatch(/[{}]/);
    }
  });
});

describe('a message', () => {
  it('has its parameters in place, numbers as their kind says', () => {
    expect(text('load.wait', { longest: 894, typical: 415 })).toBe(
      'Waiting for a free connection: up to 894\u00a0ms (typically 415\u00a0ms).',
    );
    expect(text('failed', { what: 'x', why: '{why}' })).toBe('x: {why}');
  });

  it('chooses its plural form by the count', () => {
    expect(text('count.loads', { count: 1 })).toBe('1\u00a0load');
    expect(text('count.loads', { count: 1234 })).toBe('1,234\u00a0loads');
  });

  it('does not compile with an unknown id or other parameters', () => {
    // @ts-expect-error no such message
    expect(() => text('no.such')).toThrow(TypeError);
    // @ts-expect-error the count is missing
    text('count.loads', {});
    // @ts-expect-error a duration is a number
    text('load.renderBlocking', { time: '3 s' });
    // @ts-expect-error it takes no parameters
    text('saved');
  });

  it('lists and rounds as its language does', () => {
    expect(format.list(['a', 'b', 'c'])).toBe('a, b, and c');
    expect(format.share(0.001)).toBe('under 1\u00a0%');
  });
});

describe('a second language', () => {
  /** Polish plural rules (one, few, many, other) and marks around each English text, slots kept. */
  const madeUp = Object.fromEntries(
    messages.map(([id, message]) => [
      id,
      typeof message === 'string'
        ? `«${message}»`
        : Object.fromEntries(['one', 'few', 'many', 'other'].map((form) => [form, `«${form} ${message.other}»`])),
    ]),
  ) as Catalogue;
  const other = createLanguage(madeUp, 'pl');

  it('says every message in its own words, with the parameters of the English one', () => {
    for (const [id, message] of messages) {
      const parameters = Object.fromEntries(
        textsOf(message)
          .flatMap(placeholdersOf)
          .map((slot) => slot.slice(1, -1).split(':'))
          .map(([name = '', kind]) => [name, kind === undefined && name !== 'count' ? 'x' : 2]),
      );
      const said = (other.text as (id: MessageId, given: object) => string)(id, { count: 2, ...parameters });
      expect(said, id).toMatch(typeof message === 'string' ? /^«[^{}]*»$/ : /^«few [^{}]*»$/);
    }
  });

  it('counts by its own plural rules, and formats numbers its own way', () => {
    expect(other.text('count.loads', { count: 1 })).toBe('«one 1\u00a0loads»');
    expect(other.text('count.loads', { count: 5 })).toBe('«many 5\u00a0loads»');
    expect(other.text('load.renderBlocking', { time: 1500 })).toContain('1,5\u00a0s');
    expect(other.format.age(0)).toBe('«just now»');
  });
});

it('a figure keeps its order in a sentence from right to left: its sign first, its unit last', () => {
  const said = (locale: string) =>
    createLanguage(ENGLISH as Catalogue, locale, 'en')
      .text('card.soFar', { change: 1.38, low: 1.23, high: 1.65 })
      .replaceAll('\u00a0', ' ');
  expect(said('he')).toBe('So far \u2066+38 %\u2069 (\u2066+23 %\u2069 to \u2066+65 %\u2069), not decided.');
  expect(said('de')).toBe('So far +38 % (+23 % to +65 %), not decided.');
});
