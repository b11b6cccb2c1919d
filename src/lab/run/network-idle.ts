/**
 * How long the network must be idle before the recorder ends a load. A load event waits for no data that a script asks for, and while one
 * answer is awaited nothing else may arrive: a window shorter than the slowest answer ends the record in the middle of the page.
 */
import { PlumbfoxError } from '../../core/errors.ts';
import { MAX_LOAD_MS, QUIET_MS } from '../../core/measure/load-window.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { asksForData, type PageRecipe } from '../pages/page-recipe.ts';

/** Most of the lab's pages are done with their load event; those whose scripts ask for data get `QUIET_MS` at least. */
export const LAB_NETWORK_IDLE_MS = 150;
/** A page has to load and then to be idle within the 60 s that are recorded, and its slowest answer is in both. */
const MAX_IDLE_MS = 25_000;

/** One for the connection, one for the request, and one to spare. */
const ROUND_TRIPS = 3;
/** Bytes of a new connection's first round trip of data: 10 segments (RFC 6928), and twice as many in each that follows. */
const FIRST_WINDOW_BYTES = 14_600;

/** The time that the slowest answer of these pages may take over these links; at least what the lab's pages need. */
export function networkIdleMs(pages: readonly PageRecipe[], links: readonly LinkSpec[]): number {
  if (!pages.some(asksForData)) return LAB_NETWORK_IDLE_MS;
  return Math.max(QUIET_MS, ...pages.flatMap((page) => links.map((link) => slowestAnswerMs(page, link))));
}

/** Longest that a page's data may take to answer: round trips, what its server thinks, and all data of the page down one line. */
function slowestAnswerMs({ resources }: PageRecipe, { rttMs, downKbps }: LinkSpec): number {
  const data = resources.filter(({ kind }) => kind === 'fetch');
  if (data.length === 0) return 0;
  const largest = Math.max(...data.map(({ bytes }) => bytes));
  const roundTrips = ROUND_TRIPS + Math.ceil(Math.log2(1 + largest / FIRST_WINDOW_BYTES));
  const allBytes = data.reduce((sum, { bytes }) => sum + bytes, 0);
  return Math.ceil(Math.max(...data.map(({ serverMs = 0 }) => serverMs)) + roundTrips * rttMs + (allBytes * 8) / downKbps);
}

/** @throws PlumbfoxError `bad-input` for a page whose data takes longer than the recorder can wait. */
export function checkDataIsAwaited(pages: readonly PageRecipe[], links: readonly LinkSpec[]): void {
  for (const page of pages) {
    for (const link of links) {
      const ms = slowestAnswerMs(page, link);
      if (ms <= MAX_IDLE_MS) continue;
      throw new PlumbfoxError(
        'bad-input',
        `--pages: data that a script of ${page.name} asks for may take ${Math.ceil(ms / 1000)} s over ${link.name}, and at most ${MAX_IDLE_MS / 1000} s can be awaited of the ${MAX_LOAD_MS / 1000} s that are recorded: take a page whose data comes sooner, or a quicker link`,
      );
    }
  }
}
