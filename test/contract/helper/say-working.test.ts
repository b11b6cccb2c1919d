/** Firefox is told that work goes on, although that lets nothing else run in its thread. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { helperProgressSchema } from '../../../src/protocol/helper-messages.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-working-'));
  const contents = `import { sayWorking } from './src/helper/say-working.ts';
    const busy = (ms) => { for (const until = Date.now() + ms; Date.now() < until; ); };
    const end = sayWorking('abcdefgh');
    busy(4500);
    end();
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
  const child = spawn(process.execPath, [join(folder, 'working.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => chunks.push(data));
  expect(await once(child, 'close')).toEqual([0, null]);
  let rest = Buffer.concat(chunks);
  let said = 0;
  for (; rest.length > 0; said++) {
    const length = rest.readUInt32LE();
    const frame: unknown = JSON.parse(rest.subarray(4, 4 + length).toString('utf8'));
    expect(parse(helperProgressSchema, frame).nonce).toBe('abcdefgh');
    rest = rest.subarray(4 + length);
  }
  // A busy machine may begin the thread late; nothing is said after the end.
  expect(said).toBeGreaterThan(0);
  expect(said).toBeLessThanOrEqual(4);
});
