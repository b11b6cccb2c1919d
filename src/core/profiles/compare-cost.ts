import { PER_SERVER } from './catalogue.ts';
import { findKnob } from './find-knob.ts';
import type { Profile } from './profile.ts';

/** What a profile costs in memory, here and on the servers: every connection holds buffers, every outstanding request state. */
export interface MemoryCost {
  readonly connections: number;
  readonly depth: number;
}

export function memoryCost(profile: Pick<Profile, 'connections' | 'depth'>): MemoryCost {
  return { connections: profile.connections ?? shippedConnections(), depth: profile.depth };
}

/** Order of cost for `sort`: fewest connections first, then smallest depth. 0: they cost the same. */
export function compareCost(a: Pick<Profile, 'connections' | 'depth'>, b: Pick<Profile, 'connections' | 'depth'>): number {
  const [costA, costB] = [memoryCost(a), memoryCost(b)];
  return costA.connections - costB.connections || costA.depth - costB.depth;
}

function shippedConnections(): number {
  const shipped = findKnob(PER_SERVER)?.defaults.desktop;
  if (typeof shipped !== 'number') throw new RangeError(`${PER_SERVER} has no default in the catalogue`);
  return shipped;
}
