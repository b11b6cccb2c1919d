/** Figures of large objects in words. */
import { percent } from '../../../core/text/figures.ts';
import type { Range } from './cells.ts';
import { WINDOW_MS } from './rate.ts';

/** What every figure of a rate's variation is seen in: nothing shorter shows. */
export const IN_WINDOWS = `in windows of ${WINDOW_MS} ms`;

/** `19.3 Mbit/s`. */
export const megabits = (kbps: number): string => `${(kbps / 1000).toFixed(1)} Mbit/s`;

/** `19.1 to 19.4 Mbit/s`. */
export const megabitsRange = ({ low, high }: Range): string => `${(low / 1000).toFixed(1)} to ${megabits(high)}`;

/** `28 % to 31 %`, from the smallest to the largest of some loads. */
export const percentRange = ({ low, high }: Range): string => `${percent(low)} to ${percent(high)}`;

/** `64 KiB`, `12 MiB`, `250 kB`: binary where the preference is, else decimal. */
export function bytesInWords(bytes: number): string {
  if (bytes >= MEBI && bytes % MEBI === 0) return `${bytes / MEBI} MiB`;
  if (bytes >= KIBI && bytes % KIBI === 0) return `${bytes / KIBI} KiB`;
  return `${Math.round(bytes / 1000)} kB`;
}

const KIBI = 1024;
const MEBI = KIBI * KIBI;

/** How the page was carried. */
export const PROTOCOL_WORDS = {
  embedded: 'HTTP/1.1 without TLS',
  nginx: 'HTTP/1.1 without TLS',
  https: 'HTTP/1.1',
  http2: 'HTTP/2',
  http3: 'HTTP/3',
} as const;
