/** Which redirect led to which request. */
import type { PlacedRequest } from './place-requests.ts';

/**
 * For each request the position of the redirect it follows, always an earlier one; `undefined`: it follows none. Each redirect is
 * followed once, in the order in which they were asked for, so that a loop of redirects becomes a chain of as many as were recorded.
 */
export function redirectsFollowed(requests: readonly PlacedRequest[]): readonly (number | undefined)[] {
  const open = new Map<string, { readonly positions: number[]; next: number }>();
  return requests.map(({ observed }, position) => {
    const waiting = open.get(observed.url);
    const followed = waiting?.positions[waiting.next];
    if (waiting !== undefined && followed !== undefined) waiting.next += 1;
    if (observed.outcome === 'redirected' && observed.redirectsTo !== undefined) {
      const own = open.get(observed.redirectsTo);
      if (own === undefined) open.set(observed.redirectsTo, { positions: [position], next: 0 });
      else own.positions.push(position);
    }
    return followed;
  });
}
