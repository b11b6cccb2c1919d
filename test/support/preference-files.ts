/** Preference files as people write them, with their mistakes: "binary" strings, one character per byte. */
import fc from 'fast-check';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { anyValue } from './knob-values.ts';

/** Whoever reads a file in a Firefox can find these again, and clear them. */
export const TEST_PREFIX = 'plumbfox.test.';

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-fA-F]{${length}}$`));

const name = oneOf('a', 'b', 'c', 'd').map((letter) => `"${TEST_PREFIX}${letter}"`);
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ !#-&(-[\]-~]{0,6}$/) },
  oneOf('\\n', '\\r', '\\\\', '\\"', "\\'", '\n', '\r\n', '\r', '\t', '\xe9', '\xff', ';', '//', '/*', '*/', '#'),
  hex(2).map((digits) => `\\x${digits}`),
  hex(4).map((digits) => `\\u${digits}`),
  oneOf('\\ud83d\\ude00', '\\ud83dx', '\\ud83d\\n', '\\ud83d\\u0041', '\\ude00', '\\x', '\\u12', '\\q', '\\x00', '\\u0000', '\\\n'),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`),
  fc.array(piece, { maxLength: 4 }).map((pieces) => `'${pieces.join('')}'`),
);
const number = fc.oneof(
  fc.integer({ min: -3_000_000_000, max: 5_000_000_000 }).map(String),
  oneOf('0', '-0', '+7', '007', '-2147483648', '2147483647', '2147483648', '-2147483649', '4294967296', '1.5', '1e3', '- 5', '--1', '12x'),
);
const value = fc.oneof(
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: oneOf('true', 'false') },
  { weight: 3, arbitrary: text },
  oneOf('null', 'True', 'sticky', '', '@'),
);
const gap = fc.oneof(
  { weight: 8, arbitrary: oneOf('', ' ') },
  oneOf('\t', '\v', '\f', '\n', '\r\n', '\r', '/* c */', '/* \r\n * */', '// c\n', '# c\r'),
);
const keyword = fc.oneof(
  { weight: 12, arbitrary: fc.constant('user_pref') },
  oneOf('pref', 'sticky_pref', 'lock_pref', 'userpref', 'user_pref2', ''),
);
const close = fc.oneof({ weight: 12, arbitrary: fc.constant(');') }, oneOf(')', ';', ', locked);', ', sticky);', ')); ', '', ') ;'));
const lineEnd = fc.oneof({ weight: 6, arbitrary: fc.constant('\n') }, oneOf('\r\n', '\r', '', ' '));

const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(keyword, gap, oneOf('(', '(', '(', '(', ''), gap, name, gap, oneOf(',', ',', ',', ''), gap, value, gap, close)
      .map((parts) => parts.join('')),
  },
  oneOf(
    '// a comment; "',
    '# another',
    '/* long; "\n ( */',
    '/',
    '/x',
    '//',
    '*',
    '%',
    '\xe9',
    '/*',
    '"',
    "'",
    ';',
    ';;',
    '',
    '\xef\xbb\xbf',
  ),
);

/** Any file, most of them with mistakes. */
export const preferenceFile = fc
  .tuple(oneOf('', '', '', '\xef\xbb\xbf'), fc.array(fc.tuple(line, lineEnd), { maxLength: 6 }))
  .map(([mark, lines]) => mark + lines.flat().join(''));

const goodValue = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
  oneOf('true', 'false', '"a; b"', "'// \"'", '"two\r\nlines"', '"\xe9"', '"\\u00e9"'),
);
const goodLine = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(name, gap, goodValue, gap).map(([of, before, is, after]) => `user_pref(${of},${before}${is}${after});`),
  },
  oneOf(
    '',
    '// mine; "',
    '# mine',
    '/* long\n * comment */',
    '/* // >>> Plumbfox profile >>> */',
    'user_pref("network.http.max-connections", 5); // why',
  ),
);

/** A file that Firefox reads whole, with line ends of any kind and perhaps none at its end. */
export const goodPreferenceFile = fc
  .tuple(
    oneOf('', '', '', '\xef\xbb\xbf'),
    fc.array(fc.tuple(goodLine, oneOf('\n', '\n', '\r\n', '\r')), { maxLength: 6 }),
    oneOf('', 'user_pref("z", 1);', '// end'),
  )
  .map(([mark, lines, last]) => mark + lines.flat().join('') + last);

const settings = CATALOGUE.filter(({ appliers }) => appliers.includes('helper')).map(
  (knob): fc.Arbitrary<[string, PreferenceValue]> => anyValue(knob).map((one) => [knob.preference, one]),
);

/** Values of the catalogue's preferences, legacy ones included. */
export const anyPreferences = fc
  .uniqueArray(fc.oneof(...settings), { selector: ([preference]) => preference, maxLength: 12 })
  .map((pairs) => Object.fromEntries(pairs));
