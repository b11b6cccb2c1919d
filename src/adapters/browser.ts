/**
 * The extension APIs, by webextension-polyfill. In Firefox it returns Firefox's own object, unwrapped; it throws where there is none, as in a worker,
 * so nothing that a worker imports may import this.
 */
import polyfill from 'webextension-polyfill';
import type { Platform } from '../core/profiles/knob.ts';

export const browser = polyfill;
/** For scripts that must start without the polyfill. */
export type Browser = typeof browser;

/** Whether this is Firefox for Android, where less is possible. */
export async function platformHere(): Promise<Platform> {
  return (await browser.runtime.getPlatformInfo()).os === 'android' ? 'android' : 'desktop';
}
