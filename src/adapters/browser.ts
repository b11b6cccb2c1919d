/** The extension APIs, as Firefox gives them; their types are webextension-polyfill's, whose code would hand on this very object. */
import type polyfill from 'webextension-polyfill';
import type { Platform } from '../core/profiles/knob.ts';

export const browser: typeof polyfill = Reflect.get(globalThis, 'browser');

/** Which Firefox this is, as far as it decides what can be done here. */
export async function platformHere(): Promise<Platform> {
  return (await browser.runtime.getPlatformInfo()).os === 'android' ? 'android' : 'desktop';
}
