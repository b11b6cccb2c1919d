/** One bar: its tests run, and what they counted added up. */
import type { Bar } from '../bar.ts';
import { hashForBar, type Standing } from './files-that-count.ts';
import type { BarRun } from './records.ts';
import { type CountLine, runTests, type TestsRun } from './run-tests.ts';

export function measureBar(bar: Bar, { full, standing }: { full: boolean; standing: Standing }): BarRun {
  const startedMs = performance.now();
  const ran = bar.tests.length === 0 ? undefined : runTests(bar.tests, { full });
  const counts = added((ran?.counts ?? []).filter((line) => line.bar === bar.number));
  const why = whyNotHeld(bar, ran, counts);
  return {
    bar: bar.number,
    extent: full ? 'full' : 'cut',
    held: why === '',
    why,
    counts,
    ...standing,
    files: hashForBar(bar),
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}

type Counted = BarRun['counts'][number];

/** Of each kind the sum, by its name. */
export function added(lines: readonly CountLine[]): Counted[] {
  const sums = new Map<string, Counted>();
  for (const { what, held, of } of lines) {
    const sum = sums.get(what);
    sums.set(what, { what, held: (sum?.held ?? 0) + held, of: (sum?.of ?? 0) + of });
  }
  return [...sums.values()].toSorted((a, b) => a.what.localeCompare(b.what));
}

/** Empty: it is held. A test that was passed over has counted nothing, and holds nothing. */
export function whyNotHeld(bar: Bar, ran: TestsRun | undefined, counts: readonly Counted[]): string {
  if (ran === undefined) return 'no test yet';
  const [first] = ran.failed;
  if (first !== undefined) return `failed: ${first.name}`;
  if (ran.exitCode !== 0) return 'the tests did not run to their end';
  const less = counts.find(({ held, of }) => held < of);
  if (less !== undefined) return `${less.held} of ${less.of} ${less.what}`;
  const missing = bar.counts.filter((what) => !counts.some((one) => one.what === what));
  if (bar.counts.length === 0 || missing.length > 0) return `not counted: ${missing.join(', ') || 'anything'}`;
  return '';
}
