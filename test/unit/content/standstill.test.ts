/** Pages that are opened while Firefox has stopped the extension note it, to the minute; what comes after it ran again is a span of its own. */
import { beforeEach, expect, test, vi } from 'vitest';
import { dismissLoss, endStandstill, recordLosses } from '../../../src/adapters/record-mirror.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { stubPage } from '../../support/stubbed-page.ts';

const browser = useBrowser(fakeBrowser());
const BEGAN = 1_800_000_000_000;
const STOPPED = 'Could not establish connection. Receiving end does not exist.';

stubPage({ beganMs: BEGAN, readyState: 'complete' });
beforeEach(() => browser.storage.local.held.clear());

/** A page of a Firefox that has stopped the extension, or for another reason has no answer. */
async function openAt(ms: number, reason = STOPPED): Promise<void> {
  vi.setSystemTime(BEGAN + ms);
  const sendMessage = () => Promise.reject(new Error(reason));
  const runtime = { sendMessage, onMessage: { addListener: () => {} } };
  vi.stubGlobal('browser', { extension: { inIncognitoContext: false }, runtime, storage: browser.storage });
  vi.resetModules();
  await import('../../../src/content/content.ts');
  await vi.advanceTimersByTimeAsync(0);
}
const spans = async () => (await recordLosses()).standstills?.map(({ from, until }) => [from - BEGAN, until - BEGAN]);

test('pages that are opened one after the other are one span', async () => {
  await openAt(10);
  await openAt(65_000);
  expect(await spans()).toEqual([[10, 65_000]]);
});

test('where the extension ran in between they are two, and what was recorded then is in neither', async () => {
  await openAt(10);
  await openAt(70_000);
  await endStandstill();
  await endStandstill();
  await openAt(80_000);
  await openAt(150_000);
  expect(await spans()).toEqual([
    [10, 70_000],
    [80_000, 150_000],
  ]);
  await dismissLoss();
  expect(await spans()).toBeUndefined();
});

test('of two pages that note it at once, neither takes away what the other has noted', async () => {
  const { local } = browser.storage;
  const { set } = local;
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  // What the first page writes arrives after all that the second does.
  local.set = async (values) => {
    await released;
    await set(values);
  };
  await openAt(10);
  local.set = set;
  await openAt(65_000);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(await spans()).toEqual([[10, 65_000]]);
});

test('where the extension has not stopped nothing is noted, nor ended', async () => {
  await openAt(10, 'The message port closed');
  await endStandstill();
  expect(browser.storage.local.held.size).toBe(0);
});

test('the newest ten are kept, whatever else was written there before', async () => {
  browser.storage.local.held.set('standstills', 'many');
  for (let at = 1; at <= 12; at++) {
    await openAt(at * 1_000);
    await endStandstill();
  }
  const kept = await spans();
  expect(kept).toHaveLength(10);
  expect([kept?.[0], kept?.at(-1)]).toEqual([
    [3_000, 3_000],
    [12_000, 12_000],
  ]);
});
