/** The extension APIs, as Firefox gives them; their types are webextension-polyfill's, whose code would hand on this very object. */
import type polyfill from 'webextension-polyfill';

export const browser: typeof polyfill = (globalThis as unknown as { readonly browser: typeof polyfill }).browser;
