/** A store that cannot be written (disk full): the recording's state says so, nothing is thrown at nobody, and the next write that succeeds ends it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply, RequestKind } from '../../../src/protocol/messages.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { event, pageTiming } from '../../support/observation-builders.ts';

const browser = fakeBrowser();
const store = vi.hoisted(() => ({ full: false, events: 0, loads: 0, waiting: false }));

const write = vi.hoisted(() => async (stored: () => void) => {
  if (store.full) throw new DOMException('The current transaction exceeded its quota limitations.', 'QuotaExceededError');
  stored();
});

vi.mock('../../../src/adapters/browser.ts', () => ({ browser }));
vi.mock('../../../src/adapters/event-store.ts', () => ({
  storeEvents: (events: readonly unknown[]) =>
    write(() => {
      store.events += events.length;
    }),
  countNavigations: async () => ({ attempted: 0, recorded: 0, failed: 0 }),
}));
vi.mock('../../../src/adapters/load-store.ts', () => ({
  storeLoad: () =>
    write(() => {
      store.loads++;
    }),
  countLoads: async () => store.loads,
  newestLoads: async () => [],
  deleteAllRecords: async () => 0,
}));
vi.mock('../../../src/adapters/record-mirror.ts', () => ({
  keepRecords: async () => undefined,
  checkRecords: async () => undefined,
  recordLosses: async () => ({}),
  dismissLoss: async () => undefined,
  forgetMirror: async () => undefined,
}));
vi.mock('../../../src/adapters/late-events.ts', () => ({
  settleOldEvents: async () => undefined,
  settleLateEvents: async () => {
    if (store.waiting) await write(() => undefined);
  },
}));
vi.mock('../../../src/adapters/applied-store.ts', () => ({ inEffectHistory: async () => [], noteInEffect: async () => undefined }));
vi.mock('../../../src/adapters/trial-store.ts', () => ({ newestTrial: async () => undefined }));
vi.mock('../../../src/background/field-report.ts', () => ({
  browserFacts: async () => ({
    name: 'F',
    version: '1',
    buildId: 'b',
    os: 'o',
    architecture: 'a',
    experimentApi: false,
    policies: 'unknown',
  }),
}));

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

/** A new life of the event page: its modules have forgotten everything. */
async function wake() {
  vi.resetModules();
  const [{ recordEvent, recordTiming }, { answer }] = await Promise.all([
    import('../../../src/background/recorder.ts'),
    import('../../../src/background/messages.ts'),
  ]);
  const ask = (message: object) =>
    answer(message, { id: browser.runtime.id, url: browser.runtime.getURL('popup/popup.html') }) as Promise<Reply<RequestKind>>;
  const recording = async () => {
    const reply = (await ask({ kind: 'popup-state' })) as Reply<'popup-state'>;
    return reply.ok ? reply.value.recording : reply;
  };
  return { recordEvent, recordTiming, answer, recording };
}

const FULL = { state: 'store-failed', message: 'QuotaExceededError: The current transaction exceeded its quota limitations.' };

beforeEach(() => {
  Object.assign(store, { full: false, events: 0, loads: 0, waiting: false });
  browser.storage.session.held.clear();
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('while the store cannot be written', () => {
  test('events are given up, and the popup is told why; the next that is written ends it', async () => {
    const page = await wake();
    store.full = true;
    await Promise.all([page.recordEvent(event('completed', '1', 10)), page.recordEvent(event('completed', '2', 20))]);
    expect(await page.recording()).toEqual(FULL);
    store.full = false;
    await page.recordEvent(event('completed', '3', 30));
    expect(store.events).toBe(1);
    expect(await page.recording()).toEqual({ state: 'recording' });
  });

  test('a load that is not stored is answered as an error, and the next one is stored', async () => {
    const page = await wake();
    const content = { id: browser.runtime.id, url: 'http://site.test/', frameId: 0, tab: { id: 1, incognito: false } };
    const timing = { kind: 'page-timing', timing: { ...pageTiming(), navigationType: 'navigate' } };
    store.full = true;
    expect(await page.answer(timing, content)).toMatchObject({ ok: false, error: { message: FULL.message } });
    expect(await page.recording()).toEqual(FULL);
    store.full = false;
    expect(await page.answer(timing, content)).toEqual({ ok: true, value: { stored: true } });
    expect(store.loads).toBe(1);
    expect(await page.recording()).toEqual({ state: 'recording' });
  });

  test('the popup is answered although late events cannot be settled', async () => {
    const page = await wake();
    Object.assign(store, { full: true, waiting: true });
    expect(await page.recording()).toEqual(FULL);
  });

  test('it is still known after the event page has ended, and a write of its next life ends it', async () => {
    const first = await wake();
    store.full = true;
    await first.recordEvent(event('completed', '1', 10));
    const second = await wake();
    store.waiting = true;
    expect(await second.recording()).toEqual(FULL);
    store.full = false;
    await second.recordEvent(event('completed', '2', 20));
    expect(await second.recording()).toEqual({ state: 'recording' });
  });
});
