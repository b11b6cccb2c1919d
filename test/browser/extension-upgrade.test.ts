/**
 * Two versions of the package one after the other in one profile, installed for good: the newer one brings the records up to date, the older
 * one then reads and writes nothing; and Firefox killed in the middle of that loses no load and doubles none.
 */
import { once } from 'node:events';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
// @ts-expect-error A build script, checked by its own comments.
import { deterministicZip } from '../../src/tools/deterministic-zip.mjs';
import { countBar } from '../support/bar-count.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { spawnFirefox } from '../support/firefox-process.ts';

/** Killed as soon as the log of the database is so long; bytes. 0: when Firefox has it open. The whole change takes 18.9 MB. */
const KILLED_AT = process.env.PLUMBFOX_FULL === '1' ? [0, 1_000_000, 2_000_000, 4_000_000, 8_000_000] : [4_000_000];
/** A kill that comes too late, the change of version being whole by then, is tried again. */
const MAX_TRIES = 10;
/** What the newer version writes into a store of its own while it brings the database up to date: more than SQLite keeps in memory. */
const ROWS = 4_000;
const ROW_BYTES = 4_000;
/** The database of today, and of the newer version. */
const [OLD, NEW] = [4, 5];
const PERMANENT = { permanent: true, preferences: { 'extensions.autoDisableScopes': 0, 'extensions.startupScanScopes': 15 } };

let directory: string;
let server: TestServer;
let firefox: ExtensionFirefox | undefined;
/** A profile in which the older version has recorded two loads, and how they are stored. */
let base = '';
let before: Stored;
const archives = { v1: '', v2: '' };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-test-'));
  server = await startTestServer(imagePage(2));
  archives.v1 = await archiveOf('1.0.0');
  archives.v2 = await archiveOf('2.0.0', upgrading);
  base = join(directory, 'base');
  await start('v1', base);
  await record(2, 'one');
  before = await stored();
  await stop();
  expect(before).toMatchObject({ version: OLD, rows: 0 });
  expect(new Set(before.loads.ids).size).toBe(2);
}, 120_000);

afterEach(async () => {
  await firefox?.stop();
  firefox = undefined;
});

afterAll(async () => {
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Today's package under another version, its scripts changed where `change` finds something to change in them. */
async function archiveOf(version: string, change: (script: string) => string = (script) => script): Promise<string> {
  const root = 'dist/extension-lab';
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    files.set(path.slice(root.length + 1), entry.name.endsWith('.js') ? Buffer.from(change(content.toString())) : content);
  }
  const manifest = JSON.parse(String(files.get('manifest.json')));
  files.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, version })));
  const archive = join(directory, `${version}.xpi`);
  await writeFile(archive, deterministicZip(files));
  return archive;
}

