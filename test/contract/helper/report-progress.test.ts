/** Firefox is told that work goes on, although that lets nothing else run in its thread. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { helperProgressSchema } from '../../../src/protocol/helper-messages.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-working-'));
  // Its output is a file, whose length tells what has been said: it works until that is three times, whenever a busy machine lets the thread begin.
  const contents = `import { fstatSync, writeSync } from 'node:fs';
    import { reportProgress } from './src/helper/host/session.ts';
    const end = reportProgress('abcdefgh', 120_000);
    const began = performance.now();
    let one = 0;
    while (one === 0 || fstatSync(1).size < 3 * one) one ||= fstatSync(1).size;
    end();
    writeSync(2, String(performance.now() - began));
    await new Promise((later) => setTimeout(later, 2500));`;
  const stdin = { contents, resolveDir: process.cwd() };
  await build({
    stdin,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: join(folder, 'working.mjs'),
    logLevel: 'warning',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('each second while it lasts, whole frames with its nonce, and not after it; the thread keeps nobody', async () => {
  const path = join(folder, 'said');
  const output = openSync(path, 'w');
  const child = spawn(process.execPath, [join(folder, 'working.mjs')], { stdio: ['ignore', output, 'pipe'] });
  closeSync(output);
  let told = '';
  child.stderr?.on('data', (data: Buffer) => {
    told += data;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  let rest = readFileSync(path);
  let said = 0;
  for (; rest.length > 0; said++) {
    const length = rest.readUInt32LE();
    const frame: unknown = JSON.parse(rest.subarray(4, 4 + length).toString('utf8'));
    expect(parse(helperProgressSchema, frame).nonce).toBe('abcdefgh');
    rest = rest.subarray(4 + length);
  }
  // Never more often, and never after the end.
  expect(said).toBeGreaterThanOrEqual(3);
  expect(said).toBeLessThanOrEqual(Number(told) / 1000);
});
