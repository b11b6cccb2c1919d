/** A request that came before its document's timing is in the load, whatever else had to be asked before it could be written. */

import { beforeEach, expect, test } from 'vitest';
import { createNeverRecorded } from '../../../src/background/never-recorded.ts';
import { createRecorder } from '../../../src/background/recorder.ts';
import type { RawRequestEvent } from '../../../src/core/measure/page-load.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/protocol/settings.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { event, mainEvent, pageTiming } from '../../support/observation-builders.ts';

useBrowser(fakeBrowser());
let settings: Settings | undefined;
const store = { events: [] as RawRequestEvent[], stored: [] as string[][] };
const { recordEvent, recordTiming } = createRecorder({
  stores: fakeStores({
    storeEvents: async (events) => void store.events.push(...events),
    storeLoad: async () => void store.stored.push(store.events.map(({ phase }) => phase)),
  }),
  gatewayHistory: { settleGatewayHistory: async () => undefined },
  neverRecorded: createNeverRecorded({ stores: { keptSettings: async () => settings } }),
});

const timing = { ...pageTiming(), navigationType: 'navigate', resources: [] };

beforeEach(() => {
  settings = DEFAULT_SETTINGS;
  Object.assign(store, { events: [], stored: [] });
});

test('an event that came in the same moment as the timing of its document is in the load', async () => {
  void recordEvent(mainEvent('completed', '1', 50));
  expect(await recordTiming(timing, 1)).toBe(true);
  expect(store.stored).toEqual([['completed']]);
});

test('a page of a site that is never recorded leaves nothing, from the moment the person says so', async () => {
  settings = { ...DEFAULT_SETTINGS, neverRecorded: ['site.test'] };
  void recordEvent(mainEvent('started', '1', 50));
  expect(await recordTiming(timing, 1)).toBe(false);
  expect(store).toEqual({ events: [], stored: [] });
  settings = DEFAULT_SETTINGS;
  void recordEvent(mainEvent('started', '2', 60));
  expect(await recordTiming(timing, 1)).toBe(true);
});

test.each([
  ['the list of such sites was lost', undefined],
  ['it was lost, and the person has not said that it is complete again', { ...DEFAULT_SETTINGS, isListLost: true }],
])('no page leaves anything where %s', async (_, lost) => {
  settings = lost;
  void recordEvent(mainEvent('started', '1', 50));
  void recordEvent(event('completed', 'of a page that was open', 55));
  expect(await recordTiming(timing, 1)).toBe(false);
  expect(store).toEqual({ events: [], stored: [] });
});
