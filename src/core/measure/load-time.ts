import { type Milliseconds, milliseconds } from '../units.ts';
import { loadWindow } from './load-window.ts';
import type { PageLoad } from './page-load.ts';

/**
 * How long the page took to load, ms in [0, 60000]; see `load-window.ts` for what counts. A lower bound where the load was cut short.
 * `undefined`: the document's own timing is unknown.
 */
export function loadTime(load: PageLoad): Milliseconds | undefined {
  const window = loadWindow(load);
  return window && milliseconds(window.end - window.start);
}
