/** What the history worker says when older loads cannot be read. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { LoadSummary } from '../../../src/core/field/load-summary.ts';
import { milliseconds } from '../../../src/core/units.ts';
import type { HistoryReply } from '../../../src/protocol/history-messages.ts';

const loads = (from: number): LoadSummary[] =>
  [3, 4, 5].slice(from).map((at) => ({
    ...{ startedAt: at, page: at, site: 1, standing: 'whole', profileId: 'firefox-default', carrier: 'none' },
    loadTimeMs: milliseconds(1_000),
  }));
const newest = { figures: loads(1), keys: [4, 5], total: 3, missing: 1 };
const all = { figures: loads(0), keys: [3, 4, 5], total: 3, missing: 0 };

const faked = vi.hoisted(() => ({ read: [] as (() => unknown)[] }));
vi.mock('../../../src/adapters/figures-store.ts', () => ({ completeFigures: async () => undefined }));
vi.mock('../../../src/adapters/history-store.ts', () => ({
  oldestWholeLoad: async () => undefined,
  readAddresses: async () => [],
  readKeyedFigures: async () => faked.read.shift()?.(),
  readVersions: async () => [],
}));

const said: HistoryReply[] = [];
let number = 0;
function find(): void {
  number += 1;
  const query = { search: '', sort: 'startedAt', ascending: false, from: 0, most: 25 };
  (globalThis as unknown as { onmessage: (event: object) => void }).onmessage({
    data: { kind: 'find', number, names: [], isNew: false, query },
  });
}
/** The kinds of the replies; of found loads, how many there are. */
const kinds = () => said.map((reply) => (reply.kind === 'find' ? reply.answer.found : reply.kind));

beforeEach(async () => {
  vi.stubGlobal('postMessage', (reply: HistoryReply) => said.push(reply));
  await import('../../../src/dashboard/history-worker.ts');
  return () => vi.unstubAllGlobals();
});

it('says that it failed, and reads again with the next request', async () => {
  faked.read = [() => newest, () => Promise.reject(new Error('no disk')), () => all];
  find();
  await vi.waitFor(() => expect(kinds()).toEqual([2, 'failed']));
  expect(said.at(-1)).toEqual({ kind: 'failed', message: 'no disk' });
  find();
  // What is known is answered at once; the loads, then their networks follow.
  await vi.waitFor(() => expect(kinds()).toEqual([2, 'failed', 2, 'more', 'more']));
  find();
  await vi.waitFor(() => expect(kinds().at(-1)).toBe(3));
  expect(faked.read).toEqual([]);
});
