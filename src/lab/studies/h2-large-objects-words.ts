/** Figures of large objects in words. */

/** `19.3 Mbit/s`. */
export const megabits = (kbps: number): string => `${(kbps / 1000).toFixed(1)} Mbit/s`;

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
