/** In Node in the place of webextension-polyfill, which throws there: the global that `useBrowser` fills, as the polyfill returns Firefox's. */
export default Reflect.get(globalThis, 'browser');
