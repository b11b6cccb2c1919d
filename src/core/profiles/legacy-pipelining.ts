import type { PreferenceValue } from './knob.ts';

/**
 * HTTP/1.1 pipelining of `depth` as Gecko up to 53 and its forks set it (Gecko 52 all.js; Fennec's mobile.js set the same first four).
 * `max-optimistic-requests` follows the depth, or Gecko would open connections before it fills a pipeline.
 */
export const legacyPipelining = (depth: number): Readonly<Record<string, PreferenceValue>> => ({
  'network.http.pipelining': true,
  'network.http.pipelining.ssl': true,
  'network.http.proxy.pipelining': true,
  'network.http.pipelining.maxrequests': depth,
  'network.http.pipelining.max-optimistic-requests': depth,
});
