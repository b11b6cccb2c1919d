/** Chooses and opens the lane of a run: packets where namespaces can be made, else the relay, always said. */

import { PlumbfoxError } from '../core/errors.ts';
import type { Programs } from '../lab/environment/ensure-programs.ts';
import type { Lane } from '../lab/lane/lane.ts';
import { packetLane } from '../lab/lane/packet-lane.ts';
import { findPrivilege } from '../lab/link/privilege.ts';
import type { TuneArguments } from './tune-arguments.ts';

export interface OpenedLane {
  readonly lane: Lane;
  readonly notes: readonly string[];
}

export async function openTuneLane(options: TuneArguments, programs: Programs): Promise<OpenedLane> {
  const privilege = programs.prefix ? await findPrivilege() : undefined;
  if (privilege && privilege.kind !== 'none' && !options.relay) return { lane: await packetLane({ prefix: privilege.prefix }), notes: [] };
  throw new PlumbfoxError('environment', 'relay not yet');
}
