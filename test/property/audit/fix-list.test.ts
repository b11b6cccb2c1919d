/** What a fix leaves: every byte but what it inserts, every value but those of the lines that it comments out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditList } from '../../../src/core/audit/audit-list.ts';
import type { BuildFacts } from '../../../src/core/audit/build-facts.ts';
import { fixList } from '../../../src/core/audit/fix-list.ts';
import { parsePreferenceList } from '../../../src/core/audit/preference-list.ts';
import { CATALOGUE, findKnob } from '../../../src/core/profiles/catalogue.ts';
import { parsePreferenceFile, valuesSet } from '../../../src/core/profiles/preference-statements.ts';

const build: BuildFacts = {
  source: 'build',
  version: '153.7.0',
  platform: 'linux',
  stateOf: (name) => {
    const held = findKnob(name)?.builds[153];
    return held?.state === 'default' ? held : held?.state === 'hidden' ? { state: 'hidden' } : { state: 'absent' };
  },
  knownNames: [],
};

const knobs = CATALOGUE.map(({ preference }) => preference);
const name = fc.oneof(fc.constantFrom(...knobs), fc.constantFrom('a.b', 'privacy.x', 'network.prefetch-next', 'it\'s */ a "name'));
const value = fc.oneof(fc.boolean(), fc.integer({ min: -5, max: 2000 }), fc.constantFrom('', 'x', '*/', 'a // b'));
const statement = fc.tuple(name, value).map(([n, v]) => {
  const held = findKnob(n)?.defaults.desktop;
  return { name: n, value: v, held };
});
const text = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(statement, fc.boolean())
          .map(
            ([{ name: n, value: v, held }, own]) =>
              `user_pref(${JSON.stringify(n)}, ${JSON.stringify(own && held !== undefined ? held : v)});`,
          ),
      },
      fc.constantFrom('// a comment', '# another', '/* one\r\n more */', ' ', '\t', '\xe9', '// \xff'),
    ),
    { maxLength: 12 },
  )
  .chain((parts) =>
    fc
      .array(fc.constantFrom('\n', '\r\n', '\n', '\r', ' '), { minLength: parts.length, maxLength: parts.length })
      .map((ends) => parts.map((part, at) => `${part}${part.startsWith('//') || part.startsWith('#') ? '\n' : ''}${ends[at]}`).join('')),
  );

describe('a fix', () => {
  it('leaves every other byte, and every other value', () => {
    fc.assert(
      fc.property(text, (bytes) => {
        let list: ReturnType<typeof parsePreferenceList>;
        try {
          list = parsePreferenceList(bytes);
        } catch {
          return;
        }
        const audited = auditList(list, { build });
        const { bytes: fixed, changed } = fixList(bytes, list, audited);
        const countOf = (lines: readonly { readonly name: string }[], n: string) => lines.filter((line) => line.name === n).length;
        const gone = new Set(changed.map((line) => line.name).filter((n) => countOf(changed, n) === countOf(list.lines, n)));
        const before = valuesSet(parsePreferenceFile(bytes));
        const after = valuesSet(parsePreferenceFile(fixed));
        const expected = [...before].filter(([n]) => !gone.has(n)).map(([n, s]) => [n, s.value]);
        expect([...after].map(([n, s]) => [n, s.value])).toEqual(expected);
        // Without what it inserted, the file is the one that it was.
        const restored = fixed
          .replaceAll(
            /\/\/ (user_pref\((?:[^\r\n])*?\);) \/\/ plumbfox audit: (?:dead: nothing in Firefox 153\.7\.0 reads it|Firefox 153\.7\.0 has this value already|slower than without it, (?:measured|predicted)(?: \([a-z-]+\))?|does nothing: line \d+ sets it again, and the last one counts)/g,
            '$1',
          )
          .replaceAll(
            /\/\* (user_pref\((?:[\s\S])*?\);) plumbfox audit: (?:dead: nothing in Firefox 153\.7\.0 reads it|Firefox 153\.7\.0 has this value already|slower than without it, (?:measured|predicted)(?: \([a-z-]+\))?|does nothing: line \d+ sets it again, and the last one counts) \*\//g,
            '$1',
          );
        expect(restored).toBe(bytes);
        for (const { name: changedName } of changed) expect(findKnob(changedName)?.class).toBe('free');
      }),
      { numRuns: 500 },
    );
  });
});
