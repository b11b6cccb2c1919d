import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePreferenceFile, valuesSet } from '../../../../src/core/profiles/preference-statements.ts';
import { editPrefsJs } from '../../../../src/helper/profile/restore.ts';
import { goodPreferenceFile, TEST_PREFIX } from '../../../support/preference-files.ts';

const FILE = '// Mozilla\n\nuser_pref("a", 1);\nuser_pref("b", 2);\nuser_pref("d", "x;\xe9");\n';

describe('a line of prefs.js', () => {
  it.each<[string, [string, string | undefined][], string]>([
    ['goes with the end of its line', [['b', undefined]], FILE.replace('user_pref("b", 2);\n', '')],
    ['is exchanged', [['b', "user_pref('b',7);"]], FILE.replace('user_pref("b", 2);', "user_pref('b',7);")],
    [
      'comes back where its name belongs',
      [['c', 'user_pref("c", 3);']],
      FILE.replace('user_pref("d"', 'user_pref("c", 3);\nuser_pref("d"'),
    ],
    ['comes back at the end', [['z', 'user_pref("z", 9);']], `${FILE}user_pref("z", 9);\n`],
    ['that is not there need not go', [['z', undefined]], FILE],
  ])('%s', (_, edits, expected) => {
    expect(editPrefsJs(FILE, new Map(edits))).toBe(expected);
  });

  it('stays where nobody asks for it, whatever the file', () => {
    const name = `${TEST_PREFIX}a`;
    fc.assert(
      fc.property(goodPreferenceFile, fc.option(fc.constant(`user_pref("${name}", 5);`), { nil: undefined }), (bytes, text) => {
        const edited = editPrefsJs(bytes, new Map([[name, text]]));
        const others = (file: string) => parsePreferenceFile(file).statements.filter((one) => one.name !== name);
        expect(parsePreferenceFile(edited).errors).toEqual([]);
        expect(others(edited).map(({ name: of, value }) => [of, value])).toEqual(others(bytes).map(({ name: of, value }) => [of, value]));
        expect(valuesSet(parsePreferenceFile(edited)).get(name)?.value).toBe(text === undefined ? undefined : 5);
      }),
      { numRuns: 1000, seed: 24 },
    );
  });
});
