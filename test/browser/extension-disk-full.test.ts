/** The disk is full: recording pauses and says so, nothing is thrown at nobody, and once there is room the next load is recorded. */
import { mkdir, mkdtemp, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedUrl } from '../../src/core/measure/stored-url.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { canMount } from '../support/private-policy.ts';

/** A fresh profile takes about 30 MB. */
const DISK = '120m';
/** How often it is filled and emptied. */
const TIMES = process.env.PLUMBFOX_FULL === '1' ? 5 : 1;

const mountable = canMount();
const why = mountable ? '' : ' (skipped: a disk of its own needs root)';

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox;

/** A profile on a small disk that only this Firefox sees. */
async function onSmallDisk(): Promise<ExtensionFirefox> {
  const profile = join(directory, 'profile');
  const script = `set -e; cp "${profile}/user.js" "${directory}"; mount -t tmpfs -o size=${DISK} tmpfs "${profile}"; cp "${directory}/user.js" "${profile}"; exec "$@"`;
  return startExtensionFirefox({
    profile: directory,
    preferences: { 'browser.cache.disk.enable': false },
    command: ['unshare', '-m', 'sh', '-c', script, 'small-disk', 'firefox-esr'],
  });
}

beforeAll(async () => {
  if (!mountable) return;
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  await mkdir(join(directory, 'profile'));
  server = await startTestServer(imagePage(20));
  firefox = await onSmallDisk();
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  if (directory) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** The file as Firefox's own namespace has it. */
const filler = () => join(`/proc/${firefox.processId}/root`, firefox.profile, 'filler');

async function fillDisk(): Promise<void> {
  const file = await open(filler(), 'a');
  try {
    for (const size of [1_048_576, 4_096]) {
      while ((await file.write(Buffer.alloc(size, 1)).catch(() => ({ bytesWritten: 0 }))).bytesWritten === size);
    }
  } finally {
    await file.close();
  }
}

const recording = async () => (await firefox.ask({ kind: 'popup-state' })).recording;
const stored = async () => (await firefox.ask({ kind: 'popup-state' })).loads;

test.runIf(mountable)(`recording pauses while the disk is full and goes on within one load${why}`, async () => {
  await firefox.page.goto(`${server.origin}/page?before`, { waitUntil: 'load' });
  await expect.poll(stored).toBe(1);
  for (let time = 1; time <= TIMES; time += 1) await fillAndEmpty(time);
  const chrome = await chromeContext(firefox.browser);
  const complaints = await chrome.run<string[]>(
    `() => Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError && one.sourceName.startsWith('moz-extension:')).map(String)`,
    null,
  );
  expect(complaints.filter((text) => /uncaught|unhandled|QuotaExceeded|AbortError/i.test(text))).toEqual([]);
  countBar(8, 'full disks after which the first load was recorded', TIMES, TIMES);
});

async function fillAndEmpty(time: number): Promise<void> {
  // What is free inside the database's files is used up by some loads.
  // A smaller write may find room again, so that the first answer is the one that counts.
  let state = await recording();
  for (let at = 0; at < 30 && state.state === 'recording'; at++) {
    await fillDisk();
    await firefox.page.goto(`${server.origin}/page?full-${time}-${at}`, { waitUntil: 'load' });
    state = await recording();
  }
  expect(state).toMatchObject({ state: 'store-failed' });
  expect(state).toHaveProperty('message', expect.stringMatching(/^(?:QuotaExceededError|UnknownError|AbortError): /));
  await unlink(filler());
  await firefox.page.goto(`${server.origin}/page?room-${time}`, { waitUntil: 'load' });
  await expect.poll(recording).toEqual({ state: 'recording' });
  const urls = async () => (await firefox.ask({ kind: 'loads-after' })).map(({ url }) => url);
  await expect.poll(urls).toContain(storedUrl(`${server.origin}/page?room-${time}`));
  expect(await urls()).toContain(storedUrl(`${server.origin}/page?before`));
}
