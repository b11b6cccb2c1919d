import { expect, test } from 'vitest';
import { openWelcomeTab, resumeWelcomeTab, welcomeHasBegun } from '../../../src/adapters/welcome-tab.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

interface SeenTab {
  readonly status: 'loading' | 'complete';
  readonly url?: string;
}

/** A browser whose welcome tab, number 7, is as given; `updated` is what it was made to load, `created` counts the tabs opened. */
function withTab(tab: SeenTab | undefined) {
  const updated: unknown[] = [];
  const created: unknown[] = [];
  const tabs = {
    create: async (made: unknown) => {
      created.push(made);
      return { id: 7 };
    },
    get: async () => tab ?? Promise.reject(new Error('Invalid tab ID: 7')),
    update: async (...made: unknown[]) => updated.push(made),
  };
  return { updated, created, browser: useBrowser({ ...fakeBrowser(), tabs }) };
}

const URL = 'moz-extension://plumbfox/welcome/welcome.html';

test('a tab that stayed blank is loaded again', async () => {
  const { updated } = withTab({ status: 'loading' });
  await openWelcomeTab();
  await resumeWelcomeTab();
  expect(updated).toEqual([[7, { url: URL }]]);
});

test.each<[string, SeenTab]>([
  ['has its page', { status: 'complete', url: URL }],
  ['shows another page by now', { status: 'loading', url: 'https://a.example/' }],
  ['shows a page of Firefox', { status: 'complete' }],
])('a tab that %s is left as it is', async (_, tab) => {
  const { updated } = withTab(tab);
  await openWelcomeTab();
  await resumeWelcomeTab();
  expect(updated).toEqual([]);
});

test('a tab that a restart of the extension removed, or kept from being opened, is opened again', async () => {
  const { created, browser } = withTab(undefined);
  await openWelcomeTab();
  await resumeWelcomeTab();
  expect(created).toHaveLength(2);
  await browser.storage.local.set({ welcomeTab: { openedAt: Date.now() } });
  await resumeWelcomeTab();
  expect(created).toHaveLength(3);
  await welcomeHasBegun();
  await resumeWelcomeTab();
  expect(created).toHaveLength(3);
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
