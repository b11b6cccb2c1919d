/** What the history worker says when older loads cannot be read, and what it keeps while it reads again. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { LoadSummary } from '../../../src/core/field/load-summary.ts';
import { milliseconds } from '../../../src/core/units.ts';
import type { HistoryReply } from '../../../src/protocol/history-messages.ts';
import { everydayFigures } from '../../support/everyday-figures.ts';

const loads = (from: number): LoadSummary[] =>
  [3, 4, 5].slice(from).map((at) => ({
    ...{ startedAt: at, page: at, site: 1, standing: 'whole', profileId: 'firefox-default', carrier: 'none' },
    loadTimeMs: milliseconds(1_000),
  }));
const newest = { figures: loads(1), keys: [4, 5], total: 3, missing: 1 };
const all = { figures: loads(0), keys: [3, 4, 5], total: 3, missing: 0 };

const faked = vi.hoisted(() => ({ read: [] as (() => unknown)[], computed: 0 }));
vi.mock('../../../src/adapters/figures-store.ts', () => ({
  completeFigures: async (onChunk: (worked: number) => boolean) => {
    if (faked.computed > 0) onChunk(faked.computed);
  },
}));
vi.mock('../../../src/adapters/history-store.ts', () => ({
  oldestWholeLoad: async () => undefined,
  readAddresses: async () => [],
  readKeyedFigures: async () => faked.read.shift()?.(),
  readVersions: async () => [],
}));

const said: HistoryReply[] = [];
let number = 0;
function find({ isNew = false, ...filters }: { isNew?: boolean; network?: number | 'unknown'; most?: number } = {}): void {
  number += 1;
  const query = { search: '', sort: 'startedAt', ascending: false, from: 0, most: 25, ...filters };
  (globalThis as unknown as { onmessage: (event: object) => void }).onmessage({
    data: { kind: 'find', number, names: [], isNew, query },
  });
}
/** The kinds of the replies; of found loads, how many there are. */
const kinds = () => said.map((reply) => (reply.kind === 'find' ? reply.answer.found : reply.kind));
const answers = () => said.flatMap((reply) => (reply.kind === 'find' ? reply.answer : []));

beforeEach(async () => {
  vi.resetModules();
  said.length = 0;
  faked.computed = 0;
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

it('keeps the networks of loads while they are inferred anew, also where the oldest were deleted and one that began earlier came', async () => {
  const figures = everydayFigures(160, 1);
  const stored = { figures, keys: figures.map((_, at) => at), total: figures.length, missing: 0 };
  faked.read = [() => stored, () => stored];
  find();
  await vi.waitFor(() => expect(kinds()).toEqual([160, 'more', 'more']));
  find();
  await vi.waitFor(() => expect(answers()).toHaveLength(2));
  const [chosen] =
    answers()
      .at(-1)
      ?.choices.networks.filter(({ link }) => link !== undefined) ?? [];
  expect(chosen?.loads).toBeGreaterThan(0);
  const network = chosen?.value ?? 'unknown';
  find({ network, most: 500 });
  await vi.waitFor(() => expect(answers()).toHaveLength(3));
  const before =
    answers()
      .at(-1)
      ?.rows.map(({ key }) => key) ?? [];
  expect(before).toHaveLength(chosen?.loads ?? 0);

  // The two oldest are deleted; of two tabs, the load that began first is stored last.
  const late = { ...figures.at(-1), startedAt: (figures.at(-1)?.startedAt ?? 0) - 1 } as LoadSummary;
  faked.read = [() => ({ ...stored, figures: [...figures.slice(2), late], keys: [...stored.keys.slice(2), 160], total: 159 })];
  find({ isNew: true, network, most: 500 });
  await vi.waitFor(() => expect(answers()).toHaveLength(4));
  expect(answers().at(-1)?.pending).toBe(true);
  expect(
    answers()
      .at(-1)
      ?.choices.networks.find(({ value }) => value === network)?.link,
  ).toEqual(chosen?.link);
  expect(
    answers()
      .at(-1)
      ?.rows.map(({ key }) => key),
  ).toEqual(before.filter((key) => key >= 2));
  await vi.waitFor(() => expect(kinds().at(-1)).toBe('more'));
});

it('reads once more where figures were computed, and not for ever where the counts differ', async () => {
  const differing = { ...all, total: 4, missing: 1 };
  faked.computed = 1;
  faked.read = [() => differing, () => differing, () => differing, () => differing];
  find();
  await vi.waitFor(() => expect(kinds()).toEqual([3, 'more', 'more']));
  faked.computed = 0;
  // As the page does: it asks again whenever there is more.
  find();
  await vi.waitFor(() => expect(kinds()).toEqual([3, 'more', 'more', 3, 'more', 'more']));
  find();
  await vi.waitFor(() => expect(kinds()).toHaveLength(7));
  expect(answers().at(-1)?.pending).toBe(false);
  // Nothing was read for the last answer.
  expect(faked.read).toHaveLength(1);
});
