/** What must have arrived before each request is asked for; the rules are in docs/page-graphs.md. */

import { type Dependency, DISCOVERY_RULES, type DiscoveryRule, type Found, whole } from './dependency.ts';
import type { Inference } from './inference.ts';
import { AskerFinder } from './initiators.ts';
import type { PlacedLoad } from './place-requests.ts';
import { connectionsTakenOver } from './queue.ts';
import { redirectsFollowed } from './redirects.ts';
import { inferenceOf, tally } from './tally.ts';

export interface InferredDiscovery {
  /** In the order of the requests; the first has none. Every dependency is on an earlier position, so no cycle can be. */
  readonly dependencies: readonly (readonly Dependency[])[];
  readonly inferred: readonly Inference[];
}

/** @param bytes of each response on the wire. */
export function inferDiscovery(load: PlacedLoad, bytes: readonly number[]): InferredDiscovery {
  const finder = new AskerFinder(load, bytes);
  const redirects = redirectsFollowed(load.requests);
  const takenOver = connectionsTakenOver(load.requests);
  const found: Found[] = [];
  load.requests.forEach((request, position) => {
    found.push(
      position === 0
        ? { rule: 'root', dependencies: [] }
        : (afterRedirect(load, position, redirects[position]) ?? withOneBefore(found, takenOver[position]) ?? finder.find(position)),
    );
    finder.pass(request, position);
  });
  const redirected = found.filter(({ rule }) => rule === 'redirect').length;
  return {
    dependencies: found.map(({ dependencies }) => dependencies),
    inferred: [
      ...inferenceOf('redirects', redirected, 'Asked for after the whole of the response that redirected to it'),
      ...tally<DiscoveryRule>(
        'discovery',
        found.map(({ rule }) => (rule === 'redirect' || rule === 'root' ? 'told' : rule)),
        DISCOVERY_RULES,
      ),
    ],
  };
}

function afterRedirect({ requests }: PlacedLoad, position: number, redirect: number | undefined): Found | undefined {
  const [request, hop] = [requests[position], redirect === undefined ? undefined : requests[redirect]];
  if (request === undefined || redirect === undefined || hop === undefined) return undefined;
  return { rule: 'redirect', dependencies: [whole(redirect, request.startMs - (hop.endMs ?? request.startMs))] };
}

/** As the request whose connection it took over; as if it had found its own asker where that is the document. */
function withOneBefore(found: readonly Found[], before: number | undefined): Found | undefined {
  const dependencies = before === undefined ? undefined : found[before]?.dependencies;
  return dependencies === undefined || dependencies.length === 0 ? undefined : { rule: 'queue', dependencies };
}
