/** A person types a tweak list into the dashboard, by keyboard alone, and is told what its lines do in the Firefox that runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '../support/english.ts';
import { DASHBOARD_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { pressByKey, typeByKey } from '../support/keyboard.ts';

let firefox: ExtensionFirefox;
beforeAll(async () => {
  firefox = await startExtensionFirefox({ variant: 'release' });
});
afterAll(() => firefox?.stop());

test('a list is judged for this Firefox, and what is none is refused', async () => {
  const page = await openExtensionPage(firefox.browser, DASHBOARD_URL);
  await page.waitForFunction(() => document.getElementById('content')?.hidden === false);
  await page.bringToFront();
  await pressByKey(page, '#audit > summary');
  const textOf = (selector: string) => page.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
  const judge = async (list: string) => {
    await typeByKey(page, '#audit-list', list);
    await pressByKey(page, '#audit-start');
  };
  const [major = ''] = /\d+/.exec(await firefox.browser.version()) ?? [];
  await judge('user_pref("network.http.pipelining", true);\nuser_pref("network.http.max-connections", 1800);');
  await expect.poll(() => textOf('#audit-status')).toContain(english('audit.basis', { count: 2, version: major }));
  expect(await textOf('#audit-table')).toMatch(/max-connections = 1800\s+Acts as 992[\s\S]*pipelining = true\s+Nothing in Firefox/);
  await judge('hello');
  await expect.poll(() => textOf('#audit-status')).toContain('sets no preference');
  expect(await page.$eval('#audit-table', (element) => element.checkVisibility())).toBe(false);
});
