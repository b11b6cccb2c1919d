/**
 * What depth means in the memo and here. "That parameter controls the total number of outstanding pipelined requests - it is two total, not two
 * per connection in configurations where more than one parallel connection is achieved" (section on parallelism); the gateway's depth is
 * that of each connection to a server.
 */

/** The memo's {4,6}: in all. */
const MEMO_PICK_OUTSTANDING = 6;

interface Outstanding {
  readonly connections?: number | undefined;
  readonly depth: number;
}

/** To one server; `undefined`: it is not said how many connections there are. */
const outstandingOf = ({ connections, depth }: Outstanding): number | undefined =>
  connections === undefined ? undefined : connections * depth;

/** For a row of the comparison with the memo. */
export const DEPTH_DIFFERS = `the memo's depth counts the requests of all connections together, ours those of each: its {4,6} allows about ${MEMO_PICK_OUTSTANDING} at once, our c4-d6 24 and c4-d2 8`;

/** For the rows after it. */
export const DEPTH_AS_ABOVE = "the memo's depth is of all connections together, ours of each, as above";

/** For the answer itself. */
export const DEPTH_SENTENCE = `Depth is not the memo's: there it is "two total, not two per connection", here it is that of each connection to a server (cN-dM: N connections with M requests each). Only {1,2} is the same configuration in both. The memo's {4,6} allows about ${MEMO_PICK_OUTSTANDING} requests at once; nearest to it are c3-d2 with 6 and c4-d2 with 8, while c4-d6 allows 24.`;

/** `c4-d2 allows 8 at once, the memo's {4,6} about 6`; `undefined`: it is not said how many connections there are. */
export function allowsInWords(profile: Outstanding & { readonly id: string }): string | undefined {
  const outstanding = outstandingOf(profile);
  return outstanding === undefined
    ? undefined
    : `${profile.id} allows ${outstanding} at once, the memo's {4,6} about ${MEMO_PICK_OUTSTANDING}`;
}
