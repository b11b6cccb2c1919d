import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { keptResults } from './kept-results.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-kept-'));
const worker = join(folder, 'worker.mjs');
const kept = (fresh = false) => keptResults(pathToFileURL(worker), { fresh });
const RESULT = { line: 'one', seed: 5, from: 0, to: 2, outcomes: [true, { p: 0.5 }] };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('goes on with what was kept by the same code, and by no other', () => {
  writeFileSync(worker, 'first');
  kept().add(RESULT);
  // Ended while it wrote.
  for (const file of readdirSync(folder)) if (file.startsWith('results-')) appendFileSync(join(folder, file), '{"line":"one","se');
  expect(kept().find(RESULT)).toEqual(RESULT);
  expect(kept().find({ ...RESULT, seed: 6 })).toBeUndefined();
  expect(kept().find({ ...RESULT, to: 3 })).toBeUndefined();
  expect(kept(true).find(RESULT)).toBeUndefined();
  kept().add(RESULT);
  writeFileSync(worker, 'second');
  expect(kept().find(RESULT)).toBeUndefined();
});
