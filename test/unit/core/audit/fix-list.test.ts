import { expect, it } from 'vitest';
import { auditList } from '../../../../src/core/audit/audit-list.ts';
import { catalogueFacts } from '../../../../src/core/audit/build-facts.ts';
import type { AuditedLine } from '../../../../src/core/audit/finding.ts';
import { fixList } from '../../../../src/core/audit/fix-list.ts';
import { parsePreferenceList } from '../../../../src/core/audit/preference-list.ts';
import { conditionsOf } from '../../../../src/core/audit/published-conditions.ts';
import type { Verdict } from '../../../../src/core/compare/comparison.ts';

const fixed = (bytes: string) => {
  const list = parsePreferenceList(bytes);
  return fixList(bytes, list, auditList(list, { build: catalogueFacts() }));
};

const PER_SERVER = 'network.http.max-persistent-connections-per-server';

it('comments out what is dead, the default or measured as slower, with the reason, and nothing else', () => {
  const { bytes, changed } = fixed(
    [
      'user_pref("network.http.pipelining", true); // faster!\r\n',
      `\tuser_pref("${PER_SERVER}", 6);\n`,
      'user_pref("some.other", 1); user_pref("network.http.max-connections", 900);\n',
      'user_pref("network.prefetch-next", true);\n',
    ].join(''),
  );
  expect(bytes).toBe(
    [
      '// user_pref("network.http.pipelining", true); // plumbfox audit: dead: nothing in Firefox 153 reads it // faster!\r\n',
      `\t// user_pref("${PER_SERVER}", 6); // plumbfox audit: Firefox 153 has this value already\n`,
      'user_pref("some.other", 1); /* user_pref("network.http.max-connections", 900); plumbfox audit: Firefox 153 has this value already */\n',
      // Firefox's own value too, but it has a price: it stays.
      'user_pref("network.prefetch-next", true);\n',
    ].join(''),
  );
  expect(changed.map(({ line }) => line)).toEqual([1, 2, 3]);
  expect(fixed(`user_pref("${PER_SERVER}", 2);\n`).bytes).toContain(
    '// plumbfox audit: slower than without it, measured (modern-defaults)',
  );
});

it('says of an earlier line of a name that the last one counts, and of the last one what is true of it', () => {
  const reasons = (first: number, second: number) =>
    fixed(`user_pref("${PER_SERVER}", ${first});\nuser_pref("${PER_SERVER}", ${second});\n`).changed.map(({ line, reason }) => [
      line,
      reason,
    ]);
  const earlier = [1, 'does nothing: line 2 sets it again, and the last one counts'];
  expect(reasons(8, 6)).toEqual([earlier, [2, 'Firefox 153 has this value already']]);
  // The last one acts, and stays.
  expect(reasons(6, 9)).toEqual([earlier]);
});

const reasonOf = (value: number, over: Partial<AuditedLine>) => {
  const bytes = `user_pref("${PER_SERVER}", ${value});\n`;
  const list = parsePreferenceList(bytes);
  const lines = auditList(list, { build: catalogueFacts() }).map((line) => ({ ...line, ...over }));
  return fixList(bytes, list, lines).changed[0]?.reason;
};

const timed = (verdict: Verdict, clear: boolean) => ({ kind: 'timed', change: { ratio: 0.8 }, verdict, pairs: 9, clear }) as const;

it('acts on a measurement of this machine only where the effect can be of no other line', () => {
  expect(reasonOf(9, { findings: [timed('worse', true)] })).toBe('slower than without it, measured');
  expect(reasonOf(9, { findings: [timed('worse', false)] })).toBeUndefined();
  const made = conditionsOf('modern-defaults');
  const study = { kind: 'measured', study: 'modern-defaults', link: '', sentence: '', harmful: true, made } as const;
  expect(reasonOf(9, { findings: [timed('better', true), study] })).toBeUndefined();
  expect(reasonOf(9, { findings: [timed('need-more-loads', true), study] })).toBe('slower than without it, measured (modern-defaults)');
});

it('leaves a line that cannot matter for the pages, whatever a study measured', () => {
  expect(reasonOf(2, {})).toContain('modern-defaults');
  expect(reasonOf(2, { group: 'no-effect' })).toBeUndefined();
});

it('leaves a default value where a policy of the machine may set another', () => {
  const bytes = `user_pref("${PER_SERVER}", 6);\n`;
  const list = parsePreferenceList(bytes);
  const under = (underPolicy: boolean) =>
    fixList(bytes, list, auditList(list, { build: { ...catalogueFacts(), underPolicy } })).changed.length;
  expect([under(false), under(true)]).toEqual([1, 0]);
});
