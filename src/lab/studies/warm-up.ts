/**
 * A survey of TCP slow start between two servers, tried with a browser: how much longer the first request over a connection takes than the
 * later ones, what warming the connection up spares, and what the client's receive buffer has to do with it.
 */
import { PER_SERVER } from '../../core/profiles/catalogue.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { sendingWith } from '../link/congestion-control.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { doors } from '../pages/doors.ts';
import { sequence } from '../pages/sequence.ts';
import type { Study, StudyPage } from './study.ts';
import { warmUpFindings } from './warm-up/findings.ts';

/** One connection per server, so that requests come one after another; and how many connections may be opened ahead of need. */
const speculative = (limit: number): Profile => ({
  id: `speculative-${limit}`,
  title: `1 connection per server, at most ${limit} half-open ones ahead of need`,
  connections: 1,
  depth: 1,
  preferences: { [PER_SERVER]: 1, 'network.http.speculative-parallel-limit': limit },
});

/** The survey's values have 1 kB; 64 kB are more than the ten segments that a new connection may send at once (RFC 6928). */
const SMALL = sequence({ name: 'sequence-1k', bytes: 1024 });
const LARGE = sequence({ name: 'sequence-64k', bytes: 65_536 });

const PAGES: readonly StudyPage[] = [
  ...[SMALL, LARGE].flatMap((recipe) =>
    (['cold', 'warm'] as const).map(
      (connections): StudyPage => ({ name: `${recipe.name}-${connections}`, recipe, servedBy: 'embedded', connections }),
    ),
  ),
  { name: doors.name, recipe: doors, servedBy: 'embedded', connections: 'cold' },
];

/** A third to a half of the buffer comes in a round trip: with less than these a load of the large page takes longer than all others together. */
const SMALLEST_FOR_LARGE = { near: 4096, far: 65_536 };
/** Here the far link begins, ms. */
const FAR_FROM = 100;

/**
 * The pages that tell nothing more, or would take minutes: opening ahead of need has nothing to do with the receive buffer; the large page
 * with a small buffer; and with 512 bytes, where every kilobyte takes seconds, all but the small page over cold connections.
 */
function without({ recipe, connections }: StudyPage, { rttMs, receiveBufferBytes }: LinkSpec): boolean {
  if (receiveBufferBytes === undefined) return false;
  if (recipe === doors) return true;
  if (receiveBufferBytes < 1024) return recipe !== SMALL || connections === 'warm';
  if (recipe === SMALL) return false;
  return connections === 'warm' || receiveBufferBytes < (rttMs < FAR_FROM ? SMALLEST_FOR_LARGE.near : SMALLEST_FOR_LARGE.far);
}

/**
 * Our own choice: as fast as each other, so that only the distance differs; 20 Mbit/s over 200 ms are 500 kB under way, more than any of
 * the buffers holds.
 */
const NEAR: LinkSpec = { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 };
const FAR: LinkSpec = { ...NEAR, name: 'far-20m', rttMs: 200 };

/** Those of the survey; 4 kB is what it calls the default. */
const SURVEYED = [512, 4096, 8192, 16_384, 32_768, 65_536];
/**
 * Over the far link every window costs ten times the time, so fewer; with 512 bytes each answer of 1 kB takes 5.7 s there (measured), 2.2 over
 * the near one, which is far by the survey's measure: its far servers answer after 1.5 ms.
 */
const SURVEYED_FAR = [4096, 16_384, 65_536];

const withBuffer = (link: LinkSpec, receiveBufferBytes: number): LinkSpec => ({
  ...link,
  name: `${link.name}-rmem${receiveBufferBytes < 1024 ? receiveBufferBytes : `${receiveBufferBytes / 1024}k`}`,
  receiveBufferBytes,
});

const WARM_UP_LINKS: readonly LinkSpec[] = [
  NEAR,
  FAR,
  ...SURVEYED.map((bytes) => withBuffer(NEAR, bytes)),
  ...SURVEYED_FAR.map((bytes) => withBuffer(FAR, bytes)),
];

export const warmUp: Study = {
  id: 'warm-up',
  question: 'How much longer does the first request over a connection take than the later ones, and what spares it?',
  source: 'levy5307, "tcp slow start" survey, levy5307/blog issue 40, 2021 (https://levy5307.github.io/blog/tcp-slow-start/)',
  pages: PAGES,
  links: sendingWith('reno', WARM_UP_LINKS),
  profiles: [speculative(20), speculative(6), speculative(0)],
  baseline: 'speculative-20',
  repeats: 2,
  without,
  timeoutS: 60,
  tookMinutes: 14,
  cut: {
    pages: ['sequence-64k-cold', 'sequence-64k-warm', 'doors'],
    links: ['near-20m', 'near-20m-rmem16k'],
    profiles: ['speculative-20', 'speculative-0'],
    repeats: 1,
  },
  findings: warmUpFindings,
};
