import { expect, test } from 'vitest';
import { isInstallation, resumeWelcomeTab, welcomeInstallation } from '../../../src/adapters/welcome-tab.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const URL = 'moz-extension://plumbfox/welcome/welcome.html';
const INSTALLED = { reason: 'install' };
/** What Firefox announces when it restarts a temporary extension; the version is that of the fake browser. */
const RESTARTED = { reason: 'update', previousVersion: '0.0.0' };

interface Tab {
  readonly id: number;
  url?: string | undefined;
  readonly openerTabId?: number;
}

/** Where Firefox ends the extension: before the named call does anything, or after it has, so that it is never answered. */
type End = 'before the intent' | 'before the tab' | 'after the tab' | 'never';

/** A Firefox in which the person has one tab open, without an address as a page of Firefox has none. */
function firefox() {
  const tabs: Tab[] = [{ id: 1 }];
  /** Firefox gives no number twice. */
  let newest = 1;
  const fake = fakeBrowser();
  const state = { made: 0, loaded: [] as number[], views: [] as object[], end: 'never' as End };
  const endAt = (...ends: readonly End[]) => {
    if (ends.includes(state.end)) throw new Error('The extension was ended');
  };
  const { set } = fake.storage.local;
  fake.storage.local.set = async (values) => {
    endAt('before the intent');
    await set(values);
  };
  useBrowser({
    ...fake,
    extension: { ...fake.extension, getViews: () => state.views },
    runtime: { ...fake.runtime, getURL: (path: string) => `moz-extension://plumbfox${path}` },
    tabs: {
      query: async () => structuredClone(tabs),
      create: async ({ url, openerTabId }: { url: string; openerTabId: number }) => {
        endAt('before the tab');
        if (fake.state.os === 'android' && openerTabId !== undefined) throw new Error('Property "openerTabId" is unsupported by Firefox');
        state.made += 1;
        newest = Math.max(newest, ...tabs.map(({ id }) => id)) + 1;
        const tab: Tab = { id: newest, openerTabId, url: state.end === 'after the tab' ? undefined : url };
        tabs.push(tab);
        endAt('after the tab');
        return tab;
      },
      update: async (id: number, { url }: { url: string }) => {
        state.loaded.push(id);
        for (const tab of tabs) if (tab.id === id) tab.url = url;
      },
    },
  });
  return {
    state,
    platform: fake.state,
    tabs,
    stored: fake.storage.local,
    /** Takes the tab to another address, or closes it. */
    become: (id: number, what: { url: string | undefined } | 'closed') => {
      const at = tabs.findIndex((tab) => tab.id === id);
      tabs.splice(at, 1, ...(what === 'closed' ? [] : [{ id, ...what }]));
    },
    /** The background begins, and comes as far as `end`. */
    start: async (announced?: typeof INSTALLED, end: End = 'never') => {
      state.end = end;
      await resumeWelcomeTab().catch(() => undefined);
      if (announced && isInstallation(announced)) await welcomeInstallation().catch(() => undefined);
    },
    welcomeTabs: () => tabs.filter(({ url }) => url === URL).map(({ id }) => id),
  };
}

test('an installation opens one tab, and neither an update nor a restart opens another', async () => {
  const { start, state, welcomeTabs } = firefox();
  await start(INSTALLED);
  state.views.push({ location: { pathname: '/welcome/welcome.html' } });
  await start(RESTARTED);
  await start();
  await start({ reason: 'update', previousVersion: '0.0.0.1' } as typeof RESTARTED);
  expect(welcomeTabs()).toEqual([2]);
  expect(state.loaded).toEqual([]);
});

test('Firefox for Android, which knows no opener, opens it as well', async () => {
  const { start, platform, welcomeTabs } = firefox();
  platform.os = 'android';
  await start(INSTALLED);
  expect(welcomeTabs()).toEqual([2]);
});

test('who updates from a version that stored nothing of it does not get the tab', async () => {
  const { start, state } = firefox();
  await start({ reason: 'update', previousVersion: '0.0.0.1' } as typeof RESTARTED);
  await start({ reason: 'browser_update' });
  await start();
  expect(state.made).toBe(0);
});

test.each<End>(['before the intent', 'before the tab', 'after the tab'])(
  'a restart %s leads to one tab, and the next one to no other',
  async (end) => {
    const { start, tabs, welcomeTabs } = firefox();
    await start(INSTALLED, end);
    expect(welcomeTabs()).toEqual([]);
    await start(RESTARTED);
    expect(welcomeTabs()).toEqual([2]);
    await start(RESTARTED);
    expect(welcomeTabs()).toEqual([2]);
    // The person's own tab is as it was.
    expect(tabs).toEqual([{ id: 1 }, { id: 2, openerTabId: 1, url: URL }]);
  },
);

test('a blank tab of somebody else is not taken for it', async () => {
  const { start, tabs, welcomeTabs } = firefox();
  await start(INSTALLED, 'before the tab');
  tabs.push({ id: 2 });
  await start(RESTARTED);
  expect(tabs).toContainEqual({ id: 2 });
  expect(welcomeTabs()).toEqual([3]);
});

test.each<[string, string | undefined]>([
  ['stayed blank', undefined],
  ['shows an error page', URL],
])('a tab that %s is loaded again', async (_, url) => {
  const { start, state, become } = firefox();
  await start(INSTALLED);
  become(2, { url });
  await start();
  expect(state).toMatchObject({ made: 1, loaded: [2] });
});

test('a tab that shows something else by now is left as it is', async () => {
  const { start, state, become } = firefox();
  await start(INSTALLED);
  become(2, { url: 'https://a.example/' });
  await start();
  expect(state).toMatchObject({ made: 1, loaded: [] });
});

test('a tab that was closed comes back with the first restart, and with no further one', async () => {
  const { start, become, welcomeTabs } = firefox();
  await start(INSTALLED);
  become(2, 'closed');
  await start();
  expect(welcomeTabs()).toEqual([3]);
  become(3, 'closed');
  await start();
  expect(welcomeTabs()).toEqual([]);
});

test('once the first moments are over, nothing is opened or loaded again', async () => {
  const { start, state, stored, become } = firefox();
  await start(INSTALLED);
  const { welcomeTab } = await stored.get('welcomeTab');
  await stored.set({ welcomeTab: { ...(welcomeTab as object), since: Date.now() - 26_000 } });
  become(2, { url: undefined });
  await start(RESTARTED);
  become(2, 'closed');
  await start(RESTARTED);
  expect(state).toMatchObject({ made: 1, loaded: [] });
});

test('what an earlier version has stored counts as welcomed', async () => {
  const { start, state, stored } = firefox();
  await stored.set({ welcomeTab: { tabId: 7, openedAt: Date.now() } });
  await start(RESTARTED);
  expect(state.made).toBe(0);
});
