import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { labShow } from '../../../../src/cli/lab/lab.ts';
import { capturesNotes, type LabResults, labJson } from '../../../../src/cli/lab/results.ts';
import { readReport } from '../../../../src/cli/report.ts';
import { warmUp } from '../../../../src/lab/studies/warm-up.ts';
import type { StudyRecord } from '../../../../src/lab/study-run/study-log.ts';
import type { StudyPlan } from '../../../../src/lab/study-run/study-plan.ts';

const RESULTS = fileURLToPath(new URL('../../../../docs/results/', import.meta.url));
const STUDIES = readdirSync(RESULTS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const orNull = (document: object): object => Object.fromEntries(Object.entries(document).map(([key, value]) => [key, value ?? null]));

describe('what is shipped can be opened', () => {
  afterEach(() => vi.restoreAllMocks());

  test.each(STUDIES)('%s: the report in its folder, compressed, and the folder by lab show', async (study) => {
    const folder = `${RESULTS}${study}`;
    const found = await readReport(folder);
    expect(found.loads.length).toBeGreaterThan(0);
    expect(await readReport(`${folder}/report.json.gz`)).toEqual(found);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await labShow({ folder, json: false, write: false })).toBe(0);
    const said = write.mock.calls.map(([text]) => text).join('');
    expect(said).toContain(found.comparison.profiles[0]?.id ?? 'nothing was compared');
    expect(said).toContain('there is no loads.jsonl');
    await expect(labShow({ folder, json: false, write: true })).rejects.toThrow(/nothing can be rewritten/);
  });

  test('its JSON document is that of a run, with null for what needs the log', async () => {
    const folder = `${RESULTS}warm-up`;
    const report = await readReport(folder);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await labShow({ folder, json: true, write: false })).toBe(0);
    const document = JSON.parse(write.mock.calls.map(([text]) => text).join(''));
    const counts = { valid: 1, atBound: 0, settledExcluded: 0 };
    const ofARun = {
      study: warmUp,
      report,
      findings: { comparisonWithOriginal: [] },
      places: [],
      counts,
      planned: 1,
      record: {},
    } as unknown as LabResults;
    expect(Object.keys(document).sort()).toEqual(Object.keys(JSON.parse(JSON.stringify(orNull(labJson(ofARun, undefined))))).sort());
    const valid = report.loads.filter(({ validity }) => validity.state === 'valid').length;
    expect(document).toMatchObject({
      study: null,
      loads: { planned: null, valid, atBound: 0 },
      answer: null,
      findings: `${folder}/findings.md`,
    });
    expect(document.profiles).toHaveLength(report.profiles.length);
    expect(document.ranking[0]).toMatchObject({ profileId: expect.any(String), meanEfficiency: expect.any(Number) });
  });

  test('a folder without a report is refused', async () => {
    await expect(readReport(RESULTS)).rejects.toThrow(/is a folder without report\.json or report\.json\.gz/);
  });
});

describe('captures that are missing', () => {
  const cell = (index: number, block: number) => ({ profileId: `c${index}-d1`, page: 'p', link: 'l', block, order: index });
  const cells = (block: number) => Array.from({ length: 84 }, (_, index) => cell(index, block));
  const plan = { blocks: [0, 1].map((repeat) => ({ repeat, loads: cells(repeat) })) } as unknown as StudyPlan;
  const logged = (states: readonly ('valid' | 'void')[], capture?: boolean) =>
    ({
      study: capture === undefined ? undefined : { capture },
      interference: [],
      loads: states.map((state, index) => ({ load: { ...cell(index, 0), lanes: 1, validity: { state } }, session: 0, attempt: 0 })),
    }) as unknown as StudyRecord;
  const valid = (count: number) => Array<'valid'>(count).fill('valid');

  test('are said, with what became of their loads', () => {
    expect(capturesNotes(cells(0).slice(0, 77), plan, logged([...valid(79), ...Array<'void'>(5).fill('void')]))).toEqual([
      '7 of 84 captures are missing; of their loads: 5 excluded, 2 without all of their packets.',
    ]);
    // Interrupted after 40 loads.
    expect(capturesNotes(cells(0).slice(0, 40), plan, logged(valid(40)))).toEqual([
      '44 of 84 captures are missing; of their loads: 44 not made.',
    ]);
    expect(capturesNotes([], plan, logged(valid(84), true))).toEqual([
      '84 of 84 captures are missing; of their loads: 84 without all of their packets.',
    ]);
  });

  test('are none where all are there, or none was asked for', () => {
    expect(capturesNotes(cells(0), plan, logged(valid(84), true))).toEqual([]);
    expect(capturesNotes([], plan, logged(valid(84)))).toEqual([]);
    expect(capturesNotes([], plan, logged(valid(84), false))).toEqual([]);
  });
});
