/** The extension APIs: the only import of webextension-polyfill (which does nothing in Firefox but type its promises). */
import browser from 'webextension-polyfill';

export { browser };
