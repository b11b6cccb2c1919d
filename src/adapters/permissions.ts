/**
 * The permissions that the user has granted: seeing all sites, without which nothing is recorded; using the helper app; leading plain http through a
 * gateway.
 */
import * as v from 'valibot';
import { browser, platformHere } from './browser.ts';

const EVERY_SITE = { origins: ['<all_urls>'] };

let hostPermission: Promise<boolean> | undefined;

/** Whether Plumbfox may see all sites. Firefox is asked once per event page, and again after every change. */
export function hasHostPermission(): Promise<boolean> {
  hostPermission ??= browser.permissions.contains(EVERY_SITE).catch((reason: unknown) => {
    // After a failure the next event asks again.
    hostPermission = undefined;
    throw reason;
  });
  return hostPermission;
}

/** When the permission was last given in this event page, ms since the epoch. */
let givenAt = Number.NEGATIVE_INFINITY;

/**
 * Whether what happened at this time, ms since the epoch, may be recorded. The permission may have been given between an event and the moment at
 * which it is checked.
 */
export async function hadHostPermission(at: number): Promise<boolean> {
  return (await hasHostPermission()) && at >= givenAt;
}

/** Follows changes of the permission to see all sites. Call at the top level, so that a change wakes the event page, until `onChange` settles. */
export function watchHostPermission(onChange: () => Promise<void> = async () => undefined): void {
  browser.permissions.onAdded.addListener(({ origins = [] }) => {
    hostPermission = undefined;
    if (origins.length > 0) givenAt = Date.now();
    return onChange();
  });
  browser.permissions.onRemoved.addListener(() => {
    hostPermission = undefined;
    return onChange();
  });
}

const NATIVE_MESSAGING = { permissions: ['nativeMessaging' as const] };

/** Firefox for Android has no native messaging, so no helper is offered there. */
export async function canHaveHelper(): Promise<boolean> {
  return (await platformHere()) !== 'android';
}

/** Whether Plumbfox may use its helper now: the person may have withdrawn the permission. */
export function hasHelperPermission(): Promise<boolean> {
  return browser.permissions.contains(NATIVE_MESSAGING);
}

/** Must be called straight from a click: Firefox does not ask without user input. @returns whether it was given. */
export function requestHelperPermission(): Promise<boolean> {
  return browser.permissions.request(NATIVE_MESSAGING);
}

/**
 * The last two are granted without asking (web_request.json of Firefox 153): one answers the gateway's challenge, the other sends requests direct
 * that the gateway has refused.
 */
const GATEWAY_NEEDS = {
  permissions: ['nativeMessaging' as const, 'proxy' as const, 'webRequestAuthProvider' as const, 'webRequestBlocking' as const],
};

const proxySettingSchema = v.object({ value: v.object({ proxyType: v.string() }) });

/** Whether Plumbfox may use the gateway now: the person may have withdrawn the permission. */
export function hasGatewayPermission(): Promise<boolean> {
  return browser.permissions.contains(GATEWAY_NEEDS);
}

/** Must be called straight from a click: Firefox does not ask without user input. @returns whether it was given. */
export function requestGatewayPermission(): Promise<boolean> {
  // The lab build requires one of them, and Firefox refuses requests for permissions that are not optional.
  const required = browser.runtime.getManifest().permissions ?? [];
  return browser.permissions.request({ permissions: GATEWAY_NEEDS.permissions.filter((needed) => !required.includes(needed)) });
}

/** Whether the person, another extension or a policy has set a proxy: the gateway connects directly and would bypass it. */
export async function hasOwnProxy(): Promise<boolean> {
  const { value } = v.parse(proxySettingSchema, await browser.proxy.settings.get({}));
  // `system` is what Firefox ships, and on most systems means none.
  return value.proxyType !== 'none' && value.proxyType !== 'system';
}

/** Calls back when the gateway's permission is withdrawn. Call at the top level. The promise of `onGone` keeps the event page until it settles. */
export function watchGatewayPermission(onGone: () => Promise<void>): void {
  browser.permissions.onRemoved.addListener(({ permissions = [] }) =>
    GATEWAY_NEEDS.permissions.some((needed) => permissions.includes(needed)) ? onGone() : undefined,
  );
}
