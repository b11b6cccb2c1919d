/** What was found out about the bars: docs/reliability.json, from which the page beside it is made. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const count = v.object({
  /** 1 to 30. */
  bar: v.pipe(v.number(), v.integer()),
  /** In the plural: "loads". */
  what: v.string(),
  held: v.pipe(v.number(), v.integer(), v.minValue(0)),
  of: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

const when = {
  /** Abbreviated; with `+` where files of the code differed from it. */
  commit: v.optional(v.string()),
  /** Of what it depends on: code, the tests, locked packages. Another hash, and it is run again. */
  files: v.string(),
  /** YYYY-MM-DD, in UTC. */
  date: v.pipe(v.string(), v.isoDate()),
  /** "linux x64, 2 processors, Node 20.20.2". */
  machine: v.string(),
  seconds: v.pipe(v.number(), v.minValue(0)),
};

const runSchema = v.object({
  /** Of tests, from the root of the repository. */
  file: v.string(),
  extent: v.picklist(['cut', 'full']),
  /** Names of the tests that failed. */
  failed: v.array(v.string()),
  /** Whether the file ran to its end, with a test that passed. */
  ended: v.boolean(),
  counts: v.array(count),
  ...when,
});
/** A file of tests, run. It may count for several bars. */
export type FileRun = v.InferOutput<typeof runSchema>;

const guardSchema = v.object({
  bar: v.pipe(v.number(), v.integer()),
  removed: v.string(),
  /** `broken`: nothing was shown, for it did not build, or the test did not run. */
  outcome: v.picklist(['failed', 'survived', 'broken']),
  /** Of the test that failed. */
  test: v.string(),
  /** First line of why. */
  said: v.string(),
  ...when,
});
/** A guard, taken away. */
export type GuardRun = v.InferOutput<typeof guardSchema>;

const { files: _, ...whenAll } = when;
/** The short forms of all bars, run in one go as in `npm test`; how long that took. */
const cutSchema = v.object({ ...whenAll, held: v.pipe(v.number(), v.integer()) });
export type CutRun = v.InferOutput<typeof cutSchema>;

const recordsSchema = v.object({ runs: v.array(runSchema), guards: v.array(guardSchema), cut: v.optional(cutSchema) });
export type Records = v.InferOutput<typeof recordsSchema>;

export const RECORDS_FILE = 'docs/reliability.json';
/** Made from the records alone. */
export const PAGE_FILE = 'docs/reliability.md';

export function readRecords(): Records {
  if (!existsSync(RECORDS_FILE)) return { runs: [], guards: [] };
  return v.parse(recordsSchema, JSON.parse(readFileSync(RECORDS_FILE, 'utf8')));
}

/** The one before of the same file and extent goes. */
export const withRun = ({ runs, ...others }: Records, run: FileRun): Records => ({
  ...others,
  runs: [...runs.filter(({ file, extent }) => file !== run.file || extent !== run.extent), run].toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.extent.localeCompare(b.extent),
  ),
});

/** The one before of the same guard goes. */
export const withGuard = ({ guards, ...others }: Records, guard: GuardRun): Records => ({
  ...others,
  guards: [...guards.filter(({ bar, removed }) => bar !== guard.bar || removed !== guard.removed), guard].toSorted(
    (a, b) => a.bar - b.bar || a.removed.localeCompare(b.removed),
  ),
});
