/** What a person visits, when, over which network: made up, with a seed. */
import type { Random } from '../../../src/core/random.ts';
import { exponential, normal } from './noise.ts';

export interface Visit {
  readonly startedAtMs: number;
  readonly page: string;
  readonly link: string;
  /** From 0. */
  readonly session: number;
  /** Log efficiency that page and link make. */
  readonly level: number;
}

export interface BrowsingHabits {
  readonly pages: number;
  /** Exponent s of Zipf's law: the k-th page is visited with weight k^-s. */
  readonly popularity: number;
  /** Standard deviation of the pages' own log efficiency. */
  readonly pageSpread: number;
  readonly links: readonly { readonly name: string; readonly share: number; readonly level: number }[];
  /** Mean of a geometric number. */
  readonly visitsPerSession: number;
  /** Means of exponential times. */
  readonly betweenVisitsMs: number;
  readonly betweenSessionsMs: number;
}

const SECOND = 1000;
export const HOUR = 3600 * SECOND;

/**
 * Our own choices, as no study of one person's page loads with their efficiencies is public: 30 pages in turn; Zipf's exponent
 * 0.8, the upper end of what Breslau et al., "Web caching and Zipf-like distributions" (INFOCOM 1999), found in traces; pages
 * that differ by 0.5 and loads by 0.25 make the log-sd of 0.6 without blocks that loads of real pages have.
 */
export const EVERYDAY: BrowsingHabits = {
  pages: 30,
  popularity: 0.8,
  pageSpread: 0.5,
  links: [
    { name: 'home', share: 0.75, level: 0 },
    { name: 'train', share: 0.25, level: -0.3 },
  ],
  visitsPerSession: 12,
  betweenVisitsMs: 45 * SECOND,
  betweenSessionsMs: 2 * HOUR,
};

/** One long sitting over one link. */
export const ONE_SITTING: BrowsingHabits = {
  ...EVERYDAY,
  links: [{ name: 'home', share: 1, level: 0 }],
  visitsPerSession: Number.POSITIVE_INFINITY,
};

/** Without end. */
export function* browse(habits: BrowsingHabits, random: Random): Generator<Visit, never> {
  const pages = Array.from({ length: habits.pages }, (_, rank) => ({
    name: `page-${rank + 1}`,
    share: (rank + 1) ** -habits.popularity,
    level: habits.pageSpread * normal(random),
  }));
  let startedAtMs = 0;
  for (let session = 0; ; session++) {
    const link = drawn(habits.links, random);
    do {
      const page = drawn(pages, random);
      yield { startedAtMs, page: page.name, link: link.name, session, level: page.level + link.level };
      startedAtMs += exponential(random, habits.betweenVisitsMs);
    } while (random.next() >= 1 / habits.visitsPerSession);
    startedAtMs += exponential(random, habits.betweenSessionsMs);
  }
}

/** One of them, each with the chance of its share of all shares. */
function drawn<T extends { readonly share: number }>(members: readonly T[], random: Random): T {
  let left = random.next() * members.reduce((sum, { share }) => sum + share, 0);
  for (const member of members) {
    left -= member.share;
    if (left < 0) return member;
  }
  const last = members.at(-1);
  if (last === undefined) throw new Error('nothing to draw from');
  return last;
}
