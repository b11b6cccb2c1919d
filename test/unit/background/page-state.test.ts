/** What the card shows of the page in front. */
import { expect, it } from 'vitest';
import { measureLoad } from '../../../src/core/measure/measure-load.ts';
import { waterfall } from '../../fixtures/waterfall.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores, wakeBackground } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const TAB = 7;

async function thisPageOf(text: string) {
  useBrowser(fakeBrowser());
  const load = waterfall(text);
  const newestOfTab = async (tabId: number) => (tabId === TAB ? load : undefined);
  const { pageState } = await wakeBackground({ stores: fakeStores({ newestOfTab }) });
  return { load, facts: await pageState.cardFacts(Date.now(), TAB) };
}

it('is the newest load of its tab, with what took the longest part of it', async () => {
  const { load, facts } = await thisPageOf(`
    load event=500
    a.test/ main_frame fetch=0 connect=0-20 send=20 first=420 end=450 h2`);
  // From 20 to 420.
  const longest = { cause: 'server', timeMs: 400 };
  expect(facts).toEqual({ thisPage: { url: load.url, startedAt: load.startedAt, measures: measureLoad(load, {}), longest } });
});

it('names no part where none can be told to be the longest', async () => {
  const { facts } = await thisPageOf(`
    load event=500
    a.test/ main_frame fetch=0 end=450 h2`);
  expect(facts.thisPage).toHaveProperty('measures.loadTimeMs', 450);
  expect(facts.thisPage).not.toHaveProperty('longest');
});
