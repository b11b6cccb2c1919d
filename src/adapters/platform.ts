/** Which Firefox this is, as far as it decides what can be done here. */
import type { Platform } from '../core/profiles/knob.ts';
import { browser } from './browser.ts';

export async function platformHere(): Promise<Platform> {
  return (await browser.runtime.getPlatformInfo()).os === 'android' ? 'android' : 'desktop';
}
