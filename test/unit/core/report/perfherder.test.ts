import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { perfherder, perfherderLine } from '../../../../src/core/report/perfherder.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync('test/fixtures/perfherder.schema.json', 'utf8')));
const faults = (report: Report) => (validate(perfherder(report)) ? [] : validate.errors);

const report = sampleReport();
const [load] = report.loads;

/** One load for each time. */
function taking(times: readonly number[], profileId = 'firefox-default'): Report['loads'] {
  return times.flatMap((ms, block) =>
    load?.measures === undefined
      ? []
      : [
          {
            ...load,
            profileId,
            page: 'p',
            link: 'l',
            block,
            validity: { state: 'valid' },
            measures: { ...load.measures, loadTimeMs: milliseconds(ms) },
          },
        ],
  );
}

describe('perfherder', () => {
  it('keeps to the schema, with a suite for each profile of each page and link', () => {
    expect(faults(report)).toEqual([]);
    // 2 pages x 2 links x 5 profiles.
    expect(perfherder(report).suites).toHaveLength(20);
  });

  it('gives geometric means, and every load as a replicate', () => {
    const { suites } = perfherder({ ...report, loads: taking([1000, 4000]) });
    // The square root of 1000 x 4000.
    expect(suites).toMatchObject([{ name: 'p l', extraOptions: ['firefox-default'], unit: 'ms', lowerIsBetter: true }]);
    expect(suites[0]?.value).toBeCloseTo(2000, 9);
    expect(suites[0]?.subtests[0]).toMatchObject({ name: 'loadtime', replicates: [1000, 4000] });
    expect(suites[0]?.subtests.find(({ name }) => name === 'efficiency')).toMatchObject({ lowerIsBetter: false, unit: 'ratio' });
  });

  it('leaves out what does not count', () => {
    const [one, two] = taking([1000, 2000]);
    if (!one?.measures || !two) throw new Error('There are no loads');
    const cut = { ...one, measures: { ...one.measures, cutShort: 'page-left' as const } };
    const invalid = { ...two, validity: { state: 'void' as const, reason: 'washout' } };
    expect(perfherder({ ...report, loads: [cut, invalid] }).suites).toEqual([]);
  });

  it('bounds what may be long, and tells long profiles apart', () => {
    const long = (end: string) => `firefox-default+${'x'.repeat(200)}${end}`;
    const loads = [...taking([1000], long('a')), ...taking([1000], long('b'))];
    const hostile: Report = {
      ...report,
      loads,
      provenance: { ...report.provenance, os: 'x'.repeat(1_000_000), firefox: { version: 'y'.repeat(99) } },
    };
    expect(faults(hostile)).toEqual([]);
    expect(new Set(perfherder(hostile).suites.map(({ extraOptions: [option] }) => option)).size).toBe(2);
  });

  it('is one line of a log', () => {
    const [line = '', ...rest] = perfherderLine(report).split('\n');
    expect(rest).toEqual(['']);
    expect(JSON.parse(line.replace(/^PERFHERDER_DATA: /, ''))).toEqual(JSON.parse(JSON.stringify(perfherder(report))));
  });
});

it('controls no terminal, whatever a page is called', () => {
  const [first] = report.pages;
  const hostile = {
    ...report,
    pages: [...report.pages, { ...first, id: 'p' }],
    loads: taking([100, 200, 300]).map((each) => ({ ...each, page: 'p\u009b2J\u202e\u2028' })),
  };
  const line = perfherderLine(hostile as Report);
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
  expect(line).toContain(String.raw`p\u009b2J\u202e\u2028`);
});
