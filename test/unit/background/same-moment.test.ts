/** A request that came before its document's timing is in the load, whatever else had to be asked before it could be written. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { RawRequestEvent } from '../../../src/core/measure/raw-observation.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { mainEvent, pageTiming } from '../../support/observation-builders.ts';

const browser = fakeBrowser();
const store = vi.hoisted(() => ({ events: [] as RawRequestEvent[], stored: [] as string[][] }));

vi.mock('../../../src/adapters/browser.ts', () => ({ browser }));
vi.mock('../../../src/adapters/event-store.ts', () => ({
  storeEvents: async (events: readonly RawRequestEvent[]) => void store.events.push(...events),
}));
vi.mock('../../../src/adapters/load-store.ts', () => ({
  storeLoad: async () => void store.stored.push(store.events.map(({ phase }) => phase)),
}));
vi.mock('../../../src/adapters/record-mirror.ts', () => ({ keepRecords: async () => undefined }));
vi.mock('../../../src/adapters/late-events.ts', () => ({ settleOldEvents: async () => undefined }));
vi.mock('../../../src/adapters/applied-store.ts', () => ({ inEffectHistory: async () => [] }));
vi.mock('../../../src/background/gateway-history.ts', () => ({ settleGatewayHistory: async () => undefined }));

const { recordEvent, recordTiming } = await import('../../../src/background/recorder.ts');

const timing = { ...pageTiming(), navigationType: 'navigate', resources: [] };

beforeEach(() => {
  Object.assign(store, { events: [], stored: [] });
});

test('an event that came in the same moment as the timing of its document is in the load', async () => {
  void recordEvent(mainEvent('completed', '1', 50));
  expect(await recordTiming(timing, 1)).toBe(true);
  expect(store.stored).toEqual([['completed']]);
});
