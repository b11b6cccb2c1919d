/** Links by name, and the parser of links written as figures. A name never stands alone in an output: the figures go with it. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { LinkSpec } from './link-spec.ts';
import { parseFigures, splitLinks } from './link-text.ts';

/**
 * Our own choice of figures for the two links of the default run:
 * `far-2m`: RTT 300 ms, the "3G" of WebPageTest's connectivity.ini.sample, with the 2 Mbit/s of an HSDPA or a poor satellite line.
 * `dsl-10m`: RTT 50 ms and 10 Mbit/s down, an ordinary ADSL2+ line with 1 Mbit/s up.
 * Their queues are as deep as mobile networks were found to have them, where loss does not stop TCP (Jiang et al., "Understanding
 * bufferbloat in cellular networks", CellNet 2012). A shallow queue, such as 100 packets, shows losses, and needs more blocks: with
 * it the image page took 7.4 to 8.5 s from one load to the next, with these 7.5 to 7.6 s.
 */
export const LINKS: readonly LinkSpec[] = [
  { name: 'far-2m', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 },
  { name: 'dsl-10m', rttMs: 50, downKbps: 10_000, upKbps: 1000, queue: 1000 },
];
export const DEFAULT_LINKS: readonly string[] = LINKS.map(({ name }) => name);

/** What the emulator was tried with; beyond, its timers or its queue no longer keep what is asked. */
const BOUNDS = { rtt: [1, 5000], down: [10, 50_000], up: [10, 50_000], queue: [2, 100_000] } as const;

/** Full-size packets of one bandwidth-delay product, at least 100: below that even a lone connection cannot fill the link. */
export const defaultQueue = (rttMs: number, downKbps: number): number => Math.max(100, Math.ceil((rttMs * downKbps) / 8 / 1500));

/**
 * `far-2m`, or `rtt=300,down=2000,up=384,queue=100` (ms, kbit/s, kbit/s, packets); `up` defaults to `down`,
 * `queue` to one bandwidth-delay product and at least 100.
 * @throws PlumbfoxError `bad-input`
 */
export function parseLink(text: string): LinkSpec {
  if (!text.includes('=')) {
    const known = LINKS.find(({ name }) => name === text);
    if (known) return known;
    throw new PlumbfoxError(
      'bad-input',
      `There is no link "${text}". Links: ${DEFAULT_LINKS.join(', ')}, or figures such as rtt=300,down=2000,up=384,queue=100`,
    );
  }
  const fields = parseFigures(text, BOUNDS);
  const rttMs = fields.get('rtt');
  const downKbps = fields.get('down');
  if (rttMs === undefined || downKbps === undefined)
    throw new PlumbfoxError('bad-input', `Link "${text}" needs rtt (ms) and down (kbit/s)`);
  const queue = Math.round(fields.get('queue') ?? defaultQueue(rttMs, downKbps));
  return { name: text, rttMs, downKbps, upKbps: fields.get('up') ?? downKbps, queue };
}

/** Several links as typed, see `splitLinks`. @throws PlumbfoxError `bad-input` */
export const parseLinks = (text: string): readonly LinkSpec[] => splitLinks(text).map(parseLink);

/** How a link is shown: the figures always. */
export function linkFigures(link: LinkSpec): string {
  return `RTT ${link.rttMs} ms, ${link.downKbps} kbit/s down, ${link.upKbps} up, queue ${link.queue} packets`;
}