/** Of the script that opens the database: the number of its version, and the first step of bringing it there. */
const OPENS = /(\(\w+,)4(,\{\.\.\.\w+,upgrade\((\w+),(\w+),\w+,\w+\)\{)/g;

function upgrading(script: string): string {
  if (!script.includes('upgrade(')) return script;
  expect(script.match(OPENS)).toHaveLength(1);
  return script.replace(
    OPENS,
    (_, before: string, after: string, db: string, from: string) =>
      `${before}${NEW}${after}if(${from}>0&&${from}<${NEW}){const s=${db}.createObjectStore("later",{autoIncrement:!0});` +
      `for(let i=0;i<${ROWS};i++)s.add({at:Date.now(),bytes:crypto.getRandomValues(new Uint8Array(${ROW_BYTES}))})}`,
  );
}

async function start(version: keyof typeof archives, profile: string): Promise<ExtensionFirefox> {
  firefox = await startExtensionFirefox({ ...PERMANENT, profile, archive: archives[version] });
  await expect(firefox.popup.evaluate(() => (globalThis as never as Runtime).browser.runtime.getManifest().version)).resolves.toBe(
    version === 'v1' ? '1.0.0' : '2.0.0',
  );
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  return firefox;
}
interface Runtime {
  readonly browser: { readonly runtime: { getManifest(): { readonly version: string } } };
}

async function stop(): Promise<void> {
  await firefox?.stop();
  firefox = undefined;
}

const state = () => (firefox as ExtensionFirefox).ask({ kind: 'popup-state' });

async function record(count: number, name: string): Promise<void> {
  const there = (await state()).loads;
  for (let at = 0; at < count; at++) {
    await firefox?.page.goto(`${server.origin}/page?${name}${at}`, { waitUntil: 'load' });
    await vi.waitFor(async () => expect((await state()).loads).toBe(there + at + 1), { timeout: 20_000, interval: 50 });
  }
}

interface Stored {
  readonly version: number;
  readonly loads: { readonly ids: readonly string[]; readonly text: string };
  /** What the newer version has written while it brought the database up to date, and when; 0: nothing, never. */
  readonly rows: number;
  readonly broughtUpAt: number;
}

/** As they are stored, past the extension's own code; in the order in which they came. */
const stored = () =>
  (firefox as ExtensionFirefox).popup.evaluate(
    () =>
      new Promise<Stored>((resolve, reject) => {
        const opening = indexedDB.open('plumbfox');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const db = opening.result;
          const names = ['loads', ...(db.objectStoreNames.contains('later') ? ['later'] : [])];
          const reading = db.transaction(names);
          const loads = reading.objectStore('loads').getAll();
          const later = names.slice(1).map((name) => reading.objectStore(name));
          const [rows, first] = [later.map((store) => store.count()), later.map((store) => store.get(1))];
          reading.onabort = () => reject(reading.error);
          reading.oncomplete = () => {
            const ids = (loads.result as { readonly id: string }[]).map(({ id }) => id);
            const text = JSON.stringify(loads.result);
            const { version } = db;
            db.close();
            resolve({ version, loads: { ids, text }, rows: rows[0]?.result ?? 0, broughtUpAt: first[0]?.result?.at ?? 0 });
          };
        };
      }),
  );

/** Of the records; what storage.local has is in a folder of another name. */
const DATABASE = /\/storage\/default\/moz-extension\+{3}[\w-]+\/idb\/[^/]+\.sqlite$/;

/** Where this process has the database of the records open. */
function databaseOpenIn(processId: number): string | undefined {
  const folder = `/proc/${processId}/fd`;
  for (const file of readdirSync(folder)) {
    try {
      const path = readlinkSync(join(folder, file));
      if (DATABASE.test(path)) return path;
    } catch {
      // Closed in the meantime.
    }
  }
  return undefined;
}

test('the newer version has all loads of the older one, which then reads and writes nothing', async () => {
  const profile = await copyOfBase('versions');
  await start('v2', profile);
  expect(await state()).toMatchObject({ recording: { state: 'recording' }, loads: 2 });
  await record(1, 'two');
  const newer = await stored();
  expect(newer).toMatchObject({ version: NEW, rows: ROWS });
  expect(new Set(newer.loads.ids).size).toBe(3);
  await stop();
  await start('v1', profile);
  expect(await state()).toMatchObject({ recording: { state: 'version-too-new' }, loads: 3 });
  await firefox?.page.goto(`${server.origin}/page?three`, { waitUntil: 'load' });
  await new Promise((done) => setTimeout(done, 1_500));
  expect(await state()).toMatchObject({ recording: { state: 'version-too-new' }, loads: 3 });
  expect(await stored()).toEqual(newer);
  countBar(11, 'loads that an older package read and left as they were', newer.loads.ids.length, 3);
}, 300_000);

test(`killed ${KILLED_AT.length} times while the newer version brings the database up to date, no load is lost and none is there twice`, async () => {
  let whole = 0;
  let tries = 0;
  for (const bytes of KILLED_AT) {
    for (let isCut = false; !isCut; ) {
      expect(++tries).toBeLessThanOrEqual(MAX_TRIES);
      const profile = await copyOfBase(`killed-${tries}`);
      await copyFile(archives.v2, join(profile, 'profile', 'extensions', `${EXTENSION_ID}.xpi`));
      await killWhileUpgrading(profile, bytes);
      const killedAt = Date.now();
      await start('v2', profile);
      expect((await state()).recordLoss).toBeUndefined();
      expect(await state()).toMatchObject({ recording: { state: 'recording' }, loads: 2 });
      const after = await stored();
      expect(after).toMatchObject({ version: NEW, rows: ROWS, loads: before.loads });
      await stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      // Whoever is cut begins anew.
      isCut = after.broughtUpAt > killedAt;
    }
    whole += 1;
  }
  countBar(11, 'upgrades cut by a kill that lost no load', whole, KILLED_AT.length);
}, 600_000);

async function copyOfBase(name: string): Promise<string> {
  const profile = join(directory, name);
  await cp(base, profile, { recursive: true });
  return profile;
}

async function killWhileUpgrading(profile: string, bytes: number): Promise<void> {
  const child = await spawnFirefox({ profile: join(profile, 'profile'), home: join(profile, 'home') });
  child.stdout?.resume();
  child.stderr?.resume();
  const gone = once(child, 'exit');
  const processId = child.pid as number;
  const deadline = Date.now() + 60_000;
  for (let isUnderWay = false; !isUnderWay; ) {
    expect(Date.now()).toBeLessThan(deadline);
    await new Promise((done) => setTimeout(done, 2));
    const file = databaseOpenIn(processId);
    isUnderWay = file !== undefined && (bytes === 0 || statSync(`${file}-wal`).size >= bytes);
  }
  process.kill(-processId, 'SIGKILL');
  await gone;
}
