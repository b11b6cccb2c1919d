/** The servers of a recorded page as those of a recipe: numbered, the document's first, as many as the lab has addresses. */
import { MOST_ORIGINS } from './recipe-schema.ts';

export interface NumberedServers {
  readonly numberOf: ReadonlyMap<string, number>;
  /** Servers of the record that share the number of another. */
  readonly folded: number;
}

/**
 * Those with the most requests keep a number of their own; each of the others joins whichever of them, the document's set aside, has the
 * fewest requests by then: many servers of one or two requests stay several servers of a few.
 *
 * @param origins of each request, in the order of the page; the document's need not be the first.
 */
export function numberServers(origins: readonly string[], documentOrigin: string): NumberedServers {
  const counts = new Map<string, number>();
  for (const origin of origins) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  // `sort` keeps the order of the page among equals.
  const others = [...counts].filter(([origin]) => origin !== documentOrigin).sort((a, b) => b[1] - a[1]);
  const numbered = others.slice(0, MOST_ORIGINS - 1);
  const numberOf = new Map([[documentOrigin, 0], ...numbered.map(([origin], at): [string, number] => [origin, at + 1])]);
  const loads = numbered.map(([, count]) => count);
  const folded = others.slice(MOST_ORIGINS - 1);
  for (const [origin, count] of folded) {
    const least = loads.indexOf(Math.min(...loads));
    numberOf.set(origin, least + 1);
    loads[least] = (loads[least] ?? 0) + count;
  }
  return { numberOf, folded: folded.length };
}
