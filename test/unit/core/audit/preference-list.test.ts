import { describe, expect, it } from 'vitest';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';

const refused = (bytes: string): string => {
  try {
    parsePreferenceList(bytes);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was taken');
};

describe('user.js', () => {
  it('gives names, values and the lines they stand in', () => {
    const { format, lines, errors } = parsePreferenceList(
      '// a\r\nuser_pref("a.b", 1);\r\n\r\nuser_pref("c", "x"); user_pref("d", true);\n',
    );
    expect(format).toBe('preferences');
    expect(errors).toEqual([]);
    expect(lines.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['a.b', 1, 2],
      ['c', 'x', 4],
      ['d', true, 4],
    ]);
  });

  it('keeps what Firefox would report, and reads on', () => {
    const { lines, errors } = parsePreferenceList('user_pref("a", 1)\nuser_pref("b", 2);\nuser_pref("c", 3);\n');
    expect(lines.map(({ name }) => name)).toEqual(['c']);
    expect(errors).toHaveLength(1);
  });

  it('reads text as UTF-8', () => {
    const bytes = String.fromCharCode(...new TextEncoder().encode('user_pref("a", "100 % é");'));
    expect(parsePreferenceList(bytes).lines[0]?.value).toBe('100 % é');
  });
});

describe('policies.json', () => {
  it('gives the preferences that it sets, in both forms', () => {
    const text = JSON.stringify(
      { policies: { Preferences: { a: { Value: 1, Status: 'locked' }, b: true, c: { Status: 'clear', Value: 2 } } } },
      null,
      1,
    );
    const { format, lines } = parsePreferenceList(text);
    expect(format).toBe('policies');
    expect(lines.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['a', 1, 4],
      ['b', true, 8],
    ]);
  });

  it('finds the line of a name that stands above as well, and of each of 3,000', () => {
    const names = ['a', ...Array.from({ length: 2999 }, (_, at) => `b.${at}`)];
    const policies = { a: 1, Preferences: Object.fromEntries(names.map((name) => [name, 1])) };
    const { lines } = parsePreferenceList(JSON.stringify({ policies }, null, 1));
    // A brace, the policies, the other "a" and the preferences stand before the first.
    expect(lines.map(({ line }) => line)).toEqual(names.map((_, at) => at + 5));
  });
});

describe('what is no list', () => {
  it.each([
    ['an empty file', '', 'is empty'],
    ['blanks', ' \n\t\r\n', 'is empty'],
    ['a byte order mark', '\xef\xbb\xbf', 'is empty'],
    ['an ELF program', '\x7fELF\x02\x01\x01\0\0', 'is no text'],
    ['a comment', '// nothing\n', 'sets no preference'],
    ['1 MB of garbage', 'q#(;"\\)x'.repeat(125_000), 'sets no preference'],
    ['JSON without policies', '{"a": 1}', 'sets no preference'],
    ['damaged JSON', '{"policies": ', 'cannot be read'],
  ])('%s is refused in one line', (_, bytes, why) => {
    const message = refused(bytes);
    expect(message).toContain(why);
    expect(message).not.toContain('\n');
  });
});
