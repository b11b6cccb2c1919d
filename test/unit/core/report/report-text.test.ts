import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { MAX_INPUT_BYTES } from '../../../../src/cli/files.ts';
import { parseTuneArguments } from '../../../../src/cli/tune/arguments.ts';
import { reportText } from '../../../../src/core/report/report.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';

const { profiles, pages, links } = parseTuneArguments([]);
const LOADS_PER_BLOCK = profiles.length * pages.length * links.length;

const published = (study: string) => {
  const path = new URL(`../../../../docs/results/${study}/report.json.gz`, import.meta.url);
  return parseReport(JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')));
};
const report = published('fennec-2008');

it('holds the same report, one load a line', () => {
  const text = reportText(report);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(report)));
  expect(text.split('\n').filter((line) => line.startsWith('    {"'))).toHaveLength(report.loads.length);
});

it('is JSON without loads, and with a note that looks like them', () => {
  const note = '\n  "loads": []';
  const odd = { ...report, loads: [], provenance: { ...report.provenance, notes: [note, '$&'] } };
  for (const one of [odd, { ...odd, loads: report.loads.slice(0, 2) }])
    expect(JSON.parse(reportText(one))).toEqual(JSON.parse(JSON.stringify(one)));
});

/** Of a published run, as often as it takes. */
const megabytesOf = (study: string, loads: number) => {
  const one = published(study);
  const many = { ...one, loads: Array.from({ length: loads }, (_, at) => one.loads[at % one.loads.length] ?? expect.fail()) };
  const [now, indented] = [reportText(many).length, JSON.stringify(many, null, 2).length];
  return [now, indented] as const;
};

it.each([
  ['the largest study with fifteen repeats', 'fennec-2008', 15 * 1120],
  ['tune with a thousand blocks of its own profiles, pages and links', 'modern-defaults', 1000 * LOADS_PER_BLOCK],
])('of %s can be read again', (_, study, loads) => {
  const [now, indented] = megabytesOf(study, loads);
  expect(now).toBeLessThan(MAX_INPUT_BYTES);
  expect(now).toBeLessThan(0.65 * indented);
});
