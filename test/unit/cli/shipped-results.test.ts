import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { capturesNotes } from '../../../src/cli/lab-results.ts';
import { labShow } from '../../../src/cli/lab-show.ts';
import { readReport } from '../../../src/cli/report-command.ts';

const RESULTS = fileURLToPath(new URL('../../../docs/results/', import.meta.url));
const STUDIES = readdirSync(RESULTS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

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
    await expect(labShow({ folder, json: false, write: true })).rejects.toThrow(/nothing can be written anew/);
  });

  test('a folder without a report is refused', async () => {
    await expect(readReport(RESULTS)).rejects.toThrow(/is a folder without report\.json or report\.json\.gz/);
  });
});

test('captures that are missing are said, where captures were asked for', () => {
  const load = { profileId: 'a', page: 'p', link: 'l', block: 0, order: 0 };
  const block = (repeat: number) => ({ repeat, loads: Array.from({ length: 42 }, () => load) }) as never;
  const plan = { blocks: [block(0), block(0), block(1)] };
  expect(capturesNotes(Array(77), plan)).toEqual(['7 of 84 captures are missing: their loads were void, or packets were not recorded.']);
  expect(capturesNotes(Array(84), plan)).toEqual([]);
  expect(capturesNotes([], plan)).toEqual([]);
});
