/**
 * A page's first script, a classic one that runs before the others are read: starts the page's worker, and asks the background what the page asks
 * first. `src/adapters/early-start.ts` has both for the page. The element of the script names them: `data-worker`, from the page, and `data-asks`.
 */
import { browser } from '../adapters/browser.ts';
import type { EarlyStart } from '../adapters/early-start.ts';

const { worker: path = '', asks: kind = '' } = document.currentScript?.dataset ?? {};
const started: EarlyStart = {
  path,
  worker: new Worker(path, { type: 'module' }),
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
