/** What the runs of a bar's files say of it. */
import type { Bar } from '../bar.ts';
import { filesOf } from '../counting-files.ts';
import type { FileRun } from './records.ts';

export interface BarResult {
  readonly held: boolean;
  /** Why it is not held; empty where it is. */
  readonly why: string;
  readonly counts: readonly Counted[];
  /** `full`: each of its files was run in full. */
  readonly extent: FileRun['extent'];
  readonly seconds: number;
  /** With its date: one, where all of its files were run with the same. */
  readonly commits: readonly string[];
}

/** Added up over tests that count the same. */
export interface Counted {
  readonly what: string;
  readonly held: number;
  readonly of: number;
}

/** `undefined`: none of its files was run. Of a file that was run in both extents the full one counts, unless `extent` asks for the other. */
export function barResult(bar: Bar, runs: readonly FileRun[], extent?: FileRun['extent']): BarResult | undefined {
  const files = filesOf(bar);
  const own = files.flatMap((file) => {
    const of = (which: FileRun['extent']) => runs.find((run) => run.file === file && run.extent === which);
    return (extent === undefined ? (of('full') ?? of('cut')) : of(extent)) ?? [];
  });
  if (own.length === 0) return undefined;
  const counts = added(own.flatMap((run) => run.counts.filter((count) => count.bar === bar.number)));
  const missing = files.filter((file) => !own.some((run) => run.file === file));
  const why = missing.length > 0 ? `not run: ${missing.join(', ')}` : whyNotHeld(bar, own, counts);
  return {
    held: why === '',
    why,
    counts,
    extent: own.every((run) => run.extent === 'full') ? 'full' : 'cut',
    seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
    commits: [...new Set(own.map(({ commit, date }) => `${commit ?? 'no clone'}, ${date}`))],
  };
}

/** Of each kind the sum, by its name. */
export function added(lines: readonly Counted[]): readonly Counted[] {
  const sums = new Map<string, Counted>();
  for (const { what, held, of } of lines) {
    const sum = sums.get(what);
    sums.set(what, { what, held: (sum?.held ?? 0) + held, of: (sum?.of ?? 0) + of });
  }
  return [...sums.values()].toSorted((a, b) => a.what.localeCompare(b.what));
}

/** Empty: it is held. */
export function whyNotHeld(bar: Bar, runs: readonly FileRun[], counts: readonly Counted[]): string {
  const [failed] = runs.flatMap((run) => run.failed);
  if (failed !== undefined) return `failed: ${failed}`;
  const broken = runs.find(({ ended }) => !ended);
  if (broken !== undefined) return `${broken.file} did not run to its end`;
  const less = counts.find(({ held, of }) => held < of);
  if (less !== undefined) return `${less.held} of ${less.of} ${less.what}`;
  const missing = bar.counts.filter((what) => !counts.some((one) => one.what === what));
  return bar.counts.length === 0 || missing.length > 0 ? `not counted: ${missing.join(', ') || 'what it says'}` : '';
}
