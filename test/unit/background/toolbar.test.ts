/** The toolbar button: which icon, and which figure. */
import { describe, expect, test, vi } from 'vitest';
import { createToolbar, toolbarIcon } from '../../../src/background/toolbar.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import { DEFAULT_SETTINGS } from '../../../src/protocol/settings.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { recordedLoad } from '../../support/recorded-load.ts';

const recording = { state: 'recording' } as const;
const trial = (status: TrialRecord['progress']['status'], pausedBecause?: string) => ({
  progress: { status },
  ...(pausedBecause !== undefined && { pausedBecause }),
});

describe('the icon', () => {
  test.each([
    ['recording', { recording, trial: undefined, hasFailed: false }],
    ['recording', { recording, trial: trial('ended'), hasFailed: false }],
    ['trial', { recording, trial: trial('planned'), hasFailed: false }],
    ['trial', { recording, trial: trial('running'), hasFailed: false }],
    ['paused', { recording, trial: trial('paused'), hasFailed: false }],
    ['attention', { recording, trial: trial('paused', 'the policy changed'), hasFailed: false }],
    ['attention', { recording, trial: trial('running'), hasFailed: true }],
    ['attention', { recording: { state: 'no-permission' as const }, trial: trial('running'), hasFailed: false }],
  ] as const)('is %s', (icon, input) => {
    expect(toolbarIcon(input)).toBe(icon);
  });

  test('is set when it changes, and not again', async () => {
    const browser = fakeBrowser();
    useBrowser(browser);
    const setIcon = vi.spyOn(browser.action, 'setIcon');
    const state = { recording: true };
    const { showIcon } = createToolbar({
      stores: fakeStores(),
      pageState: { recordingState: async () => (state.recording ? recording : { state: 'no-permission' }) },
    });
    await showIcon();
    await showIcon();
    state.recording = false;
    await showIcon();
    expect(setIcon.mock.calls).toEqual([
      [{ path: 'moz-extension://plumbfox/assets/icon.svg' }],
      [{ path: 'moz-extension://plumbfox/assets/icon-attention.svg' }],
    ]);
  });
});

describe('the badge', () => {
  /** Three requests over 50 ms and 1 Mbit/s: 986 ms, where one round trip and 100,000 bytes at the full rate are 50 + 800 ms. */
  const load = recordedLoad({ minute: 1, rttMs: 50, page: 'a' });

  /** @param shownLoad - Of the page that the tab shows by now. */
  const toolbarOver = (shownLoad: () => Promise<MarkedPageLoad | undefined>) =>
    createToolbar({ stores: fakeStores({ shownLoad }), pageState: { recordingState: async () => recording } });
  const browserAt = (url: string) => useBrowser({ ...fakeBrowser(), tabs: { get: async () => ({ url }) } });

  async function badgeOf(settings: object | undefined, shown = load): Promise<unknown> {
    const browser = browserAt(shown.url);
    if (settings !== undefined) await browser.storage.local.set({ settings: { ...DEFAULT_SETTINGS, ...settings } });
    const setBadgeText = vi.spyOn(browser.action, 'setBadgeText');
    await toolbarOver(async () => shown).showLoad(shown, 7);
    expect(setBadgeText).toHaveBeenCalledOnce();
    return setBadgeText.mock.calls[0]?.[0];
  }

  test('is the load time of the tab, unless the person has chosen otherwise', async () => {
    expect(await badgeOf(undefined)).toEqual({ tabId: 7, text: '1.0' });
    expect(await badgeOf({ badge: 'something newer' })).toEqual({ tabId: 7, text: '1.0' });
  });

  test('is white on a blue that the dark icon is not', async () => {
    const { action } = browserAt(load.url);
    const [ground, text] = [vi.spyOn(action, 'setBadgeBackgroundColor'), vi.spyOn(action, 'setBadgeTextColor')];
    await toolbarOver(async () => load).showLoad(load, 7);
    expect([ground.mock.calls, text.mock.calls]).toEqual([[[{ color: '#0b57c4' }]], [[{ color: '#ffffff' }]]]);
  });

  test('is the efficiency', async () => {
    expect(await badgeOf({ badge: 'efficiency' })).toEqual({ tabId: 7, text: '86' });
  });

  test('is empty where it is off, and where the load has no end', async () => {
    expect(await badgeOf({ badge: 'off' })).toEqual({ tabId: 7, text: '' });
    expect(await badgeOf(undefined, recordedLoad({ minute: 1, rttMs: 50, page: 'a', ended: 'page-left' }))).toEqual({ tabId: 7, text: '' });
  });

  test('is left as it is where the tab shows another page by now', async () => {
    const browser = browserAt('http://other.test/');
    const setBadgeText = vi.spyOn(browser.action, 'setBadgeText');
    const tabs: unknown[] = [];
    const { showLoad } = toolbarOver(async (...tab) => {
      tabs.push(...tab);
      return undefined;
    });
    await showLoad(load, 7);
    expect(tabs).toEqual([{ id: 7, url: 'http://other.test/' }]);
    expect(setBadgeText).not.toHaveBeenCalled();
  });

  test('harms nothing where the tab is gone', async () => {
    const browser = browserAt(load.url);
    vi.spyOn(browser.action, 'setBadgeText').mockRejectedValue(new Error('Invalid tab ID: 7'));
    const { showLoad } = toolbarOver(async () => load);
    await expect(showLoad(load, 7)).resolves.toBeUndefined();
  });
});
