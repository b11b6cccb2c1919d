import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { otherVersions } from '../../../../src/lab/study-run/run-study.ts';
import { holdRun } from '../../../../src/lab/study-run/study-log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-hold-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is held by one run at a time, by whatever name it goes', async () => {
  const held = await holdRun(folder);
  symlinkSync(folder, join(folder, 'same'));
  const refused = expect.objectContaining({ kind: 'bad-input', message: expect.stringContaining('Another run measures into') });
  await expect(holdRun(join(folder, 'same'))).rejects.toEqual(refused);
  held.release();
  (await holdRun(folder)).release();
});

test('a run goes on with the versions it was begun with, or what differs is named', () => {
  const versions = {
    firefox: { version: '153.7', buildId: '1' },
    applier: 'experiment-api',
    congestionControl: 'cubic',
    servers: { nginx: '1.22' },
  } as const;
  expect(otherVersions(undefined, versions)).toBeUndefined();
  expect(otherVersions(versions, structuredClone(versions))).toBeUndefined();
  expect(otherVersions(versions, { ...versions, firefox: { version: '153.8', buildId: '2' } })).toBe(
    'Firefox was 153.7 (1), now it is 153.8 (2)',
  );
  expect(otherVersions(versions, { ...versions, servers: {} })).toBe('nginx was 1.22, now it is not there');
});
