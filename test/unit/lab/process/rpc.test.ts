/** Requests to a real child process that runs the real server half. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RpcClient, rpcClient } from '../../../../src/lab/process/rpc.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbfox-rpc-'));
const program = join(folder, 'server.mjs');
const SERVER = `
import { serveRpc } from ${JSON.stringify(resolve('src/lab/process/rpc.ts'))};
import { PlumbfoxError } from ${JSON.stringify(resolve('src/core/errors.ts'))};
serveRpc({
  double: n => n * 2,
  later: async n => n + 1,
  refuse: () => { throw new PlumbfoxError('bad-input', 'not that'); },
  fault: () => { throw new TypeError('a slip'); },
  never: () => new Promise(() => {}),
  die: () => { process.stderr.write('first\\nlast words\\n', () => process.exit(7)); return new Promise(() => {}); },
  garble: () => { process.stdout.write('no JSON\\n'); return new Promise(() => {}); },
}, async () => { process.stderr.write('cleaned up'); });
`;
let clients: RpcClient[] = [];

beforeAll(() => {
  writeFileSync(join(folder, 'server.ts'), SERVER);
  buildSync({
    entryPoints: [join(folder, 'server.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    nodePaths: [resolve('node_modules')],
  });
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.stop()));
  clients = [];
  rmSync(folder, { recursive: true, force: true });
});

function start() {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  const client = rpcClient(child, 'trial');
  clients.push(client);
  return { child, client };
}

test('values come back to whoever asked, also out of order', async () => {
  const { client } = start();
  expect(await Promise.all([client.call('later', 1), client.call('double', 4)])).toEqual([2, 8]);
});

test('an answer that was asked for by its schema is parsed', async () => {
  const { client } = start();
  expect(await client.ask('double', 4, { answer: v.number() })).toBe(8);
  await expect(client.ask('double', 4, { answer: v.object({ pid: v.number() }) })).rejects.toMatchObject({
    kind: 'internal',
    message: 'The trial process answered double with what was not agreed, at the whole',
  });
  await expect(client.ask('refuse', {}, { answer: v.number() })).rejects.toMatchObject({ kind: 'bad-input' });
});

test('an error keeps its kind; a slip is internal; so is a method that is not there', async () => {
  const { client } = start();
  await expect(client.call('refuse')).rejects.toMatchObject({ kind: 'bad-input', message: 'not that' });
  await expect(client.call('fault')).rejects.toMatchObject({ kind: 'internal', message: 'a slip' });
  await expect(client.call('nothing')).rejects.toMatchObject({ kind: 'internal', message: 'No method nothing' });
  expect(await client.call('double', 1)).toBe(2);
});

test('no answer in time makes the run void, and the process can still be asked', async () => {
  const { client } = start();
  await expect(client.call('never', {}, { timeoutMs: 300 })).rejects.toMatchObject({
    kind: 'run-void',
    message: 'The trial process did not answer within 0.3 s (never)',
  });
  expect(await client.call('double', 1)).toBe(2);
});

test('its death is told with its last words, to those who wait and those who come later', async () => {
  const { client } = start();
  await expect(client.call('die')).rejects.toMatchObject({
    kind: 'environment',
    message: 'The trial process ended (exit code 7): last words',
  });
  expect(await client.exited).toBe('exit code 7');
  await expect(client.call('double', 1)).rejects.toMatchObject({
    kind: 'environment',
    message: 'The trial process is not running: last words',
  });
});

test('a line that is no answer is a fault of ours, not an exception out of nowhere', async () => {
  const { client } = start();
  await expect(client.call('garble')).rejects.toMatchObject({
    kind: 'internal',
    message: 'The trial process wrote a line that is no answer: no JSON',
  });
});

test.each(['no JSON', '{"id":1}'])('a line that is no request ends the server in good order: %s', async (line) => {
  const { child, client } = start();
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  child.stdin.write(`${line}\n`);
  expect(await client.exited).toBe('exit code 0');
  expect(told).toContain('cleaned up');
});

test('a program that is not there is told as such', async () => {
  const client = rpcClient(spawn('/nowhere/program', [], { stdio: 'pipe' }), 'trial');
  await expect(client.call('double', 1)).rejects.toMatchObject({ kind: 'environment', message: expect.stringContaining('ENOENT') });
});

test('it ends when its stdin closes, after cleaning up; Ctrl-C is for the command', async () => {
  const { child, client } = start();
  await client.call('double', 1);
  child.kill('SIGINT');
  expect(await client.call('double', 2)).toBe(4);
  await client.stop();
  expect(await client.exited).toBe('exit code 0');
});
