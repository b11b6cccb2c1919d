/**
 * "Firefox Pipelining: Be Afraid": ten pictures over a round trip of 100 ms with six connections; once each had one picture, the other four were
 * pipelined onto one of them, and the page took almost twice as long.
 *
 * What its author did is `c6-d4-bundled`: a bundle of up to four onto a connection with nothing outstanding, while the other five are still warming
 * up. Beside it the same depth appended to whatever connection has least to do, one connection alone, and four with depth 6.
 *
 * The original's server was behind nothing except a delay. The emulator keeps up to 50 Mbit/s, where ten pictures take 0.24 s on the line and slow
 * start 0.5 s or more: there the congestion window decides, as it did there. At 10 Mbit/s they take 1.2 s on the line, and the line decides. Servers
 * of July 2011 began with three segments (RFC 3390; ten came with Linux 2.6.39 of that May), so one link has that. Queues are deep (1,000 packets):
 * the original saw no loss either.
 */
import { FIREFOX_DEFAULT } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { type LinkSpec, sendingWith } from '../link/link-spec.ts';
import { images, imagesSmall } from '../pages/pages.ts';
import { BUNDLED_ID, pipelining10x150kFindings } from './pipelining-10x150k/analysis.ts';
import type { Study } from './study.ts';

/** See above for why these three. */
export const FAST: LinkSpec = { name: 'rtt100-50m', rttMs: 100, downKbps: 50_000, upKbps: 10_000, queue: 1000 };
export const FAST_2011: LinkSpec = { ...FAST, name: 'rtt100-50m-2011', initialWindow: 3 };
export const SLOW: LinkSpec = { name: 'rtt100-10m', rttMs: 100, downKbps: 10_000, upKbps: 2000, queue: 1000 };

const bundled = (): readonly Profile[] =>
  resolveProfiles(['c6-d4']).map((profile) => ({
    ...profile,
    id: BUNDLED_ID,
    title: '6 connections per server; up to 4 waiting requests at once onto one with nothing outstanding',
    dispatch: 'bundled',
  }));

export const pipelining10x150k: Study = {
  id: 'pipelining-10x150k',
  // Its question is of pipelining itself.
  gatewayVisit: 'known-site',
  question: 'Does pipelining ten pictures onto cold connections nearly double the time of a page over a round trip of 100 ms?',
  source: 'C. Strom, "Firefox Pipelining: Be Afraid", japhr.blogspot.com, 14 July 2011',
  pages: [
    { name: 'images-cold', recipe: images, servedBy: 'nginx', connections: 'cold' },
    { name: 'images-warm', recipe: images, servedBy: 'nginx', connections: 'warm' },
    { name: 'images-16k-cold', recipe: imagesSmall, servedBy: 'nginx', connections: 'cold' },
    { name: 'images-16k-warm', recipe: imagesSmall, servedBy: 'nginx', connections: 'warm' },
  ],
  links: sendingWith('reno', [FAST, FAST_2011, SLOW]),
  profiles: [FIREFOX_DEFAULT, ...bundled(), ...resolveProfiles(['c6-d4', 'c4-d6', 'c1-d4', 'c1-d10'])],
  baseline: BASELINE_ID,
  repeats: 5,
  timeoutS: 30,
  tookMinutes: 10,
  cut: { pages: ['images-cold'], links: [FAST.name], profiles: [BUNDLED_ID, 'c1-d10'], repeats: 1 },
  original: {
    loadTime: {
      what: 'load time with four requests pipelined onto one of six connections, against control',
      original: '"almost doubling"; one load of each, without an interval',
      why: 'the original compares what two connections of two runs carried (80,000 bytes against 30,000), not two page loads: the one that carried more took longer. The bundle here starts from the window its first picture left, and the connection it is on had no handshake to wait for',
    },
    pictures: {
      what: 'time of the pictures, pipelined and not',
      original:
        '"well over a second" for all that the one connection carried that pipelined; "~600ms" for the first 30,000 bytes of the busiest connection, in either run alike',
      why: "not the same quantity: the original's times are of one connection, and its 600 ms are from before anything was pipelined. Its bytes fit pictures of about 16 kB, and its servers began with a smaller window; both sizes and both windows are measured here",
    },
    congestionWindow: {
      what: 'congestion window',
      original: '"quite variable", shrinking at points',
      why: "tcptrace's time-sequence graph has the receiver's window at its top: the congestion window is the sender's, and in no packet. What was in flight is a lower bound of it",
    },
  },
  findings: pipelining10x150kFindings,
};
