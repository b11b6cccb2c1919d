/** The links of the warm-up study: near and far, each also with the client's receive buffer fixed at sizes of the survey. */
import type { LinkSpec } from '../link/link-spec.ts';

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

export const WARM_UP_LINKS: readonly LinkSpec[] = [
  NEAR,
  FAR,
  ...SURVEYED.map((bytes) => withBuffer(NEAR, bytes)),
  ...SURVEYED_FAR.map((bytes) => withBuffer(FAR, bytes)),
];
