/** The profiles with their own name, the sets, and every `cN-dM`. */
import { CATALOGUE, PACING_ENABLED, PER_SERVER, URGENT_START } from './catalogue.ts';
import { MAX_CONNECTIONS, MAX_DEPTH } from './check-profile.ts';
import type { Profile } from './profile.ts';
import { SHIPPED } from './shipped.ts';

/** The numbers of a profile `cN-dM`: N connections per server, M requests outstanding on each. */
interface ConnectionsAndDepth {
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
  return connections <= MAX_CONNECTIONS && depth <= MAX_DEPTH ? { connections, depth } : undefined;
}

/** The inverse of `parseProfileId`; the numbers are not checked. */
export const formatProfileId = ({ connections, depth }: ConnectionsAndDepth): string => `c${connections}-d${depth}`;

/** `12 connections`, `4 connections with up to 6 requests on each`; a profile with its own name goes by that. */
export function profileLabel(profileId: string): string {
  const numbers = parseProfileId(profileId);
  if (numbers === undefined) return profileId;
  const { connections, depth } = numbers;
  const each = depth === 1 ? '' : ` with up to ${depth} requests on ${connections === 1 ? 'it' : 'each'}`;
  return `${connections} ${connections === 1 ? 'connection' : 'connections'}${each}`;
}

/** With the id that commands and files take: `4 connections with up to 6 requests on each (c4-d6)`, `betterfox`. */
export function profileLabelWithId(profileId: string): string {
  const label = profileLabel(profileId);
  return label === profileId ? label : `${label} (${profileId})`;
}

/** Whether a sentence about `profileLabel` has its verb in the plural. */
export const isPluralLabel = (profileId: string): boolean => (parseProfileId(profileId)?.connections ?? 1) > 1;

/** The baseline of every verdict, and the profile that shows the gateway's own cost. Both names are in files and must not change. */
export const BASELINE_ID = 'firefox-default';
export const CONTROL_ID = 'control';
/** The connections that Firefox ships: setting them sets nothing. */
export const SHIPPED_ID = formatProfileId({ connections: SHIPPED.perServer, depth: 1 });

/** Whatever this Firefox ships: nothing is set. */
export const FIREFOX_DEFAULT: Profile = {
  id: BASELINE_ID,
  title: "Firefox's own settings",
  connections: undefined,
  depth: 1,
  preferences: {},
};

/** Firefox's own numbers carried by the gateway: what the gateway itself costs or gains, which no profile may take credit for. */
export const CONTROL: Profile = {
  id: CONTROL_ID,
  title: `${SHIPPED_ID} through the gateway`,
  connections: SHIPPED.perServer,
  depth: 1,
  preferences: { [PER_SERVER]: SHIPPED.perServer },
};

/**
 * The network preferences active in Betterfox's user.js, v152 of 2026-07-02 (https://github.com/yokoffing/Betterfox, MIT): a widely
 * copied list whose repository holds no measurement of them. `max-connections` 1800 is above what Firefox allows and acts as at most 992.
 */
export const BETTERFOX: Profile = {
  id: 'betterfox',
  title: 'Betterfox 152, network preferences',
  connections: 10,
  depth: 1,
  preferences: {
    [PER_SERVER]: 10,
    'network.http.max-connections': 1800,
    [URGENT_START]: 5,
    'network.http.request.max-start-delay': 5,
    'network.http.speculative-parallel-limit': 0,
    'network.prefetch-next': false,
    'network.dns.disablePrefetch': true,
    'network.dns.disablePrefetchFromHTTPS': true,
    'network.buffer.cache.size': 65_535,
    'network.buffer.cache.count': 48,
    'network.dnsCacheExpiration': 3600,
  },
};

const NAMED: readonly Profile[] = [FIREFOX_DEFAULT, CONTROL, BETTERFOX];

/** The 18 combinations of the 2008 Fennec study: {1,2}; {2,3,4,5} x {2,4,6,8}; {6,4}. */
const FENNEC_18: readonly ConnectionsAndDepth[] = [
  { connections: 1, depth: 2 },
  ...[2, 3, 4, 5].flatMap((connections) => [2, 4, 6, 8].map((depth) => ({ connections, depth }))),
  { connections: 6, depth: 4 },
];

/** Only connections, which need no carrier. */
const CONNECTIONS_SWEEP: readonly ConnectionsAndDepth[] = [1, 2, 4, 6, 8, 10, 16].map((connections) => ({ connections, depth: 1 }));

const SETS: ReadonlyMap<string, readonly ConnectionsAndDepth[]> = new Map([
  ['fennec-18', FENNEC_18],
  ['connections-sweep', CONNECTIONS_SWEEP],
]);

/** A profile by its name: `firefox-default`, `control`, `betterfox`, or any `cN-dM`. `undefined`: there is none. */
export function findProfile(id: string): Profile | undefined {
  const named = NAMED.find((profile) => profile.id === id);
  if (named !== undefined) return named;
  const numbers = parseProfileId(id);
  return numbers === undefined ? undefined : connectionsProfile(numbers);
}

/** The members of a set in its own order. `undefined`: there is no such set. */
export function profileSet(name: string): readonly Profile[] | undefined {
  return SETS.get(name)?.map(connectionsProfile);
}

/** Every name but the `cN-dM`. */
export const presetNames = (): readonly string[] => [...NAMED.map(({ id }) => id), ...SETS.keys()];

/** The confounders of a profile's result, one sentence per preference; empty: nothing known. */
export function confounders(profile: Profile): readonly string[] {
  const aboveShipped = (profile.connections ?? 0) > SHIPPED.pacedAbove;
  const pacingBites = aboveShipped && profile.preferences[PACING_ENABLED] !== false;
  return CATALOGUE.filter(({ preference }) => preference in profile.preferences).flatMap(({ confoundedBy }) =>
    confoundedBy
      .filter(({ preference }) => preference !== PACING_ENABLED || pacingBites)
      .map(({ preference, why }) => `${preference}: ${why}`),
  );
}

function connectionsProfile(numbers: ConnectionsAndDepth): Profile {
  const { connections, depth } = numbers;
  return {
    id: formatProfileId(numbers),
    title: `${count(connections, 'connection')} per server, ${depth === 1 ? 'one request at a time' : `${depth} requests outstanding on each`}`,
    connections,
    depth,
    preferences: { [PER_SERVER]: connections },
  };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Profiles offered for the gateway: the recommendation of 2008 and its rivals. */
export const GATEWAY_PROFILES = ['c4-d6', 'c6-d4', 'c2-d6', 'c1-d6'] as const;

/** Firefox sends no more requests at once to a proxy. */
export const MAX_THROUGH_GATEWAY = SHIPPED.perProxy;
