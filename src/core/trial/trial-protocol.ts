/** The protocols by which a trial sets its loads apart, and how they are called within a sentence. */
import { PROTOCOL_LABELS } from '../compare/by-protocol.ts';

/** `unknown`: of loads none of whose requests tell. In the order in which they are shown. */
export const TRIAL_PROTOCOLS = ['http/1.1', 'mixed', 'http/2', 'http/3', 'unknown'] as const;
export type TrialProtocol = (typeof TRIAL_PROTOCOLS)[number];

/** `HTTP/1.1`, `several HTTP versions`. */
export function protocolLabel(protocol: TrialProtocol): string {
  if (protocol === 'unknown') return 'an unknown HTTP version';
  return protocol === 'mixed' ? 'several HTTP versions' : PROTOCOL_LABELS[protocol];
}
