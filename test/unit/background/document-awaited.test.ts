/** A document's timing may overtake the request for the document: its load waits for that, and not for ever. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { RawRequestEvent } from '../../../src/core/measure/raw-observation.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { mainEvent, pageTiming } from '../../support/observation-builders.ts';

const browser = fakeBrowser();
const store = vi.hoisted(() => ({ events: [] as RawRequestEvent[], stored: [] as string[][], isAsked: () => {} }));

vi.mock('../../../src/adapters/browser.ts', () => ({ browser }));
vi.mock('../../../src/adapters/event-store.ts', () => ({
  storeEvents: async (events: readonly RawRequestEvent[]) => void store.events.push(...events),
}));
vi.mock('../../../src/adapters/load-store.ts', () => ({
  storeLoad: async (_: unknown, __: unknown, { onlyWithDocument = false } = {}) => {
    store.isAsked();
    if (onlyWithDocument && !store.events.some(({ phase }) => phase === 'completed')) return false;
    store.stored.push(store.events.map(({ phase }) => phase));
    return true;
  },
}));
vi.mock('../../../src/adapters/record-mirror.ts', () => ({ keepRecords: async () => undefined }));
vi.mock('../../../src/adapters/late-events.ts', () => ({ settleOldEvents: async () => undefined }));
vi.mock('../../../src/adapters/applied-store.ts', () => ({ inEffectHistory: async () => [] }));
vi.mock('../../../src/background/gateway-notes.ts', () => ({ settleGatewayHistory: async () => undefined }));

const { recordEvent, recordTiming } = await import('../../../src/background/recorder.ts');

const timing = { ...pageTiming(), navigationType: 'navigate', resources: [] };

beforeEach(() => {
  Object.assign(store, { events: [], stored: [] });
});

test('a load is stored with the request for its document, although that comes later than its timing', async () => {
  const asked = new Promise<void>((done) => {
    store.isAsked = done;
  });
  const recorded = recordTiming(timing, 1);
  await asked;
  await Promise.all([recordEvent(mainEvent('started', '1', 2)), recordEvent(mainEvent('completed', '1', 50))]);
  expect(await recorded).toBe(true);
  expect(store.stored).toEqual([['started', 'completed']]);
});

test('one that came in the same moment is in the load at once', async () => {
  store.isAsked = () => {};
  void recordEvent(mainEvent('completed', '1', 50));
  expect(await recordTiming(timing, 1)).toBe(true);
  expect(store.stored).toEqual([['completed']]);
});

test('a load whose request for the document never comes is stored all the same, once', async () => {
  store.isAsked = () => {};
  expect(await recordTiming(timing, 1)).toBe(true);
  expect(store.stored).toEqual([[]]);
});
