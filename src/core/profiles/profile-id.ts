/** `cN-dM`: N connections per server, M requests outstanding on each; and what a person reads instead, the same on every screen. */
import { DEEPEST, MAX_CONNECTIONS } from './check-profile.ts';

export interface ConnectionsAndDepth {
  /** HTTP/1.1 connections per server, 1..255. */
  readonly connections: number;
  /** Requests that may be outstanding on one connection, 1..64. */
  readonly depth: number;
}

const PATTERN = /^c([1-9]\d{0,2})-d([1-9]\d?)$/;

/** Reads `c4-d6`; `undefined`: not of that form, or out of range. No leading zeros: each profile has one name. */
export function parseProfileId(id: string): ConnectionsAndDepth | undefined {
  const match = PATTERN.exec(id);
  if (match === null) return undefined;
  const connections = Number(match[1]);
  const depth = Number(match[2]);
  return connections <= MAX_CONNECTIONS && depth <= DEEPEST ? { connections, depth } : undefined;
}

/** The inverse of `parseProfileId`; the numbers are not checked. */
export const formatProfileId = ({ connections, depth }: ConnectionsAndDepth): string => `c${connections}-d${depth}`;

/** `12 connections`, `4 connections with up to 6 requests on each`; a profile with a name of its own goes by that. */
export function profileLabel(profileId: string): string {
  const numbers = parseProfileId(profileId);
  if (numbers === undefined) return profileId;
  const { connections, depth } = numbers;
  const each = depth === 1 ? '' : ` with up to ${depth} requests on ${connections === 1 ? 'it' : 'each'}`;
  return `${connections} ${connections === 1 ? 'connection' : 'connections'}${each}`;
}

/** Whether a sentence about `profileLabel` has its verb in the plural. */
export const isPluralLabel = (profileId: string): boolean => (parseProfileId(profileId)?.connections ?? 1) > 1;
