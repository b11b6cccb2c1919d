/** What a run writes, and what it must not touch. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openResultsFolder } from '../../../src/cli/results-folder.ts';
import type { MeasuredLoad } from '../../../src/core/report/report.ts';
import { keepAside, openResultsLog } from '../../../src/lab/run/results-log.ts';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
const former = process.cwd();
const NOW = new Date('2026-01-02T03:04:05.678Z');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-results-test-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(former);
  rmSync(folder, { recursive: true, force: true });
});

describe('the folder', () => {
  test('is named for the moment; two runs of one second have one each', async () => {
    const first = await openResultsFolder(undefined, NOW);
    const second = await openResultsFolder(undefined, NOW);
    expect(first.path).toMatch(/plumbfox-results\/2026-01-02T03-04-05$/);
    expect(second.path).toBe(`${first.path}-2`);
    await second.discardIfEmpty();
    await first.discardIfEmpty();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a run that wrote nothing takes away what it made, and no more', async () => {
    mkdirSync(at('mine'));
    await (await openResultsFolder(at('mine', 'a', 'b'), NOW)).discardIfEmpty();
    expect(readdirSync(at('mine'))).toEqual([]);
    await (await openResultsFolder(at('mine'), NOW)).discardIfEmpty();
    expect(existsSync(at('mine'))).toBe(true);
    const written = await openResultsFolder(at('new'), NOW);
    writeFileSync(at('new', 'loads.jsonl'), '{}');
    await written.discardIfEmpty();
    expect(readdirSync(at('new'))).toEqual(['loads.jsonl']);
  });

  test.each([['ünï çødé 🦊'], ['a \'b\' "c" $d `e` ;f &g'], ['new\nline'], ['-rf'], ['%s%n']])('takes any name: %j', async (name) => {
    const opened = await openResultsFolder(at(name), NOW);
    expect(readdirSync(folder)).toEqual([name]);
    await opened.discardIfEmpty();
  });
});

describe('the log', () => {
  const load = { profileId: 'c2-d1', order: 1 } as unknown as MeasuredLoad;

  test('is there from the first load on, a line each', async () => {
    const log = await openResultsLog(folder);
    expect(readdirSync(folder)).toEqual([]);
    log.append(load);
    log.append(load);
    expect(readFileSync(log.path, 'utf8')).toBe('{"profileId":"c2-d1","order":1}\n'.repeat(2));
  });

  test.skipIf(process.platform === 'win32')('is for nobody else to read: it may name servers somebody visits', async () => {
    const log = await openResultsLog(folder);
    log.append(load);
    expect(statSync(log.path).mode & 0o077).toBe(0);
  });

  test('the log of a former run is kept under another name, every time', async () => {
    for (const text of ['first', 'second', 'third']) {
      const log = await openResultsLog(folder);
      writeFileSync(log.path, text);
    }
    expect(readdirSync(folder).sort()).toEqual(['loads.jsonl', 'loads.jsonl.before-1', 'loads.jsonl.before-2']);
    expect(readFileSync(at('loads.jsonl.before-1'), 'utf8')).toBe('first');
    expect((await openResultsLog(folder)).formerKeptAs).toBe(at('loads.jsonl.before-3'));
  });

  test('a load that cannot be written is an error of the machine, in one line', async () => {
    const log = await openResultsLog(folder);
    mkdirSync(log.path);
    expect(() => log.append(load)).toThrow(
      expect.objectContaining({ kind: 'environment', message: `${log.path} cannot be written (EISDIR)` }),
    );
  });
});

test('nothing is kept aside where nothing is', async () => {
  expect(await keepAside(at('none'))).toBeUndefined();
});
