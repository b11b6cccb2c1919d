/** The person's settings: a record of another version is read as far as it can be. */
import { expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../../src/adapters/settings.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const DEFAULTS = {
  badge: 'load-time',
  neverRecorded: [],
  keepDays: 'no-limit',
  keepLoads: 'no-limit',
  timeUnit: 'by-size',
  rateUnit: 'bit',
};

test.each([
  undefined,
  null,
  'text',
  [],
  {},
  { badge: 3 },
  { badge: 'of a later version' },
  { neverRecorded: 'a.test', keepDays: 0, keepLoads: 1.5 },
])('%j stands for the defaults', async (settings) => {
  const browser = useBrowser(fakeBrowser());
  if (settings !== undefined) await browser.storage.local.set({ settings });
  expect(await readSettings()).toEqual(DEFAULTS);
});

test('a change is kept', async () => {
  useBrowser(fakeBrowser());
  expect(await changeSettings({ badge: 'off' })).toEqual({ ...DEFAULTS, badge: 'off' });
  expect(await changeSettings({})).toEqual({ ...DEFAULTS, badge: 'off' });
  expect(await readSettings()).toEqual({ ...DEFAULTS, badge: 'off' });
});
