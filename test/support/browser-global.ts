/** Gives every unit test the global `browser` that the adapters take from Firefox: the one that `useBrowser` was called with last. */
let current: object = {};

Object.assign(globalThis, { browser: new Proxy({}, { get: (_, key) => Reflect.get(current, key) }) });

/** From now on the adapters speak with this browser. */
export function useBrowser<T extends object>(browser: T): T {
  current = browser;
  return browser;
}
