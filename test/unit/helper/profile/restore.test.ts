import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePreferenceFile, valuesSet } from '../../../../src/core/profiles/preference-statements.ts';
import { profileOf } from '../../../../src/core/profiles/presets.ts';
import { userJs } from '../../../../src/core/profiles/user-js.ts';
import { readProfileFiles } from '../../../../src/helper/profile/files.ts';
import { adoptedRecord, editPrefsJs } from '../../../../src/helper/profile/restore.ts';
import { goodPreferenceFile, TEST_PREFIX } from '../../../support/preference-files.ts';

const FILE = '// Mozilla\n\nuser_pref("a", 1);\nuser_pref("b", 2);\nuser_pref("d", "x;\xe9");\n';

it('a pasted block is adopted with every value, decimals too, which Firefox keeps as text', async () => {
  const ratio = 'network.http.focused_window_transaction_ratio';
  const pacing = 'network.http.pacing.requests.enabled';
  const directory = await mkdtemp(join(tmpdir(), 'plumbfox-adopted-'));
  try {
    await writeFile(
      join(directory, 'user.js'),
      userJs(profileOf({ depth: 1, preferences: { [ratio]: '0.5', [pacing]: false } }), { carrier: 'none' }),
    );
    await writeFile(join(directory, 'prefs.js'), '');
    const record = await adoptedRecord(directory, await readProfileFiles(directory));
    expect(record?.preferences).toEqual([
      { name: pacing, written: [false], intended: false },
      { name: ratio, written: ['0.5'], intended: '0.5' },
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

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
