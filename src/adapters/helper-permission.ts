/** Whether Plumbfox may speak to its helper: the person allows it from a click, and may take it back. */
import { browser } from './browser.ts';
import { platformHere } from './platform.ts';

const NATIVE_MESSAGING = { permissions: ['nativeMessaging' as const] };

/** Android's Firefox has no native messaging: nothing about a helper is offered there. */
export async function canHaveHelper(): Promise<boolean> {
  return (await platformHere()) !== 'android';
}

/** As it is now: the person may have taken it back since it was last asked. */
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
