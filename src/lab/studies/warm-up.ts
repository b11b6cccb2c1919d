/**
 * A survey of TCP slow start between two servers, tried with a browser: how much longer the first request over a connection takes than the
 * later ones, what warming the connection up spares, and what the client's receive buffer has to do with it.
 */
import { PER_SERVER } from '../../core/profiles/catalogue.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { sendingWith } from '../link/link-spec.ts';
import type { Study } from './study.ts';
import { warmUpPictures } from './table-pictures.ts';
import { warmUpFindings } from './warm-up/analysis.ts';
import { leftOutOfWarmUp, WARM_UP_LINKS, WARM_UP_PAGES } from './warm-up/sequences.ts';

/** One connection per server, so that requests come one after another; and how many connections may be opened ahead of need. */
const speculative = (limit: number): Profile => ({
  id: `speculative-${limit}`,
  title: `1 connection per server, at most ${limit} half-open ones ahead of need`,
  connections: 1,
  depth: 1,
  preferences: { [PER_SERVER]: 1, 'network.http.speculative-parallel-limit': limit },
});

export const warmUp: Study = {
  id: 'warm-up',
  question: 'How much longer does the first request over a connection take than the later ones, and what spares it?',
  source: 'levy5307, "tcp slow start" survey, levy5307/blog issue 40, 2021 (https://levy5307.github.io/blog/tcp-slow-start/)',
  pages: WARM_UP_PAGES,
  links: sendingWith('reno', WARM_UP_LINKS),
  profiles: [speculative(20), speculative(6), speculative(0)],
  baseline: 'speculative-20',
  repeats: 2,
  without: leftOutOfWarmUp,
  timeoutS: 60,
  tookMinutes: 14,
  cut: {
    pages: ['sequence-64k-cold', 'sequence-64k-warm', 'doors'],
    links: ['near-20m', 'near-20m-rmem16k'],
    profiles: ['speculative-20', 'speculative-0'],
    repeats: 1,
  },
  /** Values of 1 KiB, read 100 times over one connection. */
  original: {
    coldFar: {
      what: 'far, buffer of 4 KiB, 1 KiB: first and second request',
      original: '12.1 ms, 1.9 ms: 6.5 times',
      why: "the survey's far servers answer after 1.5 ms; a browser's are 20 and 200 ms away; a handshake is one round trip of two, and 1 KiB fits the first window. Near by, the survey looks up its tables beforehand, which a web server does not have: its longest request falls from 143 to 37 ms (buffer of 64 KiB), while its average rises from 204 to 224 µs",
    },
    warmFar: {
      what: 'the same after a request made only to warm the connection up',
      original: '3.7 ms, 1.9 ms: 2.0 times',
      why: "on a connection already open nothing is left to do but to ask; what the survey's first request still waits for, it does not say",
    },
    smallestBuffer: {
      what: 'far there, near here, buffer of 512 B, 1 KiB: average',
      original: '190 ms, 104 to 109 times as long as with 4 KiB and more; falls to 1.6 ms after some hundred requests',
      // SOCK_MIN_RCVBUF of include/net/sock.h holds for setsockopt and not for the sysctl. Tried on Linux 6.18, x86-64: asked for 512 bytes it gives 2,304.
      why: 'the survey does not say how it set its buffers; here it is net.ipv4.tcp_rmem, at one size throughout. A program that asks for 512 B itself (SO_RCVBUF) gets more from Linux (SOCK_MIN_RCVBUF, 2,304 bytes on x86-64; not a figure of this run)',
    },
    buffersFar: {
      what: 'far, buffers of 4 to 64 KiB, 1 KiB: average',
      original: '1.75 to 1.83 ms: no difference',
      why: '1 KiB fits the smallest of them; what does not fit tells them apart, see the objects of 64 KiB',
    },
    buffersNear: {
      what: 'near, buffers of 512 B to 64 KiB, 1 KiB: average',
      original: '0.20 to 0.21 ms, whatever the buffer',
      why: 'as far: 1 KiB fits every buffer but the smallest, of which the survey may have had more than it asked for, see above',
    },
  },
  findings: warmUpFindings,
  tablePictures: warmUpPictures,
};
