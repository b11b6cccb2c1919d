/** What decides whether a bar is held, and whether a guard was missed. */
import { describe, expect, it } from 'vitest';
import type { Bar, Guard } from '../../bars/bar.ts';
import { parseBarsArguments } from '../../bars/harness/bars-arguments.ts';
import { outcomeOf, withoutGuard } from '../../bars/harness/guard-tree.ts';
import { added, whyNotHeld } from '../../bars/harness/measure-bar.ts';
import { type BarRun, type GuardRun, withGuard, withRun } from '../../bars/harness/records.ts';
import { countsText, reliabilityPage } from '../../bars/harness/reliability-page.ts';
import type { TestsRun } from '../../bars/harness/run-tests.ts';

const guard: Guard = {
  removed: 'the lock',
  replacements: [{ file: 'a.ts', from: 'lock();', to: '' }],
  test: { file: 'a.test.ts' },
};
const bar: Bar = {
  number: 4,
  title: 'Kill',
  fault: 'A kill.',
  holds: 'All is there | whole.',
  tests: [{ file: 'a.test.ts' }],
  counts: ['loads', 'kills'],
  guards: [guard],
  notHere: 'a power cut.',
};
const ran: TestsRun = { exitCode: 0, passed: 2, failed: [], counts: [] };
const both = [
  { what: 'kills', held: 3, of: 3 },
  { what: 'loads', held: 9, of: 9 },
];

describe('a bar', () => {
  it('is held by all that was tried, each kind at least once', () => {
    expect(whyNotHeld(bar, ran, both)).toBe('');
    expect(whyNotHeld(bar, ran, [])).toBe('not counted: loads, kills');
    expect(whyNotHeld(bar, ran, both.slice(1))).toBe('not counted: kills');
    expect(whyNotHeld({ ...bar, counts: [] }, ran, both)).toBe('not counted: anything');
    expect(whyNotHeld(bar, ran, [...both, { what: 'rows', held: 1, of: 2 }])).toBe('1 of 2 rows');
  });

  it('is not held without a test, by one that failed, or by one that did not run to its end', () => {
    expect(whyNotHeld(bar, undefined, both)).toBe('no test yet');
    expect(whyNotHeld(bar, { ...ran, exitCode: 1 }, both)).toBe('the tests did not run to their end');
    expect(whyNotHeld(bar, { ...ran, exitCode: 1, failed: [{ name: 'it holds', message: '' }] }, both)).toBe('failed: it holds');
  });

  it('adds up what its tests counted', () => {
    const line = (what: string, held: number, of: number) => ({ bar: 4, what, held, of });
    expect(added([line('loads', 2, 2), line('kills', 1, 1), line('loads', 1, 3)])).toEqual([
      { what: 'kills', held: 1, of: 1 },
      { what: 'loads', held: 3, of: 5 },
    ]);
  });
});

describe('a guard', () => {
  const failed = (message: string): TestsRun => ({ ...ran, exitCode: 1, failed: [{ name: 'it holds', message }] });

  it('is missed where an assertion fails, and nothing else shows that', () => {
    expect(outcomeOf(guard, failed('AssertionError: expected 1 to be 2\n    at x'))).toEqual({
      outcome: 'failed',
      test: 'it holds',
      said: 'expected 1 to be 2',
    });
    expect(outcomeOf(guard, failed('Error: Test timed out in 5 ms')).outcome).toBe('broken');
    expect(outcomeOf({ ...guard, by: 'time-out' }, failed('Error: Test timed out in 5 ms')).outcome).toBe('failed');
    expect(outcomeOf(guard, failed('SyntaxError: x')).outcome).toBe('broken');
    expect(outcomeOf(guard, undefined).outcome).toBe('broken');
    expect(outcomeOf(guard, { ...ran, passed: 0 }).outcome).toBe('broken');
    expect(outcomeOf(guard, ran).outcome).toBe('survived');
  });

  it('is taken out where it stands once, and refused elsewhere', () => {
    expect(withoutGuard('a.ts', 'one(); lock(); two();', guard)).toBe('one();  two();');
    expect(withoutGuard('b.ts', 'lock();', guard)).toBe('lock();');
    for (const text of ['', 'lock(); lock();']) expect(() => withoutGuard('a.ts', text, guard)).toThrow(/does not have this once/);
  });
});

const when = { commit: 'abc', files: '0', date: '2026-11-23', machine: 'linux x64', seconds: 130 };
const run: BarRun = { bar: 4, extent: 'cut', held: true, why: '', counts: both, ...when };
const missed: GuardRun = { bar: 4, removed: 'the lock', outcome: 'failed', test: 'it <holds>', said: 'a | b', ...when };

describe('the page', () => {
  const page = (...records: Parameters<typeof reliabilityPage>[1][]) => records.map((one) => reliabilityPage([bar], one)).join('');

  it('says what was counted, and prefers the full form', () => {
    const cut = withRun({ runs: [], guards: [] }, run);
    expect(page(cut)).toContain(
      '**1 of 1 bars held**, 0 in full and 1 in the cut alone: 12 tries, none failed. **0 of 1 were seen failing**',
    );
    expect(page(cut)).toContain('All is there \\| whole. | 3 of 3 kills, 9 of 9 loads | cut | 2 min | abc, 2026-11-23 |');
    const full = withRun(cut, { ...run, extent: 'full', held: false, why: 'failed: x' });
    expect(page(full)).toContain('**0 of 1 bars held**');
    expect(page(full)).toContain('**not held**: failed: x; 3 of 3 kills');
    expect(page(full)).toContain('Not held, or not counted yet: 4.');
    expect(withRun(full, run).runs).toHaveLength(2);
  });

  it('says which guard was missed by which test, and what was not run', () => {
    const records = withGuard({ runs: [], guards: [] }, missed);
    expect(page(records)).toContain('| 4 | the lock (`a.ts`) | failed | it &lt;holds>: a \\| b | abc, 2026-11-23 |');
    expect(page(records)).toContain('**1 of 1 were seen failing**');
    expect(page(records)).toContain('- Bar 4: a power cut.');
    expect(page(withGuard(records, { ...missed, outcome: 'survived' }))).toContain('**0 of 1 were seen failing**');
  });

  it('writes large counts with commas', () => {
    expect(countsText([{ what: 'frames', held: 1_234_567, of: 1000 }])).toBe('1,234,567 of 1,000 frames');
  });
});

describe('arguments', () => {
  it('are numbers of bars and options', () => {
    expect(parseBarsArguments(['13', '--cut', '17'], [13, 17])).toMatchObject({ only: [13, 17], cut: true, guards: false });
    expect(() => parseBarsArguments(['31'], [1, 2])).toThrow(/no bar 31/);
    expect(() => parseBarsArguments(['--quick'], [1])).toThrow(/--quick/);
  });
});
