/** Whether plain-http requests may be led through a gateway: the person allows it from a click, and may take it back. */
import * as v from 'valibot';
import { browser } from './browser.ts';

/**
 * The last two are granted without a question (web_request.json of Firefox 153): one answers the gateway's own, the other fetches direct what the
 * gateway has refused.
 */
const NEEDED = {
  permissions: ['nativeMessaging' as const, 'proxy' as const, 'webRequestAuthProvider' as const, 'webRequestBlocking' as const],
};

const settingSchema = v.object({ value: v.object({ proxyType: v.string() }) });

/** As it is now: the person may have taken it back since it was last asked. */
export function hasGatewayPermission(): Promise<boolean> {
  return browser.permissions.contains(NEEDED);
}

/**
 * Must be called straight from a click: Firefox refuses the question without user input.
 * @returns whether it was given.
 */
export function requestGatewayPermission(): Promise<boolean> {
  // The lab build has one of them from the start, and Firefox refuses to be asked for what it does not call optional.
  const required = browser.runtime.getManifest().permissions ?? [];
  return browser.permissions.request({ permissions: NEEDED.permissions.filter((needed) => !required.includes(needed)) });
}

/** Whether the person, another extension or a policy has named a proxy: the gateway, which goes direct, would go round it. */
export async function hasOwnProxy(): Promise<boolean> {
  const { value } = v.parse(settingSchema, await browser.proxy.settings.get({}));
  // `system` is what Firefox ships, and on most systems means none.
  return value.proxyType !== 'none' && value.proxyType !== 'system';
}

/** Calls back when the permission is taken back. Call at the top level. The promise that `onGone` returns keeps the event page until it settles. */
export function watchGatewayPermission(onGone: () => Promise<void>): void {
  browser.permissions.onRemoved.addListener(({ permissions = [] }) =>
    NEEDED.permissions.some((needed) => permissions.includes(needed)) ? onGone() : undefined,
  );
}
