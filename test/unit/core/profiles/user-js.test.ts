import { describe, expect, it } from 'vitest';
import {
  appliedBlock,
  blockBytes,
  checkUserJs,
  putBlock,
  USER_JS_BEGIN,
  USER_JS_END,
  withoutBlock,
} from '../../../../src/core/profiles/user-js.ts';
import { foreignStatements, statementsBehind } from '../../../support/foreign-statements.ts';

const BLOCK = `${USER_JS_BEGIN}\nuser_pref("x", 1);\n${USER_JS_END}\n`;
const put = (bytes: string, block = BLOCK) => putBlock(checkUserJs(bytes), block);

describe('our block', () => {
  it.each([
    ['an empty file', '', BLOCK],
    ['a file whose last line has no end', 'user_pref("a", 1);', `\n${BLOCK}`],
    ['a file with line ends of Windows', 'user_pref("a", 1);\r\n// b', `\r\n${BLOCK.replaceAll('\n', '\r\n')}`],
    ['a byte order mark', '\xef\xbb\xbf', BLOCK],
  ])('goes to the end of %s, and out again', (_, bytes, expected) => {
    const written = put(bytes);
    expect(written).toEqual({ bytes: bytes + expected, block: expected });
    expect(withoutBlock(checkUserJs(written.bytes), written.block)).toBe(bytes);
    expect(blockBytes(checkUserJs(written.bytes), written.block)).toBe(written.block);
  });

  it('takes the place of the one before it, behind lines that came later', () => {
    const first = put('// mine\n');
    const later = `${first.bytes}user_pref("x", 2);\n`;
    expect(statementsBehind(checkUserJs(later)).map(({ name }) => name)).toEqual(['x']);
    expect(foreignStatements(checkUserJs(later)).map(({ value }) => value)).toEqual([2]);
    expect(put(later).bytes).toBe(`// mine\nuser_pref("x", 2);\n${BLOCK}`);
  });

  it('is not what a comment or a string says', () => {
    const bytes = `/*\n${BLOCK}*/\nuser_pref("a", "\n${USER_JS_BEGIN}\n");\n`;
    expect(checkUserJs(bytes).block).toBeUndefined();
    expect(put(bytes).bytes).toBe(bytes + BLOCK);
  });

  it('takes no byte of a line that was put before it by hand', () => {
    const { bytes, block } = put('// x');
    const joined = bytes.replace('\n', ' y();');
    expect(withoutBlock(checkUserJs(joined.replace('// x y();', 'user_pref("a", 1);')), block)).toBe('user_pref("a", 1);');
  });

  it.each([
    ['half', `a\n`.replace('a', USER_JS_BEGIN), 'line 1: the Plumbfox block is there only in part'],
    ['half at its end', `// x\n${USER_JS_END}\n`, 'line 2: the Plumbfox block is there only in part'],
    ['twice', BLOCK + BLOCK, 'line 1: the Plumbfox block is there more than once'],
    ['the wrong way round', `${USER_JS_END}\n${USER_JS_BEGIN}\n`, 'line 1: the Plumbfox block is there only in part'],
    ['through a line', `user_pref("a",${USER_JS_BEGIN}\n1);\n${USER_JS_END}\n`, 'begins or ends in the middle of a line of somebody else'],
  ])('is refused %s', (_, bytes, message) => {
    expect(() => checkUserJs(bytes)).toThrow(message);
  });

  it('does not go to the end of a file that Firefox would not read to its end', () => {
    expect(() => checkUserJs('// x\nuser_pref("a", "b);\n')).toThrow(
      'user.js, line 3: Firefox cannot read it (unterminated string literal), and may skip what follows; put that line right first',
    );
  });
});

describe('what is in it', () => {
  it('is what is intended, in the order of the catalogue, then what is given back', () => {
    const block = appliedBlock({
      // Ċ ends in the byte of a line end.
      notes: ['one\nuser_pref("evil", 1);', 'é \u010auser_pref("evil", 2);'],
      intended: { 'network.prefetch-next': false, 'network.http.max-connections': 5 },
      givenBack: ['user_pref("network.dns.disablePrefetch", true);'],
    });
    expect(block.split('\n')).toEqual([
      USER_JS_BEGIN,
      '//   one',
      '//   user_pref("evil", 1);',
      '//   ? ?user_pref("evil", 2);',
      'user_pref("network.http.max-connections", 5);',
      'user_pref("network.prefetch-next", false);',
      '//   Given back; these lines go when Firefox has saved them:',
      'user_pref("network.dns.disablePrefetch", true);',
      USER_JS_END,
      '',
    ]);
  });
});
