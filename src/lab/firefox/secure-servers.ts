/**
 * Has Firefox use HTTP/3 from the first request on. By itself it learns of it from the first answer (Alt-Svc, RFC 7838) or from DNS
 * (RFC 9460), of which the lab has none: every page's first load would come over HTTP/2.
 */
import { FRONT_PORTS } from '../pages/served-by.ts';
import { type ChromeContext, chromeContext } from './chrome-context.ts';
import type { RunningFirefox } from './launch-firefox.ts';

/** `HOST;ALT-SVC-FIELD`, separated by commas (nsHttpHandler.cpp, Firefox 140 and 153). It knows hosts, not ports. */
const MAPPING = 'network.http.http3.alt-svc-mapping-for-testing';

/** The same for every load of such a lane. */
export const HTTP3_PREFERENCES = {
  /** Firefox uses no HTTP/3 where an authority is trusted that it was not shipped with, in case that one listens in. */
  'network.http.http3.disable_when_third_party_roots_found': false,
  /**
   * Firefox begins a TCP connection beside one of QUIC that does not stand after 100 ms (the default, ms), and uses what stands first: over a far or
   * busy link a page that is to be told of HTTP/3 would come by HTTP/2. Measured: 4 of 10 loads did.
   */
  'network.http.http3.backup_timer_delay': 30_000,
} as const;

export interface Http3Mapping {
  /** Before every load: what a host's other ports serve must not be looked for at the port of HTTP/3. */
  prepare(url: string): Promise<void>;
}

export async function http3Mapping(firefox: Pick<RunningFirefox, 'browser'>, addresses: readonly string[]): Promise<Http3Mapping> {
  const chrome: ChromeContext = await chromeContext(firefox.browser);
  const wanted = addresses.map((address) => `${address};h3=":${FRONT_PORTS.http3}"`).join(',');
  let present = '';
  return {
    prepare: async (url) => {
      const value = new URL(url).port === String(FRONT_PORTS.http3) ? wanted : '';
      if (value === present) return;
      await chrome.run<null>('([name, value]) => Services.prefs.setCharPref(name, value)', [MAPPING, value]);
      present = value;
    },
  };
}
