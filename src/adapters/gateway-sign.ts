/** Shows on the toolbar button that the gateway is on. */
import { browser } from './browser.ts';

/** Four letters fit. */
const SIGN = 'GATE';

/** A sign, and the same in words for who does not see it. */
export async function showGatewaySign(on: boolean): Promise<void> {
  await browser.action.setBadgeText({ text: on ? SIGN : '' });
  await browser.action.setTitle({ title: on ? 'Plumbfox: plain-http sites go through the gateway' : 'Plumbfox' });
}

/**
 * A page may be in the middle of something: only `GatewayTraffic` says which. A tab that was closed meanwhile is no fault.
 * @param options - `bypassCache`: nothing of it is taken from what Firefox has kept, and that is replaced.
 */
export async function loadAgain(tabId: number, options = { bypassCache: false }): Promise<boolean> {
  return browser.tabs.reload(tabId, options).then(
    () => true,
    () => false,
  );
}
