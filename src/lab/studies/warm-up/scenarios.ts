/** Which pages the warm-up study loads over which links. */
import type { LinkSpec } from '../../link/link-spec.ts';
import { manyOrigins, sequence } from '../../pages/study-pages.ts';
import type { StudyPage } from '../study.ts';

/** The survey's values have 1 kB; 64 kB are more than the ten segments that a new connection may send at once (RFC 6928). */
const SMALL = sequence({ name: 'sequence-1k', bytes: 1024 });
const LARGE = sequence({ name: 'sequence-64k', bytes: 65_536 });

/** Sequences of small and of large objects, over cold and warm connections, and many servers at once. */
export const WARM_UP_PAGES: readonly StudyPage[] = [
  ...[SMALL, LARGE].flatMap((recipe) =>
    (['cold', 'warm'] as const).map(
      (connections): StudyPage => ({ name: `${recipe.name}-${connections}`, recipe, servedBy: 'embedded', connections }),
    ),
  ),
  { name: manyOrigins.name, recipe: manyOrigins, servedBy: 'embedded', connections: 'cold' },
];

/**
 * Our own choice: as fast as each other, so that only the distance differs; 20 Mbit/s over 200 ms are 500 kB under way, more than any of
 * the buffers holds.
 */
const NEAR: LinkSpec = { name: 'near-20m', rttMs: 20, downKbps: 20_000, upKbps: 5000, queue: 1000 };
const FAR: LinkSpec = { ...NEAR, name: 'far-20m', rttMs: 200 };
/** Between the two round-trip times. */
export const FAR_FROM_MS = 100;

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

/** Near and far with the kernel's own receive buffer, then with those of the survey. */
export const WARM_UP_LINKS: readonly LinkSpec[] = [
  NEAR,
  FAR,
  ...SURVEYED.map((bytes) => withBuffer(NEAR, bytes)),
  ...SURVEYED_FAR.map((bytes) => withBuffer(FAR, bytes)),
];

/** A third to a half of the buffer comes in a round trip: with less than these a load of the large page takes longer than all others together. */
const MIN_BUFFER_FOR_LARGE = { near: 4096, far: 65_536 };

/**
 * Leaves out pages that show nothing more, or would take minutes: opening ahead of need has nothing to do with the receive buffer; the large page
 * with a small buffer; and with 512 bytes, where every kilobyte takes seconds, all but the small page over cold connections.
 */
export function leftOutOfWarmUp({ recipe, connections }: StudyPage, { rttMs, receiveBufferBytes }: LinkSpec): boolean {
  if (receiveBufferBytes === undefined) return false;
  if (recipe === manyOrigins) return true;
  if (receiveBufferBytes < 1024) return recipe !== SMALL || connections === 'warm';
  if (recipe === SMALL) return false;
  return connections === 'warm' || receiveBufferBytes < (rttMs < FAR_FROM_MS ? MIN_BUFFER_FOR_LARGE.near : MIN_BUFFER_FOR_LARGE.far);
}
