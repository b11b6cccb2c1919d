/** Whatever is in somebody's user.js, only our block changes, or nothing does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError, PreferenceRefused } from '../../src/core/errors.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { checkProfile } from '../../src/core/profiles/check-profile.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { parsePreferenceFile, valuesSet } from '../../src/core/profiles/preference-statements.ts';
import {
  appliedBlock,
  type CheckedUserJs,
  checkUserJs,
  putBlock,
  USER_JS_BEGIN,
  USER_JS_END,
  withoutBlock,
} from '../../src/core/profiles/user-js.ts';
import { parsePreferences } from '../fixtures/preferences-grammar.ts';
import { countBar } from '../support/bar-count.ts';
import { foreignStatements } from '../support/foreign-statements.ts';
import { goodPreferenceFile, preferenceFile, anyPreferences as preferences } from '../support/preference-files.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';
const FILES = FULL ? 5_000 : 1_000;
const SETS = FULL ? 10_000 : 2_000;

const block = preferences.map((intended) => appliedBlock({ notes: ['a profile; "'], intended, givenBack: [] }));

function checked(bytes: string): CheckedUserJs | undefined {
  try {
    return checkUserJs(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(PlumbfoxError);
    expect((error as PlumbfoxError).kind).toBe('bad-input');
    expect((error as PlumbfoxError).message).not.toContain('\n');
    return undefined;
  }
}

describe(`${FILES} files`, () => {
  it('with mistakes are refused, and only those', () => {
    let [refused, looked] = [0, 0];
    fc.assert(
      fc.property(preferenceFile, (bytes) => {
        const { errors } = parsePreferenceFile(bytes);
        const user = checked(bytes);
        expect(user === undefined).toBe(errors.length > 0);
        if (user === undefined) refused++;
        else expect(withoutBlock(user)).toBe(bytes);
        looked++;
      }),
      { numRuns: FILES, seed: 16 },
    );
    // The generator makes both kinds.
    expect(refused).toBeGreaterThan(FILES / 4);
    expect(refused).toBeLessThan(FILES);
    countBar(16, 'files refused for their mistakes alone', looked, FILES);
  });

  it('without mistakes keep every byte of theirs, get all of ours, and lose it again', () => {
    let kept = 0;
    fc.assert(
      fc.property(goodPreferenceFile, block, block, (bytes, first, second) => {
        const before = checkUserJs(bytes);
        const one = putBlock(before, first);
        expect(one.bytes.startsWith(bytes)).toBe(true);
        const two = putBlock(checkUserJs(one.bytes), second);
        const user = checkUserJs(two.bytes);
        const theirs = ({ name, value }: { name: string; value: PreferenceValue }) => [name, value];
        expect(foreignStatements(user).map(theirs)).toEqual(before.file.statements.map(theirs));
        // Ours are the last: no other line wins over them.
        const set = valuesSet(user.file);
        for (const [name, value] of parsePreferences(second)) expect(set.get(name)?.value).toBe(value);
        expect(withoutBlock(checkUserJs(one.bytes), one.block)).toBe(bytes);
        expect(withoutBlock(user, two.block).startsWith(bytes)).toBe(true);
        kept++;
      }),
      { numRuns: FILES, seed: 17 },
    );
    countBar(16, 'files of which every foreign byte stayed', kept, FILES);
  });

  it('with a block that somebody has cut or copied are refused', () => {
    let refused = 0;
    fc.assert(
      fc.property(goodPreferenceFile, block, fc.constantFrom('begin', 'end', 'twice'), (bytes, text, how) => {
        const whole = putBlock(checkUserJs(bytes), text).bytes;
        const at = (mark: string) => whole.lastIndexOf(mark);
        const damaged = {
          begin: whole.slice(0, at(USER_JS_BEGIN)) + whole.slice(at(USER_JS_BEGIN) + USER_JS_BEGIN.length),
          end: whole.slice(0, at(USER_JS_END)),
          twice: whole + text,
        }[how];
        expect(checked(damaged)).toBeUndefined();
        refused++;
      }),
      { numRuns: 500, seed: 18 },
    );
    countBar(16, 'damaged blocks refused', refused, 500);
  });
});

describe('10,000 sets of preferences', () => {
  it('are read back as they were written, by our reader and a stricter one', () => {
    let same = 0;
    fc.assert(
      fc.property(preferences, (intended) => {
        const text = appliedBlock({ notes: [], intended, givenBack: [] });
        const { statements, errors } = parsePreferenceFile(text);
        expect(errors).toEqual([]);
        expect(Object.fromEntries(statements.map(({ name, value }) => [name, value]))).toEqual(intended);
        expect(Object.fromEntries(parsePreferences(text))).toEqual(intended);
        same++;
      }),
      { numRuns: SETS, seed: 15 },
    );
    countBar(15, 'sets written and read back', same, SETS);
  });

  it('of the wrong type or beyond the bounds are refused', () => {
    const wrong = fc.oneof(
      fc.double({ noInteger: true }),
      fc.integer({ min: 2 ** 31, max: 2 ** 40 }),
      fc.integer({ min: -(2 ** 40), max: -2 }),
      fc.string(),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, '0', '1', 'true', null, undefined, {}, []),
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...CATALOGUE.filter(({ bounds }) => bounds.type !== 'decimal')), wrong, ({ preference }, value) => {
        const profile = { id: 'x', title: 'x', connections: undefined, depth: 1, preferences: { [preference]: value as PreferenceValue } };
        expect(() => checkProfile(profile)).toThrow(PreferenceRefused);
        refused++;
      }),
      { numRuns: SETS, seed: 15 },
    );
    countBar(15, 'values of a wrong type refused', refused, SETS);
    for (const { preference, bounds } of CATALOGUE) {
      // 0 and 1 are no booleans, and booleans no numbers.
      const value = bounds.type === 'boolean' ? 1 : true;
      expect(() => checkProfile({ id: 'x', title: 'x', connections: undefined, depth: 1, preferences: { [preference]: value } })).toThrow(
        PreferenceRefused,
      );
    }
  });
});
