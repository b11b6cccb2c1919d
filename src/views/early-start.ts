/**
 * A page's first script, a classic one that runs before the others are read: starts the page's worker, and asks the background what the page asks
 * first. `src/adapters/early-start.ts` has both for the page. The element of the script names them: `data-path`, from the page, and `data-asks`.
 */
import type { Browser } from '../adapters/browser.ts';
import type { EarlyStart } from '../adapters/early-start.ts';

/** Firefox's own: the polyfill would make this script 25 times as long, and everything waits for it. */
declare const browser: Browser;

const named = { path: '', asks: '', ...document.currentScript?.dataset };
const kind = named.asks;
const started: EarlyStart = {
  path: named.path,
  worker: new Worker(named.path, { type: 'module' }),
  kind,
  reply: browser.runtime.sendMessage({ kind }),
  hasFailed: false,
  isOutdated: false,
};
globalThis.earlyStart = started;
started.worker.addEventListener('error', () => {
  started.hasFailed = true;
});
// Whoever takes the reply reports its failure.
started.reply.catch(() => undefined);
browser.storage.session.onChanged.addListener(() => {
  started.isOutdated = true;
});
