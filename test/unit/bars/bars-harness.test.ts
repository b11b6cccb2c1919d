/** What decides whether a bar is held, and whether a guard was missed. */
import { describe, expect, it } from 'vitest';
import type { Bar, Guard } from '../../bars/bar.ts';
import { barResult, whyNotHeld } from '../../bars/harness/bar-result.ts';
import { parseBarsArguments } from '../../bars/harness/bars-arguments.ts';
import { outcomeOf, withoutGuard } from '../../bars/harness/guard-tree.ts';
import { type FileRun, type GuardRun, withGuard, withRun } from '../../bars/harness/records.ts';
import { countsText, reliabilityPage } from '../../bars/harness/reliability-page.ts';
import type { TestsRun } from '../../bars/harness/run-tests.ts';

const guard: Guard = {
  removed: 'the lock',
  replacements: [{ file: 'a.ts', from: 'lock();', to: '' }],
  test: { file: 'a.test.ts', only: 'holds' },
};
/** Of a number for which no test counts. */
const bar: Bar = {
  number: 99,
  title: 'Kill',
  fault: 'A kill.',
  holds: 'All is there | whole.',
  also: ['a.test.ts'],
  counts: ['loads', 'kills'],
  guards: [guard],
  notHere: 'a power cut.',
};
const ran: TestsRun = { exitCode: 0, passed: 2, failed: [], counts: [], seconds: 1 };
const both = [
  { what: 'kills', held: 3, of: 3 },
  { what: 'loads', held: 9, of: 9 },
];

const when = { commit: 'abc', files: '0', date: '2026-11-23', machine: 'linux x64', seconds: 65 };
const ofBar = both.map((count) => ({ bar: 99, ...count }));
const run: FileRun = { file: 'a.test.ts', extent: 'cut', failed: [], ended: true, counts: ofBar, ...when };

describe('a bar', () => {
  it('is held by all that was tried, each kind at least once', () => {
    expect(whyNotHeld(bar, [run], both)).toBe('');
    expect(whyNotHeld(bar, [run], [])).toBe('not counted: loads, kills');
    expect(whyNotHeld(bar, [run], both.slice(1))).toBe('not counted: kills');
    expect(whyNotHeld({ ...bar, counts: [] }, [run], both)).toBe('not counted: what it says');
    expect(whyNotHeld(bar, [run], [...both, { what: 'rows', held: 1, of: 2 }])).toBe('1 of 2 rows');
  });

  it('is not held by a test that failed, or that did not run to its end, or was not run', () => {
    expect(whyNotHeld(bar, [{ ...run, ended: false }], both)).toBe('a.test.ts did not run to its end');
    expect(whyNotHeld(bar, [run, { ...run, failed: ['it holds'] }], both)).toBe('failed: it holds');
    expect(barResult(bar, [])).toBeUndefined();
    expect(barResult({ ...bar, also: ['a.test.ts', 'b.test.ts'] }, [run])).toMatchObject({ held: false, why: 'not run: b.test.ts' });
  });

  it('counts what its tests counted for it, in full where they were run in full', () => {
    const full: FileRun = { ...run, extent: 'full', counts: [...ofBar, { bar: 5, what: 'bytes', held: 0, of: 1 }], seconds: 600 };
    expect(barResult(bar, [run, full])).toMatchObject({ held: true, extent: 'full', seconds: 600, counts: both });
    expect(barResult(bar, [run, full], 'cut')).toMatchObject({ held: true, extent: 'cut', seconds: 65 });
    expect(barResult(bar, [run], 'full')).toBeUndefined();
    const two = barResult({ ...bar, also: ['a.test.ts', 'b.test.ts'] }, [full, { ...run, file: 'b.test.ts', commit: 'def' }]);
    expect(two).toMatchObject({ held: true, extent: 'cut', commits: ['abc, 2026-11-23', 'def, 2026-11-23'] });
    expect(two?.counts).toEqual([
      { what: 'kills', held: 6, of: 6 },
      { what: 'loads', held: 18, of: 18 },
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

const missed: GuardRun = { bar: 99, removed: 'the lock', outcome: 'failed', test: 'it <holds>', said: 'a | b', ...when };

describe('the page', () => {
  const page = (...records: Parameters<typeof reliabilityPage>[1][]) => records.map((one) => reliabilityPage([bar], one)).join('');

  it('says what was counted, and prefers the full form', () => {
    const cut = withRun({ runs: [], guards: [] }, run);
    expect(page(cut)).toContain(
      '**1 of 1 bars held**, 0 in full and 1 in the cut alone: 12 tries, none failed. **0 of 1 were seen failing**',
    );
    expect(page(cut)).toContain('All is there \\| whole. | 3 of 3 kills, 9 of 9 loads | cut | 65 s | abc, 2026-11-23 |');
    const full = withRun(cut, { ...run, extent: 'full', failed: ['x'] });
    expect(page(full)).toContain('**0 of 1 bars held**');
    expect(page(full)).toContain('**not held**: failed: x; 3 of 3 kills');
    expect(page(full)).toContain('Not held, or not counted yet: 99.');
    expect(withRun(full, run).runs).toHaveLength(2);
  });

  it('says which guard was missed by which test, and what was not run', () => {
    const records = withGuard({ runs: [], guards: [] }, missed);
    expect(page(records)).toContain('| 99 | the lock (`a.ts`) | failed | it &lt;holds>: a \\| b | abc, 2026-11-23 |');
    expect(page(records)).toContain('**1 of 1 were seen failing**');
    expect(page(records)).toContain('- Bar 99: a power cut.');
    expect(page(withGuard(records, { ...missed, outcome: 'survived' }))).toContain('**0 of 1 were seen failing**');
  });

  it('says how long the short forms took, and where that is too long', () => {
    const { files: _, ...cut } = { ...when, held: 1 };
    expect(page({ runs: [], guards: [], cut })).toContain('held 1 of the bars and took 65 s (abc, 2026-11-23).');
    expect(page({ runs: [], guards: [], cut: { ...cut, seconds: 361 } })).toContain(
      '361 s, **more than the 6 minutes they may take** (abc',
    );
    expect(page(withRun({ runs: [], guards: [], cut }, run))).toContain('took 65 s');
  });

  it('writes large counts with commas', () => {
    expect(countsText([{ what: 'frames', held: 1_234_567, of: 1000 }])).toBe('1,234,567 of 1,000 frames');
  });
});

describe('arguments', () => {
  it('are numbers of bars and options', () => {
    expect(parseBarsArguments(['13', '--cut', '17'], [13, 17])).toMatchObject({
      only: [13, 17],
      cut: true,
      guards: false,
      noFirefox: false,
    });
    expect(parseBarsArguments(['--no-firefox', '--guards'], [1])).toMatchObject({ only: [], guards: true, noFirefox: true });
    expect(() => parseBarsArguments(['31'], [1, 2])).toThrow(/no bar 31/);
    expect(() => parseBarsArguments(['--quick'], [1])).toThrow(/--quick/);
  });
});
