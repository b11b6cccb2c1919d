/** A store that cannot be written (disk full): the recording's state says so, nothing is thrown at nobody, and the next write that succeeds ends it. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reply, RequestKind } from '../../../src/protocol/messages.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { event, pageTiming } from '../../support/observation-builders.ts';

const browser = useBrowser(fakeBrowser());
const store = { full: false, events: 0, loads: 0, waiting: false };

const write = async (stored: () => void) => {
  if (store.full) throw new DOMException('The current transaction exceeded its quota limitations.', 'QuotaExceededError');
  stored();
};
const stores = fakeStores({
  storeEvents: (events) =>
    write(() => {
      store.events += events.length;
    }),
  storeLoad: () =>
    write(() => {
      store.loads++;
    }),
  countLoads: async () => store.loads,
  settleLateEvents: async () => {
    if (store.waiting) await write(() => undefined);
    return true;
  },
  noteInEffect: async () => undefined,
});

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

/** A new life of the event page: its modules have forgotten everything. */
async function wake() {
  const {
    recorder: { recordEvent, recordTiming },
    messages: { answer },
  } = await wakeBackground({ stores });
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
