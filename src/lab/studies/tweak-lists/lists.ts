/**
 * Tweak lists as they are published, names and values alone: of each the lines that a catalogued preference of the network is set by and that today's
 * Firefox reads. The other lines set what touches no request of a page, or nothing at all; their number is here. None of the sources holds a measurement.
 */
import type { PreferenceValue } from '../../../core/profiles/knob.ts';

export interface TweakList {
  /** The profile's id. */
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** Active lines of the list. */
  readonly lines: number;
  /** Those of them that are measured. */
  readonly measured: Readonly<Record<string, PreferenceValue>>;
}

/** The lists in the order of their age, the one without a date last. */
export const TWEAK_LISTS: readonly TweakList[] = [
  {
    id: 'betterfox-130',
    title: 'Betterfox 130 (Fastfox.js of 2024-09-26), network lines',
    source: 'https://github.com/yokoffing/Betterfox, commit ab5ede0, MIT',
    lines: 20,
    measured: {
      'network.http.max-connections': 1800,
      'network.http.max-persistent-connections-per-server': 10,
      'network.http.max-urgent-start-excessive-connections-per-host': 5,
      'network.http.pacing.requests.enabled': false,
      'network.dnsCacheExpiration': 3600,
      'network.ssl_tokens_cache_capacity': 10240,
      'network.dns.disablePrefetch': true,
      'network.dns.disablePrefetchFromHTTPS': true,
      'network.prefetch-next': false,
    },
  },
  {
    id: 'betterfox-152',
    title: 'Betterfox 152 (Fastfox.js of 2026-07-02), network lines',
    source: 'https://github.com/yokoffing/Betterfox, commit 7558fdc, MIT',
    lines: 14,
    measured: {
      'network.buffer.cache.size': 65535,
      'network.buffer.cache.count': 48,
      'network.http.max-connections': 1800,
      'network.http.max-persistent-connections-per-server': 10,
      'network.http.max-urgent-start-excessive-connections-per-host': 5,
      'network.http.request.max-start-delay': 5,
      'network.dnsCacheExpiration': 3600,
    },
  },
  {
    id: 'arkenfox',
    title: 'arkenfox (user.js of 2026-08-20), network lines',
    source: 'https://github.com/arkenfox/user.js, commit 450f476, MIT',
    lines: 182,
    measured: {
      'network.prefetch-next': false,
      'network.dns.disablePrefetch': true,
      'network.dns.disablePrefetchFromHTTPS': true,
      'network.http.speculative-parallel-limit': 0,
    },
  },
  {
    id: 'folklore',
    title: 'Lines that stand in many public dotfiles',
    source: 'ku1ik/dotfiles firefox/user.js, calendulish/Overlays firefox-bin-prefs.js, uberspot/dotfiles; names and values alone',
    lines: 18,
    measured: {
      'network.dnsCacheEntries': 100,
      'network.dnsCacheExpiration': 600,
      'network.http.max-connections': 64,
      'network.http.max-persistent-connections-per-server': 8,
      'network.http.max-persistent-connections-per-proxy': 16,
      'network.http.request.max-start-delay': 1,
    },
  },
];
