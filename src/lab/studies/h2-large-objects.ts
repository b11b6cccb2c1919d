/**
 * "Transferring large objects over H2 sometimes shows unexplained performance variations": objects of 1, 10 and 50 MB behind a real HAProxy,
 * with the receive windows of Firefox from 64 KiB to the 12 MiB it ships; HTTP/1.1 and HTTP/3 beside it.
 *
 * Links: one whose bandwidth-delay product (125 kB) is close to the 96 KiB Firefox acknowledges at, and one where it is far above (250 kB).
 * Their queues are deep (1,000 packets): TCP overshoots them once, and what it backs off from still fills the link, so the rate does not vary for that.
 */

import { HTTP2_PULL_ALLOWANCE, HTTP2_PUSH_ALLOWANCE, HTTP3_MAX_STREAM_DATA } from '../../core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { sendingWith } from '../link/link-spec.ts';
import { large1mb, large10mb, large50mb } from '../pages/study-pages.ts';
import { h2LargeObjectsFindings } from './h2-large-objects/analysis.ts';
import type { Study } from './study.ts';

/** The same window for a response over HTTP/2 and over HTTP/3. */
function receiveWindow(name: string, bytes: number): Profile {
  return {
    id: `pull-${name}`,
    title: `Receive window of ${bytes.toLocaleString('en')} bytes for a response`,
    connections: undefined,
    depth: 1,
    preferences: {
      [HTTP2_PULL_ALLOWANCE]: bytes,
      ...(bytes < SHIPPED.http2PushAllowance && { [HTTP2_PUSH_ALLOWANCE]: bytes }),
      [HTTP3_MAX_STREAM_DATA]: bytes,
    },
  };
}

/** See above for why these two. */
export const NEAR: LinkSpec = { name: 'rtt20-50m', rttMs: 20, downKbps: 50_000, upKbps: 10_000, queue: 1000 };
export const FAR: LinkSpec = { name: 'rtt100-20m', rttMs: 100, downKbps: 20_000, upKbps: 5000, queue: 1000 };

export const h2LargeObjects: Study = {
  id: 'h2-large-objects',
  question: 'Does the HTTP/2 receive window (pull-allowance) explain swings in the throughput of large objects behind HAProxy?',
  source: 'HAProxy, commit "MEDIUM: mux-h2: avoid doing expensive buffer realigns when not absolutely needed", in 2.0',
  pages: [
    { name: 'h2-1mb', recipe: large1mb, servedBy: 'http2', connections: 'cold' },
    { name: 'h2-10mb', recipe: large10mb, servedBy: 'http2', connections: 'cold' },
    { name: 'h2-50mb', recipe: large50mb, servedBy: 'http2', connections: 'cold' },
    { name: 'h1-10mb', recipe: large10mb, servedBy: 'https', connections: 'cold' },
    { name: 'h3-10mb', recipe: large10mb, servedBy: 'http3', connections: 'cold' },
  ],
  links: sendingWith('reno', [NEAR, FAR]),
  profiles: [
    FIREFOX_DEFAULT,
    receiveWindow('64k', 64 * 1024),
    receiveWindow('256k', 256 * 1024),
    receiveWindow('1m', 1024 * 1024),
    // What ships, set explicitly: the same profile under another name, which no honest figure may distinguish from the baseline.
    receiveWindow('12m', 12 * 1024 * 1024),
  ],
  baseline: BASELINE_ID,
  repeats: 3,
  /** 50 MB at the 5 Mbit/s that 64 KiB allow on the far link would take 80 s, and show what 10 MB show. */
  without: (page, link) => page.recipe === large50mb && link.name === FAR.name,
  timeoutS: 60,
  tookMinutes: 12,
  cut: { pages: ['h2-10mb'], links: [FAR.name], profiles: ['pull-256k'], repeats: 1 },
  original: {
    swings: {
      what: 'swings of large objects over HTTP/2',
      original: '"unexplained performance variations", gone with the fix ("a much more stable bit rate")',
      why: 'the fault was memory moved within the proxy up to 10,000 times a second, seen at tens of Gbit/s; it is repaired in every HAProxy since 2.0, and these links are a thousand times slower',
    },
    rate: {
      what: 'rate at which it was seen',
      original: '60 Gbit/s (one realignment in 15 s once repaired)',
      why: 'a browser on the links of people; what can swing here is the flow control between it and the proxy',
    },
  },
  findings: h2LargeObjectsFindings,
};
