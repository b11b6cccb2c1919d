/** A stand-in for the extension APIs that only notes which listeners are added, when, and with what; storage is a map. */
type Listener = (...values: never[]) => unknown;

export interface AddedListener {
  readonly event: string;
  readonly listener: Listener;
  readonly rest: readonly unknown[];
}

const NO_EVENT = { addListener: () => undefined };

function area(onChanged: object = NO_EVENT) {
  const held = new Map<string, unknown>();
  return {
    held,
    onChanged,
    get: async (keys?: string | readonly string[]) => {
      const wanted = keys === undefined ? [...held.keys()] : [keys].flat();
      return Object.fromEntries(wanted.filter((key) => held.has(key)).map((key) => [key, structuredClone(held.get(key))]));
    },
    set: async (values: Record<string, unknown>) => {
      for (const [key, value] of Object.entries(values)) held.set(key, structuredClone(value));
    },
    remove: async (keys: string | readonly string[]) => {
      for (const key of [keys].flat()) held.delete(key as string);
    },
  };
}

export function fakeBrowser({ permissions = ['webRequest', 'storage'], everySite = true, helper = false } = {}) {
  const added: AddedListener[] = [];
  const event = (name: string) => ({
    addListener: (listener: Listener, ...rest: unknown[]) => {
      added.push({ event: name, listener, rest });
    },
  });
  const state = { everySite, helper, os: 'linux' };
  const alarms = new Map<string, number | undefined>();
  return {
    added,
    state,
    alarms: {
      held: alarms,
      onAlarm: event('alarms.onAlarm'),
      create: (name: string, { when }: { when?: number }) => void alarms.set(name, when),
      clear: async (name: string) => alarms.delete(name),
    },
    webRequest: {
      onBeforeRequest: event('webRequest.onBeforeRequest'),
      onBeforeRedirect: event('webRequest.onBeforeRedirect'),
      onCompleted: event('webRequest.onCompleted'),
      onErrorOccurred: event('webRequest.onErrorOccurred'),
      onAuthRequired: event('webRequest.onAuthRequired'),
    },
    permissions: {
      onAdded: event('permissions.onAdded'),
      onRemoved: event('permissions.onRemoved'),
      contains: async ({ permissions: wanted = [] }: { permissions?: readonly string[] }) =>
        wanted.includes('nativeMessaging') ? state.helper : state.everySite,
    },
    action: {
      setIcon: async (_: { readonly path: string }) => undefined,
      setBadgeText: async (_: { readonly tabId?: number; readonly text: string }) => undefined,
      setBadgeBackgroundColor: async () => undefined,
      setBadgeTextColor: async () => undefined,
    },
    i18n: { getUILanguage: () => 'en-US', getMessage: () => '' },
    extension: { inIncognitoContext: false },
    runtime: {
      id: 'plumbfox@plumbfox.org',
      onMessage: event('runtime.onMessage'),
      onStartup: event('runtime.onStartup'),
      onInstalled: event('runtime.onInstalled'),
      getPlatformInfo: async () => ({ os: state.os, arch: 'x86-64' }),
      getManifest: () => ({ permissions, version: '0.0.0' }),
      getURL: (path: string) => `moz-extension://plumbfox/${path}`,
    },
    storage: { session: area(event('storage.session.onChanged')), local: area(event('storage.local.onChanged')), managed: area() },
  };
}
