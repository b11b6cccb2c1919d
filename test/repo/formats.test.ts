/** docs/formats.md names every versioned format, at the version that the code writes, with a line for each version it has had. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesUnder, tableBelow, textOf } from './support/source-tree.ts';

const PAGE = 'docs/formats.md';

/** Where the code states the version of each format: the highest number that the pattern finds there. */
const VERSIONS: Readonly<Record<string, readonly [path: string, pattern: RegExp]>> = {
  'Report and export': ['src/core/report/report.ts', /REPORT_VERSION = (\d+)/g],
  Measures: ['src/core/report/report.ts', /METRIC_VERSION = (\d+)/g],
  'Record database': ['src/adapters/record-database.ts', /const VERSION = (\d+)/g],
  'Page load': ['src/core/measure/page-load.ts', /format: v\.literal\((\d+)\)/g],
  'Summary chunk': ['src/protocol/figure-chunk.ts', /format: v\.literal\((\d+)\)/g],
  'Trial record': ['src/protocol/trial-record.ts', /trialRecordSchema = v\.object\(\{\s*format: v\.literal\((\d+)\)/g],
  'Trial plan': ['src/core/trial/trial-plan.ts', /trialPlanSchema = v\.object\(\{\s*format: v\.literal\((\d+)\)/g],
  'Trial progress': ['src/core/trial/trial-progress.ts', /trialProgressSchema = v\.object\(\{\s*format: v\.literal\((\d+)\)/g],
  'Salvage file': ['src/controls/recording.ts', /'plumbfox-salvage', format: (\d+)/g],
  'Helper messages': ['src/protocol/helper-messages.ts', /HELPER_PROTOCOL = (\d+)/g],
  'Profile record': ['src/helper/profile/record.ts', /version: v\.literal\((\d+)\)/g],
  'Policy record': ['src/helper/policy/policies-json.ts', /format: v\.literal\((\d+)\)/g],
  'Study log': ['src/lab/study-run/study-log.ts', /STUDY_LOG_FORMAT = (\d+)/g],
  'Capture analysis': ['src/lab/capture/capture-analysis.ts', /CAPTURE_JSON_VERSION = (\d+)/g],
  'File of profiles': ['src/core/profiles/files/profiles-json.ts', /version: v\.literal\((\d+)\)/g],
  Corpus: ['test/accuracy/corpus/corpus-files.ts', /const FORMAT = (\d+)/g],
};

const rows = tableBelow(PAGE, 'Formats');
const [history = ''] = textOf(PAGE).split('## History').slice(1);

it('names each format once, and each schema where it is', () => {
  expect(rows.map(([name]) => name)).toEqual(Object.keys(VERSIONS));
  const schemas = [...rows.map(([, , schema]) => schema), ...tableBelow(PAGE, 'Without a version').map(([, schema]) => schema)];
  expect(schemas.filter((schema) => schema === undefined || !existsSync(schema))).toEqual([]);
});

describe.each(rows)('%s', (name = '', version = '') => {
  it('has the version that the code writes', () => {
    const [path, pattern] = VERSIONS[name] ?? ['', /(?!)/g];
    const found = [...textOf(path).matchAll(pattern)].map(([, number]) => Number(number));
    expect(Math.max(...found)).toBe(Number(version));
  });

  it('has a line of history for each version, unless there was only one', () => {
    const [short = ''] = name.split(' and ');
    const lines = [...history.matchAll(/^- \*\*(.+?)\*\* (\d+): \S/gm)]
      .filter(([, of]) => of === short)
      .map(([, , number]) => Number(number));
    const all = Array.from({ length: Number(version) }, (_, before) => before + 1);
    expect(lines).toEqual(all.length === 1 ? [] : all);
  });
});

it('no schema with a version is left out', () => {
  const versioned = filesUnder('src', ['.ts']).filter((path) => /(?:format|version): v\.literal\(/.test(textOf(path)));
  const named = rows.map(([, , schema]) => schema);
  expect(versioned.filter((path) => !named.includes(path))).toEqual([]);
});
