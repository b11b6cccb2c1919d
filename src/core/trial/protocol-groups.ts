/** The loads of a trial by the protocol of their pages: those that its verdict is about, and the others. */
import type { LoadProtocol } from '../compare/comparison.ts';
import { mostOf } from './protocol-plan.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import { TRIAL_PROTOCOLS, type TrialProtocol } from './trial-protocol.ts';

export interface ProtocolGroups {
  /** `undefined`: all loads are judged together, as there is one protocol or none is known. */
  readonly judged: TrialProtocol | undefined;
  /** Of which there are loads beside the judged one, in a fixed order. */
  readonly others: readonly TrialProtocol[];
  readonly of: (load: TrialLoad) => TrialProtocol;
}

const TOGETHER: ProtocolGroups = { judged: undefined, others: [], of: () => 'unknown' };

/** @param loads all of the trial. @param screened of them, those of the screening. */
export function protocolGroups(
  { format, protocols }: TrialPlan,
  loads: readonly TrialLoad[],
  screened: readonly TrialLoad[],
): ProtocolGroups {
  const known = [...new Set(loads.flatMap(({ protocol }) => protocol ?? []))];
  // Before the third format all loads were judged together.
  if (format !== 3 || known.length === 0) return TOGETHER;
  const planned = protocols.judged === 'unknown' ? mostOf(protocolsOf(screened), protocols.reached) : protocols.judged;
  const judged = planned ?? mostOf(protocolsOf(loads), protocols.reached);
  if (judged === undefined || (known.length === 1 && known[0] === judged)) return TOGETHER;
  // Loads that do not tell are with the only protocol that the others have.
  const [only] = known;
  const silent = known.length === 1 && only !== undefined ? only : 'unknown';
  const of = ({ protocol }: TrialLoad): TrialProtocol => protocol ?? silent;
  const there = new Set(loads.map(of));
  return { judged, others: TRIAL_PROTOCOLS.filter((one) => one !== judged && there.has(one)), of };
}

const protocolsOf = (loads: readonly TrialLoad[]): readonly LoadProtocol[] => loads.flatMap(({ protocol }) => protocol ?? []);
