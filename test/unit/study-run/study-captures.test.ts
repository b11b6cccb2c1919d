/** Which captures of a folder are told of. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureFiles, readCaptures } from '../../../src/lab/study-run/study-captures.ts';
import { smallLoad } from '../capture/small-load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-captures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CELL = { page: 'wiki', link: 'far', profileId: 'c4-d6', block: 0 };

function keep(profileId: string, more: object): void {
  const files = captureFiles(folder, { ...CELL, profileId });
  writeFileSync(files.packets, smallLoad());
  files.keep({ ...CELL, profileId, token: 't', ...more });
}

test('those of the loads that count, not of one made before or since', () => {
  keep('c4-d6', { startedAt: 5 });
  keep('c1-d2', { startedAt: 6 });
  keep('older', {});
  const told = (loads: readonly (readonly [string, number])[]) =>
    readCaptures(
      folder,
      loads.map(([profileId, startedAt]) => ({ ...CELL, profileId, startedAt })),
    ).map(({ profileId }) => profileId);
  expect(
    told([
      ['c4-d6', 5],
      ['c1-d2', 7],
      ['older', 8],
    ]),
  ).toEqual(['c4-d6', 'older']);
  expect(told([])).toEqual([]);
});
