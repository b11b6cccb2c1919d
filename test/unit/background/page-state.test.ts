/** The page in front, as the card asks for it. */
import { beforeEach, expect, test } from 'vitest';
import type { ShownTab } from '../../../src/adapters/shown-load.ts';
import { measureLoad } from '../../../src/core/measure/measure-load.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import type { Reply } from '../../../src/protocol/messages.ts';
import { DEFAULT_SETTINGS } from '../../../src/protocol/settings.ts';
import { waterfall } from '../../fixtures/waterfall.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { mainEvent } from '../../support/observation-builders.ts';
import { recordedLoad } from '../../support/recorded-load.ts';

const browser = useBrowser(fakeBrowser());
const load = recordedLoad({ minute: 1, rttMs: 50, page: 'a' });
let shown: MarkedPageLoad = load;
let settings = DEFAULT_SETTINGS;
const done: unknown[] = [];
const stores = fakeStores({
  keptSettings: async () => settings,
  storeEvents: async () => void done.push('events are stored'),
  shownLoad: async (tab: ShownTab) => {
    done.push(tab);
    return shown;
  },
});

async function thisPage(tab?: ShownTab) {
  const { messages, recorder } = await wakeBackground({ stores });
  const stored = recorder.recordEvent(mainEvent('started', '8', 0));
  const popup = { id: browser.runtime.id, url: browser.runtime.getURL('popup/popup.html') };
  const reply = (await messages.answer({ kind: 'card-facts', ...(tab && { tab }) }, popup)) as Reply<'card-facts'>;
  await stored;
  if (!reply.ok) throw new Error(JSON.stringify(reply));
  return reply.value.thisPage;
}

beforeEach(() => {
  done.length = 0;
  shown = load;
  settings = DEFAULT_SETTINGS;
  browser.storage.local.held.clear();
});

test('its load is looked for by tab and address, once a navigation that has just begun is stored', async () => {
  const tab = { id: 3, url: load.url };
  expect(await thisPage(tab)).toMatchObject({ url: load.url, startedAt: load.startedAt });
  expect(done).toEqual(['events are stored', tab]);
});

test('it has none where its address is not known, and where its site is never recorded', async () => {
  expect(await thisPage()).toBeUndefined();
  settings = { ...DEFAULT_SETTINGS, neverRecorded: ['site.test'] };
  expect(await thisPage({ id: 3, url: load.url })).toBeUndefined();
  expect(done.filter((one) => one !== 'events are stored')).toEqual([]);
});

test('it comes with what took the longest part of it', async () => {
  shown = waterfall(`
    load event=500
    a.test/ main_frame fetch=0 connect=0-20 send=20 first=420 end=450 h2`);
  // From 20 to 420.
  const longest = { cause: 'server', timeMs: 400 };
  const { url, startedAt } = shown;
  expect(await thisPage({ id: 3, url })).toEqual({ url, startedAt, measures: measureLoad(shown, {}), longest });
});

test('it comes without, where no part can be told to be the longest', async () => {
  shown = waterfall(`
    load event=500
    a.test/ main_frame fetch=0 end=450 h2`);
  const page = await thisPage({ id: 3, url: shown.url });
  expect(page).toHaveProperty('measures.loadTimeMs', 450);
  expect(page).not.toHaveProperty('longest');
});
