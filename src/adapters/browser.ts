/** The extension APIs of Firefox. Their types are those of webextension-polyfill, whose code would return this very object. */
import type polyfill from 'webextension-polyfill';
import type { Platform } from '../core/profiles/knob.ts';

export const browser: typeof polyfill = Reflect.get(globalThis, 'browser');

/** Whether this is Firefox for Android, where less is possible. */
export async function platformHere(): Promise<Platform> {
  return (await browser.runtime.getPlatformInfo()).os === 'android' ? 'android' : 'desktop';
}
