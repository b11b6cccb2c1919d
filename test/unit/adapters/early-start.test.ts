/** What a page began before its scripts were read is taken once, and only while it holds. */
import { afterEach, expect, test, vi } from 'vitest';
import { type EarlyStart, takeEarlyReply, takeEarlyWorker } from '../../../src/adapters/early-start.ts';
import { sendRequest } from '../../../src/adapters/messaging.ts';
import { useBrowser } from '../../support/browser-global.ts';

const PATH = 'history-worker.js';
const began = (changes: Partial<EarlyStart> = {}): EarlyStart => ({
  path: PATH,
  worker: { started: 'early' } as unknown as Worker,
  kind: 'dashboard-state',
  reply: Promise.resolve({ ok: true, value: 'early' }),
  hasFailed: false,
  isOutdated: false,
  ...changes,
});

afterEach(() => {
  globalThis.earlyStart = undefined;
});

test('the worker is given to the first who asks for it by its path', () => {
  const early = began();
  globalThis.earlyStart = { ...early };
  expect(takeEarlyWorker('data-worker.js')).toBeUndefined();
  expect(takeEarlyWorker(PATH)).toBe(early.worker);
  expect(takeEarlyWorker(PATH)).toBeUndefined();
});

test('a worker that has failed is not given: the next one says why', () => {
  globalThis.earlyStart = began({ hasFailed: true });
  expect(takeEarlyWorker(PATH)).toBeUndefined();
});

test('a page without an early start begins everything itself', () => {
  expect(takeEarlyWorker(PATH)).toBeUndefined();
  expect(takeEarlyReply('dashboard-state')).toBeUndefined();
});

test('the reply to the first question of its kind is the early one', async () => {
  const sendMessage = vi.fn(async () => ({ ok: true, value: 'asked' }));
  useBrowser({ runtime: { sendMessage } });
  globalThis.earlyStart = began();
  const said = [await sendRequest({ kind: 'popup-state' }), await sendRequest({ kind: 'dashboard-state' })];
  expect([...said, await sendRequest({ kind: 'dashboard-state' })]).toEqual(['asked', 'early', 'asked']);
  expect(sendMessage).toHaveBeenCalledTimes(2);
});

test('the reply is asked for again once something was stored', async () => {
  useBrowser({ runtime: { sendMessage: async () => ({ ok: true, value: 'asked' }) } });
  globalThis.earlyStart = began({ isOutdated: true });
  expect(await sendRequest({ kind: 'dashboard-state' })).toBe('asked');
});

test('an early question that failed fails as any other', async () => {
  const reply = Promise.reject(new Error('Could not establish connection. Receiving end does not exist.'));
  reply.catch(() => undefined);
  globalThis.earlyStart = began({ reply });
  await expect(sendRequest({ kind: 'dashboard-state' })).rejects.toThrow('Firefox stopped Plumbfox');
});
