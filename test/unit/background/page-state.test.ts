/** The page in front, as the card asks for it. */
import { beforeEach, expect, test } from 'vitest';
import type { ShownTab } from '../../../src/adapters/shown-load.ts';
import type { Reply } from '../../../src/protocol/messages.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { mainEvent } from '../../support/observation-builders.ts';
import { recordedLoad } from '../../support/recorded-load.ts';

const browser = useBrowser(fakeBrowser());
const load = recordedLoad({ minute: 1, rttMs: 50, page: 'a' });
const done: unknown[] = [];
const stores = fakeStores({
  storeEvents: async () => void done.push('events are stored'),
  shownLoad: async (tab: ShownTab) => {
    done.push(tab);
    return load;
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
  browser.storage.local.held.clear();
});

test('its load is looked for by tab and address, once a navigation that has just begun is stored', async () => {
  const tab = { id: 3, url: load.url };
  expect(await thisPage(tab)).toMatchObject({ url: load.url, startedAt: load.startedAt });
  expect(done).toEqual(['events are stored', tab]);
});

test('it has none where its address is not known, and where its site is never recorded', async () => {
  expect(await thisPage()).toBeUndefined();
  await browser.storage.local.set({ settings: { neverRecorded: ['site.test'] } });
  expect(await thisPage({ id: 3, url: load.url })).toBeUndefined();
  expect(done.filter((one) => one !== 'events are stored')).toEqual([]);
});
