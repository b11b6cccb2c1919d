import { expect, test } from 'vitest';
import { openWelcomeTab, resumeWelcomeTab, welcomeHasBegun } from '../../../src/adapters/welcome-tab.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

interface SeenTab {
  readonly status: 'loading' | 'complete';
  readonly url?: string;
}

/** A browser whose welcome tab, number 7, is as given; `updated` is what it was made to load. */
function withTab(tab: SeenTab | undefined) {
  const updated: unknown[] = [];
  const tabs = {
    create: async () => ({ id: 7 }),
    get: async () => tab ?? Promise.reject(new Error('Invalid tab ID: 7')),
    update: async (...made: unknown[]) => updated.push(made),
  };
  return { updated, browser: useBrowser({ ...fakeBrowser(), tabs }) };
}

const URL = 'moz-extension://plumbfox/welcome/welcome.html';

test('a tab that stayed blank is loaded again', async () => {
  const { updated } = withTab({ status: 'loading' });
  await openWelcomeTab();
  await resumeWelcomeTab();
  expect(updated).toEqual([[7, { url: URL }]]);
});

test.each<[string, SeenTab | undefined]>([
  ['was closed', undefined],
  ['has its page', { status: 'complete', url: URL }],
  ['shows another page by now', { status: 'loading', url: 'https://a.example/' }],
  ['shows a page of Firefox', { status: 'complete' }],
])('a tab that %s is left as it is', async (_, tab) => {
  const { updated } = withTab(tab);
  await openWelcomeTab();
  await resumeWelcomeTab();
  expect(updated).toEqual([]);
});

test('nothing is loaded again once the page has begun, or half a minute later', async () => {
  const { updated, browser } = withTab({ status: 'loading' });
  await openWelcomeTab();
  await welcomeHasBegun();
  await resumeWelcomeTab();
  await browser.storage.local.set({ welcomeTab: { tabId: 7, openedAt: Date.now() - 31_000 } });
  await resumeWelcomeTab();
  expect(updated).toEqual([]);
  expect(await browser.storage.local.get('welcomeTab')).toEqual({});
});
