/** Fetches the pieces of a behaviour probe, as many at once as Firefox lets happen: how many that is, the probe counts. */

/** A probe holds its answers for 5 s at most, and answers everything after that; a busy machine takes longer. Our own choice. */
const LONGEST_MS = 15_000;

/**
 * Settles when all have come or failed. Loopback is exempt from `upgrade-insecure-requests`, HTTPS-only mode and local network access, and
 * `no-cors` needs no access to the site (each measured with Firefox 153).
 */
export async function fetchPieces({ port, token, pieces }: { port: number; token: string; pieces: number }): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const fetchPiece = (_: unknown, at: number) =>
    fetch(`http://127.0.0.1:${port}/${token}/${at}`, { cache: 'no-store', mode: 'no-cors', credentials: 'omit', signal });
  await Promise.allSettled(Array.from({ length: pieces }, fetchPiece));
}
