/** Prepares Firefox for a lane's servers over TLS and QUIC: whom to trust, who has HTTP/3, and when to let go of connections. */

import type { Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { REVERSE_PROXY_PORTS } from '../pages/served-by.ts';
import { type ChromeContext, chromeContext } from './chrome-context.ts';
import type { RunningFirefox } from './launch-firefox.ts';

/** `HOST;ALT-SVC-FIELD`, separated by commas (nsHttpHandler.cpp, Firefox 140 and 153). It knows hosts, not ports. */
const MAPPING = 'network.http.http3.alt-svc-mapping-for-testing';

export interface Http3Mapping {
  /** Before every load: what a host's other ports serve must not be looked for at the port of HTTP/3. */
  prepare(url: string): Promise<void>;
}

/**
 * Has Firefox use HTTP/3 from the first request on. By itself it learns of it from the first answer (Alt-Svc, RFC 7838) or from DNS
 * (RFC 9460), of which the lab has none: every page's first load would come over HTTP/2.
 */
export async function http3Mapping(firefox: Pick<RunningFirefox, 'browser'>, addresses: readonly string[]): Promise<Http3Mapping> {
  const chrome: ChromeContext = await chromeContext(firefox.browser);
  const wanted = addresses.map((address) => `${address};h3=":${REVERSE_PROXY_PORTS.http3}"`).join(',');
  let present = '';
  return {
    prepare: async (url) => {
      const value = new URL(url).port === String(REVERSE_PROXY_PORTS.http3) ? wanted : '';
      if (value === present) return;
      await chrome.run<null>('([name, value]) => Services.prefs.setCharPref(name, value)', [MAPPING, value]);
      present = value;
    },
  };
}

/** `C`: a trusted authority for servers; nothing for mail and code (nsIX509CertDB.addCertFromBase64). */
const TRUST = `authority => {
  Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB).addCertFromBase64(authority, 'C,,');
}`;

/**
 * Has Firefox trust the lane's own authority, for this profile only: from its parent process, so that no certutil is needed.
 * @param authority - Its certificate, base64 of DER. @throws PlumbfoxError `internal` when Firefox does not take it.
 */
export async function trustAuthority(firefox: Pick<RunningFirefox, 'browser'>, authority: string): Promise<void> {
  const chrome = await chromeContext(firefox.browser);
  await chrome.run<null>(TRUST, authority);
}

/** Three probe timeouts over a geostationary satellite (RTT 600 ms) take some 6 s with the first estimate of the round trip (RFC 9002, 6.2.2). */
const MAX_MS = 20_000;
/** Its last packets have gone: three round trips of the farthest link of the lab that is not a satellite. */
const MOMENT_MS = 1000;
/** For whoever waits for it in another process. */
export const CLOSING_PATIENCE_MS = MAX_MS + 5000;
const EVERY_MS = 20;

/**
 * nsIDashboard.requestHttpConnections is what about:networking shows; there is no event for the end of a connection. All that are active count:
 * one that is closing no longer says which version it had, and nothing else is in progress between two loads of a lane. The clock is the window's:
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

/**
 * Has Firefox let go of every connection, and waits until all are closed. Firefox keeps a closed QUIC session for three probe timeouts (RFC 9000,
 * 10.2), and until then begins no other to the same server. Measured over round trips of 20 and 100 ms: the next load began to connect 0.2 to
 * 2.0 s late in 26 of 30 loads, within 7 ms in 10 of 10 with this wait. Before anything is counted: the last packets of the load before are its own.
 * @returns what closes them: settles when none is open, throws PlumbfoxError `run-void` when one stays. Where one may stay, because every load has servers
 *   of its own, it waits for a moment only.
 */
export async function connectionCloser(browser: Browser): Promise<(options: { readonly mayStay: boolean }) => Promise<void>> {
  const chrome = await chromeContext(browser);
  return async ({ mayStay }) => {
    const open = await chrome.ask(CLOSE, { mostMs: mayStay ? MOMENT_MS : MAX_MS, everyMs: EVERY_MS }, v.number());
    if (open > 0 && !mayStay)
      throw new PlumbfoxError('run-void', `${open} connections of the load before are still open after ${MAX_MS / 1000} s`);
  };
}
