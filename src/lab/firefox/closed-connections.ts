/**
 * Has Firefox let go of every connection, and waits until all are closed. Firefox keeps a closed QUIC session for three probe timeouts (RFC 9000,
 * 10.2), and until then begins no other to the same server. Measured over round trips of 20 and 100 ms: the next load began to connect 0.2 to
 * 2.0 s late in 26 of 30 loads, within 7 ms in 10 of 10 with this wait. Before anything is counted: the last packets of the load before are its own.
 */
import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { chromeContext } from './chrome-context.ts';

/** Three probe timeouts over a geostationary satellite (RTT 600 ms) take some 6 s with the first estimate of the round trip (RFC 9002, 6.2.2). */
const MOST_MS = 20_000;
const EVERY_MS = 20;

/**
 * nsIDashboard.requestHttpConnections is what about:networking shows; there is no event for the end of a connection. All that are active count:
 * one that is closing no longer says which version it had, and nothing else is under way between two loads of a lane. The clock is the window's:
 * ESR 140 has no `ChromeUtils.now`.
 */
const CLOSE = `async ({ mostMs, everyMs }) => {
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
  const dashboard = Cc['@mozilla.org/network/dashboard;1'].getService(Ci.nsIDashboard);
  const { setTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');
  const begun = performance.now();
  for (;;) {
    const { connections } = await new Promise(resolve => dashboard.requestHttpConnections(resolve));
    const open = connections.flatMap(({ active }) => active).length;
    if (open === 0 || performance.now() - begun > mostMs) return open;
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
}`;

/** @returns what closes them: settles when none is open, throws PlumbfoxError `run-void` when one stays. */
export async function connectionCloser(browser: Browser): Promise<() => Promise<void>> {
  const chrome = await chromeContext(browser);
  return async () => {
    const open = await chrome.ask(CLOSE, { mostMs: MOST_MS, everyMs: EVERY_MS }, v.number());
    if (open > 0) throw new PlumbfoxError('run-void', `${open} connections of the load before are still open after ${MOST_MS / 1000} s`);
  };
}
