/** What the comparison worker posts when part of the store cannot be read. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { WorkerReply } from '../../../src/protocol/field-answer.ts';
import { everydayFigures } from '../../support/everyday-figures.ts';

const figures = everydayFigures(40, 1);
const faked = vi.hoisted(() => ({ history: async (): Promise<unknown> => [] }));
vi.mock('../../../src/adapters/figures-store.ts', () => ({
  completeFigures: async () => undefined,
  readFigures: async () => ({ figures, unreadable: 0, loads: figures.length, missing: 0 }),
}));
vi.mock('../../../src/adapters/load-store.ts', () => ({
  inEffectHistory: () => faked.history(),
  newestLoads: async () => [],
  REPORTED_LOADS: 1,
}));

const posted: WorkerReply[] = [];

beforeEach(async () => {
  vi.stubGlobal('postMessage', (reply: WorkerReply) => posted.push(reply));
  await import('../../../src/views/comparison-worker.ts');
  return () => vi.unstubAllGlobals();
});

it('compares where the store of what was applied has an unreadable entry: only what changed since is not said', async () => {
  faked.history = () => Promise.reject(new Error('Invalid type'));
  const data = { kind: 'compare', names: [], newestFirst: false };
  (globalThis as unknown as { onmessage: (event: object) => void }).onmessage({ data });
  await vi.waitFor(() => expect(posted).toHaveLength(1));
  expect(posted[0]).toMatchObject({ kind: 'answer', final: true, answer: { loads: figures.length } });
  expect(posted[0]).not.toHaveProperty('answer.sinceApplied');
});
