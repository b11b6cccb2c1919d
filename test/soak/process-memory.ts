/** What the extension's process, its event page and its database hold in a running Firefox. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { POPUP_URL } from '../support/extension-firefox.ts';

export interface ProcessMemory {
  /** Private memory in use: without what the allocator has handed back, and the kernel has not taken yet as nobody was short of memory. */
  readonly heldBytes: number;
  /** As Firefox itself counts (`requestProcInfo`): with it. */
  readonly residentBytes: number;
  /** Sum of `explicit` in about:memory: what Firefox can name. */
  readonly explicitBytes: number;
  readonly ghosts: number;
  /** Files of the extension's IndexedDB. */
  readonly databaseBytes: number;
}

/** Three times, because what a first collection frees may let go of more. Reports come from each process after it has minimised, however busy the machine is. */
const MINIMISED = `async () => {
  const manager = Cc['@mozilla.org/memory-reporter-manager;1'].getService(Ci.nsIMemoryReporterManager);
  let ghosts = 0;
  let explicit = {};
  for (let time = 0; time < 3; time += 1) {
    await new Promise(done => manager.minimizeMemoryUsage(done));
    await new Promise(done => ChromeUtils.idleDispatch(done, { timeout: 2000 }));
    ghosts = 0;
    explicit = {};
    await new Promise(done => manager.getReports((process, path, kind, units, amount) => {
      const pid = /\\(pid (\\d+)\\)/.exec(process)?.[1];
      if (path === 'ghost-windows') ghosts += amount;
      if (pid !== undefined && path.startsWith('explicit/')) explicit[pid] = (explicit[pid] ?? 0) + amount;
    }, null, done, null, false));
  }
  const { children } = await ChromeUtils.requestProcInfo();
  const [{ pid, memory }] = children.filter(({ type }) => type === 'extension');
  return { pid, residentBytes: memory, explicitBytes: explicit[pid] ?? 0, ghosts };
}`;

/** Asked in the extension's process, where Firefox keeps its side of each page of an extension. */
const KEPT = `id => new Promise(done => {
  const name = 'plumbfox-soak-kept';
  const listener = { receiveMessage({ data }) { Services.ppmm.removeMessageListener(name, listener); done(data); } };
  Services.ppmm.addMessageListener(name, listener);
  const count = (id, name) => {
    if (Services.appinfo.remoteType !== 'extension') return;
    const { ExtensionPageChild } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPageChild.sys.mjs');
    const page = [...ExtensionPageChild.extensionContexts.values()].find(one => one.extension.id === id && one.viewType === 'background');
    Services.cpmm.sendAsyncMessage(name, page === undefined ? null : page.onClose.size);
  };
  Services.ppmm.loadProcessScript('data:,' + encodeURIComponent('(' + count + ')(' + JSON.stringify(id) + ',' + JSON.stringify(name) + ')'), false);
})`;

/** After all memory was minimised that can be. */
export async function processMemory(chrome: ChromeContext, profile: string): Promise<ProcessMemory> {
  const { pid, ...seen } = await chrome.run<Omit<ProcessMemory, 'heldBytes'> & { readonly pid: number }>(MINIMISED, null);
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const bytesOf = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(rollup)?.[1]) * 1024;
  return { ...seen, heldBytes: bytesOf('Anonymous') - bytesOf('LazyFree'), databaseBytes: await databaseBytes(profile) };
}

/** What the extension has asked may be under way still: for so long it is looked at again. */
const SETTLED_WITHIN_MS = 30_000;

/**
 * What Firefox would have to close if the event page ended: listeners, ports, conduits. Where the event page ends meanwhile, as an idle one
 * does after 30 s, what it held last. `undefined`: there is no event page.
 * @param before - Waits until it is no more than this.
 */
export async function keptByEventPage(chrome: ChromeContext, before = Number.POSITIVE_INFINITY): Promise<number | undefined> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  let last: number | undefined;
  for (;;) {
    const count = await chrome.run<number | null>(KEPT, EXTENSION_ID);
    if (count === null) return last;
    if (count <= before || Date.now() > until) return count;
    last = count;
    await new Promise((done) => setTimeout(done, 250));
  }
}

async function databaseBytes(profile: string): Promise<number> {
  const folder = join(profile, 'storage/default');
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    file.startsWith(`moz-extension+++${URL.parse(POPUP_URL)?.host}`),
  );
  // A journal of the database's may be gone by now.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(folder, file)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
