/** What the person has allowed: to see all sites, without which nothing is recorded; to speak to the helper; to lead plain http through a gateway. */

import * as v from 'valibot';
import { browser, platformHere } from './browser.ts';

const EVERY_SITE = { origins: ['<all_urls>'] };

let hostPermission: Promise<boolean> | undefined;

/** Asked once per life of the event page, and again after every change. */
export function hasHostPermission(): Promise<boolean> {
  hostPermission ??= browser.permissions.contains(EVERY_SITE).catch((reason: unknown) => {
    // An answer that failed is none: the next event asks again.
    hostPermission = undefined;
    throw reason;
  });
  return hostPermission;
}

/** When the permission was last given in this life of the event page, ms since the epoch. */
let givenAt = Number.NEGATIVE_INFINITY;

/**
 * Whether what happened at this time, ms since the epoch, may be recorded. An event reaches the event page, and the question about the
 * permission reaches Firefox, some time after it happened: meanwhile the permission may have been given.
 */
export async function hadHostPermission(at: number): Promise<boolean> {
  return (await hasHostPermission()) && at >= givenAt;
}

/** Call at the top level, so that a change wakes the event page. */
export function watchHostPermission(): void {
  browser.permissions.onAdded.addListener(({ origins = [] }) => {
    hostPermission = undefined;
    if (origins.length > 0) givenAt = Date.now();
  });
  browser.permissions.onRemoved.addListener(() => {
    hostPermission = undefined;
  });
}

const NATIVE_MESSAGING = { permissions: ['nativeMessaging' as const] };

/** Android's Firefox has no native messaging: nothing about a helper is offered there. */
export async function canHaveHelper(): Promise<boolean> {
  return (await platformHere()) !== 'android';
}

/** As it is now: the person may have withdrawn it since it was last asked. */
export function hasHelperPermission(): Promise<boolean> {
  return browser.permissions.contains(NATIVE_MESSAGING);
}

/**
 * Must be called straight from a click: Firefox refuses the question without user input.
 * @returns whether it was given.
 */
export function requestHelperPermission(): Promise<boolean> {
  return browser.permissions.request(NATIVE_MESSAGING);
}

/**
 * The last two are granted without a question (web_request.json of Firefox 153): one answers the gateway's own, the other fetches direct what the
 * gateway has refused.
 */
const GATEWAY_NEEDS = {
  permissions: ['nativeMessaging' as const, 'proxy' as const, 'webRequestAuthProvider' as const, 'webRequestBlocking' as const],
};

const proxySettingSchema = v.object({ value: v.object({ proxyType: v.string() }) });

/** As it is now: the person may have withdrawn it since it was last asked. */
export function hasGatewayPermission(): Promise<boolean> {
  return browser.permissions.contains(GATEWAY_NEEDS);
}

/**
 * Must be called straight from a click: Firefox refuses the question without user input.
 * @returns whether it was given.
 */
export function requestGatewayPermission(): Promise<boolean> {
  // The lab build has one of them from the start, and Firefox refuses to be asked for what it does not call optional.
  const required = browser.runtime.getManifest().permissions ?? [];
  return browser.permissions.request({ permissions: GATEWAY_NEEDS.permissions.filter((needed) => !required.includes(needed)) });
}

/** Whether the person, another extension or a policy has named a proxy: the gateway, which goes direct, would go round it. */
export async function hasOwnProxy(): Promise<boolean> {
  const { value } = v.parse(proxySettingSchema, await browser.proxy.settings.get({}));
  // `system` is what Firefox ships, and on most systems means none.
  return value.proxyType !== 'none' && value.proxyType !== 'system';
}

/** Calls back when the permission is withdrawn. Call at the top level. The promise that `onGone` returns keeps the event page until it settles. */
export function watchGatewayPermission(onGone: () => Promise<void>): void {
  browser.permissions.onRemoved.addListener(({ permissions = [] }) =>
    GATEWAY_NEEDS.permissions.some((needed) => permissions.includes(needed)) ? onGone() : undefined,
  );
}
