import { describe, expect, it } from 'vitest';
import { parsePreferenceFile } from '../../../../src/core/profiles/preference-statements.ts';

const read = (bytes: string) => {
  const { statements, errors } = parsePreferenceFile(bytes);
  return { set: statements.map(({ name, value }) => [name, value]), errors: errors.map(({ line, message }) => `${line}: ${message}`) };
};

describe('a file that Firefox reads', () => {
  it.each<[string, string, unknown]>([
    ['a number', 'user_pref("a", -2147483648);', -2147483648],
    ['with a sign', 'user_pref("a", + 7);', 7],
    ['no minus zero', 'user_pref("a", -0);', 0],
    ['a word', "user_pref('a', false);", false],
    ['escapes', String.raw`user_pref("a", "\x41\u00e9\"\\\n");`, 'A\xc3\xa9"\\\n'],
    ['a pair of surrogates', String.raw`user_pref("a", "\ud83d\ude00");`, '\xf0\x9f\x98\x80'],
    ['raw bytes and line ends', 'user_pref("a", "\xe9\r\n\r");', '\xe9\r\n\r'],
    ['the other quote', `user_pref("a", "it's");`, "it's"],
    ['comments everywhere', '# x\r/* ( ; */user_pref/**/("a"// "\n,\t1\v)\f;// end', 1],
    ['a byte order mark', '\xef\xbb\xbfuser_pref("a", 1);', 1],
  ])('%s', (_, bytes, value) => {
    expect(read(bytes)).toEqual({ set: [['a', value]], errors: [] });
  });

  it('says where each statement lies', () => {
    const bytes = '// "\r\nuser_pref("a", 1) ; user_pref("b",\n2);';
    expect(parsePreferenceFile(bytes).statements.map(({ start, end }) => bytes.slice(start, end))).toEqual([
      'user_pref("a", 1) ;',
      'user_pref("b",\n2);',
    ]);
  });

  it('has comments of one line, and what only looks like one is none', () => {
    const bytes = '// one\nuser_pref("a", "// not");/* // not\n */# two\r\n';
    expect(parsePreferenceFile(bytes).lineComments.map(({ start, end }) => bytes.slice(start, end))).toEqual(['// one', '# two']);
  });
});

describe('a mistake', () => {
  it('of a missing semicolon costs the next line too', () => {
    expect(read('user_pref("a", 1)\nuser_pref("b", 2);\nuser_pref("c", 3);\n')).toEqual({
      set: [['c', 3]],
      errors: ["2: expected ';' after ')'"],
    });
  });

  it('of a string without end costs everything', () => {
    expect(read('user_pref("a", 1);\nuser_pref("b", "2);\nuser_pref("c", 3);\n')).toEqual({
      set: [['a', 1]],
      // The quotes pair up wrongly: a string ends before c, which is then no word of the language.
      errors: ['3: unknown keyword'],
    });
    expect(read('user_pref("b", "2);\n')).toEqual({ set: [], errors: ['2: unterminated string literal'] });
  });

  it.each([
    ['pref("a", 1);', "1: expected 'user_pref' at start of pref definition"],
    ['lockPref("a", 1);', '1: unknown keyword'],
    ['user_pref "a", 1;', "1: expected '(' after pref specifier"],
    ['user_pref(a, 1);', '1: unknown keyword'],
    ['user_pref(1, 1);', "1: expected pref name after '('"],
    ['user_pref("a" 1);', "1: expected ',' after pref name"],
    ['user_pref("a", );', "1: expected pref value after ','"],
    ['user_pref("a", 1, locked);', "1: expected ')' after pref value"],
    ['user_pref("a", 2147483648);', '1: integer literal overflowed'],
    ['user_pref("a", -2147483649);', '1: integer literal overflowed'],
    ['user_pref("a", 4294967296);', '1: integer literal overflowed'],
    ['user_pref("a", 1.5);', '1: unexpected character'],
    ['user_pref("a", 12x);', '1: unexpected character in integer literal'],
    ['user_pref("a", -"x");', "1: expected integer literal after '-'"],
    ['user_pref("a", "\n\\q\n");', "2: unexpected escape sequence character after '\\'"],
    [String.raw`user_pref("a", "\x4");`, '1: malformed \\x escape sequence'],
    [String.raw`user_pref("a", "\x00");`, '1: \\x00 is not allowed'],
    [String.raw`user_pref("a", "\ud83d");`, '1: expected low surrogate after high surrogate'],
    [String.raw`user_pref("a", "\ud83d\u0041");`, '1: invalid low surrogate after high surrogate'],
    [String.raw`user_pref("a", "\ude00");`, '1: expected high surrogate before low surrogate'],
    ['/ user_pref("a", 1);', "1: expected '/' or '*' after '/'"],
    ['/* user_pref("a", 1);', '1: unterminated /* comment'],
    ['% user_pref("a", 1);', '1: unexpected character'],
    ['user_pref("a", 1);\0', '1: a NUL byte; Firefox reads nothing after it'],
  ])('%j', (bytes, error) => {
    const { set, errors } = read(bytes);
    expect(errors).toEqual([error]);
    expect(set).toEqual(bytes.endsWith('\0') ? [['a', 1]] : []);
  });
});
