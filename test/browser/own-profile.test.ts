/**
 * `npm start -- --profile DIR`: the lab build in a Firefox with a profile of its own, which stays, and of which no other Firefox knows; and the welcome
 * tab, which opens in a Firefox that nobody drives.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileRoots } from '../../src/helper/profile/firefox-profiles.ts';
import { descendantsOf } from '../support/processes.ts';

const START = resolve('src/tools/start.mjs');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbfox-own-profile-'));
  mkdirSync(join(folder, 'home'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test.runIf(process.platform === 'linux')('the extension runs in it, and nothing of another profile is made or changed', async () => {
  const home = join(folder, 'home');
  // Firefox needs no display where it is headless; the check before it asks for one.
  const env = { ...process.env, HOME: home, INIT_CWD: folder, DISPLAY: ':none', MOZ_HEADLESS: '1' };
  const started = spawn(process.execPath, [START, '--profile', 'own'], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let told = '';
  for (const output of [started.stdout, started.stderr])
    output.on('data', (chunk: Buffer) => {
      told += chunk;
    });
  try {
    await expect.poll(() => told, { timeout: 90_000 }).toContain('as a temporary add-on');
    const port = debuggerPort(started.pid as number);
    await expect
      .poll(() => openTabs(port), { timeout: 60_000 })
      .toContainEqual(expect.stringMatching(/^moz-extension:.*\/welcome\/welcome\.html$/));
  } finally {
    const ended = once(started, 'close');
    process.kill(-(started.pid as number), 'SIGKILL');
    await ended;
  }
  const preferences = readFileSync(join(folder, 'own', 'user.js'), 'utf8');
  expect(preferences).toMatch(/"xpinstall\.signatures\.required", false/);
  expect(preferences).toMatch(/"extensions\.experiments\.enabled", true/);
  expect(existsSync(join(folder, 'own', 'compatibility.ini'))).toBe(true);
  const roots = profileRoots({ home, env: {}, platform: process.platform });
  expect(roots.filter((root) => existsSync(join(root, 'profiles.ini')))).toEqual([]);
});

test('another option is refused in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, [START, '--profil', 'own'], {
    encoding: 'utf8',
    env: { ...process.env, DISPLAY: ':none' },
  });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^Unknown option '--profil'.*npm start \[-- --profile DIR\]\n$/)]);
});

/** Of the Firefox that web-ext has started. */
function debuggerPort(starter: number): number {
  const lines = descendantsOf(starter).map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'));
  const [port] = lines.flatMap((words) => words.flatMap((word, at) => (/^--?start-debugger-server$/.test(word) ? [words[at + 1]] : [])));
  return Number(port);
}

/** Addresses as Firefox's debugger lists them. A packet is LENGTH:JSON; the first is a greeting. */
async function openTabs(port: number): Promise<readonly string[]> {
  const socket = createConnection(port, '127.0.0.1');
  const request = JSON.stringify({ to: 'root', type: 'listTabs' });
  socket.write(`${request.length}:${request}`);
  let held = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      held = Buffer.concat([held, chunk as Buffer]);
      for (let end = held.indexOf(':'); end !== -1; end = held.indexOf(':')) {
        const next = end + 1 + Number(held.subarray(0, end).toString());
        if (held.length < next) break;
        const packet = JSON.parse(held.subarray(end + 1, next).toString()) as { readonly tabs?: readonly { readonly url: string }[] };
        held = held.subarray(next);
        if (packet.tabs !== undefined) return packet.tabs.map(({ url }) => url);
      }
    }
    return [];
  } finally {
    socket.destroy();
  }
}
