/** The profiles with their own name, the sets, every `cN-dM`, and expressions that set further preferences. */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { findKnob, PER_SERVER, URGENT_START } from './catalogue.ts';
import { canonicalValue, MAX_CONNECTIONS, MAX_DEPTH } from './check-profile.ts';
import type { PreferenceValue } from './knob.ts';
import { BASELINE_ID, type Profile, shortTitle } from './profile.ts';
import { joinExpression, readParts, splitExpression } from './profile-expression.ts';
import { MAX_ID_LENGTH } from './profile-id.ts';
import { type SettingPart, settingLabel, settingParts } from './settings-label.ts';
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

/**
 * `12 connections`, `4 connections with up to 6 requests on each`, `16 connections, no request pacing`; a profile with its own name goes
 * by that.
 */
export const profileLabel = (profileId: string): string => nameParts(profileId).map(partLabel).join(', ');

/** With the id that commands and files take: `4 connections with up to 6 requests on each (c4-d6)`, `betterfox`. */
export function profileLabelWithId(profileId: string): string {
  const label = profileLabel(profileId);
  return label === profileId ? label : `${label} (${profileId})`;
}

/** Whether a sentence about `profileLabel` has its verb in the plural. */
export const isPluralLabel = (profileId: string): boolean =>
  nameParts(profileId).length > 1 || (parseProfileId(profileId)?.connections ?? 1) > 1;

/** What a profile's name is made of; `own`: it goes by a name of its own. */
export type NamePart =
  | ({ readonly kind: 'connections' } & ConnectionsAndDepth)
  | { readonly kind: 'own'; readonly name: string }
  | SettingPart;

/** The parts of `profileLabel`, one after another. */
export function nameParts(profileId: string): readonly NamePart[] {
  const split = splitExpression(profileId);
  if (split === undefined || named(split.base) === undefined) return [basePart(profileId)];
  const set = unlessRefused(() => readParts(split.parts));
  if (set === undefined) return [{ kind: 'own', name: profileId }];
  const settings = settingParts(set);
  return split.base === BASELINE_ID ? settings : [basePart(split.base), ...settings];
}

function basePart(name: string): NamePart {
  const numbers = parseProfileId(name);
  return numbers === undefined ? { kind: 'own', name } : { kind: 'connections', ...numbers };
}

function partLabel(part: NamePart): string {
  switch (part.kind) {
    case 'connections': {
      const { connections, depth } = part;
      const each = depth === 1 ? '' : ` with up to ${depth} requests on ${connections === 1 ? 'it' : 'each'}`;
      return `${count(connections, 'connection')}${each}`;
    }
    case 'own':
      return part.name;
    case 'setting':
      return settingLabel(part.preference, part.value);
    case 'more':
      return `and ${part.count} more`;
    default:
      return assertNever(part);
  }
}

/** The profile that shows the gateway's own cost. Its name is in files and must not change. */
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

/**
 * A profile by its name, `firefox-default`, `control`, `betterfox`, any `cN-dM`, or by an expression. Its id is the canonical one, whatever the order
 * of the parts. `undefined`: there is none; `readProfile` says why.
 */
export function findProfile(id: string): Profile | undefined {
  return unlessRefused(() => readProfile(id));
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind !== 'internal') return undefined;
    throw error;
  }
}

/**
 * The profile of an expression, its parts in place of what its base sets. `undefined`: its base is no profile's name.
 * @throws PlumbfoxError, PreferenceRefused one line, for an expression that is too long, has the control as its base, or a part that cannot be set.
 */
export function readProfile(expression: string): Profile | undefined {
  if (expression.length > MAX_ID_LENGTH) {
    throw new PlumbfoxError(
      'bad-input',
      `A profile's expression has at most ${MAX_ID_LENGTH} characters, and this one ${expression.length}`,
    );
  }
  const split = splitExpression(expression);
  if (split === undefined) return named(expression);
  const base = named(split.base);
  if (base === undefined) return undefined;
  if (base.id === CONTROL_ID) {
    throw new PlumbfoxError('bad-input', `"${CONTROL_ID}" shows the gateway's own cost and sets nothing further`);
  }
  return profileOf({ depth: base.depth, preferences: { ...base.preferences, ...readParts(split.parts) } });
}

/** The profile of these preferences, each value in its one spelling, by its canonical id. */
export function profileOf({ depth, preferences: given }: Pick<Profile, 'depth' | 'preferences'>): Profile {
  const preferences = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, canonicalValue(findKnob(name), value)]));
  const id = canonicalId({ depth, preferences });
  const known = named(id);
  if (known !== undefined) return known;
  const connections = preferences[PER_SERVER];
  return {
    id,
    title: shortTitle(capitalised(profileLabel(id))),
    connections: typeof connections === 'number' ? connections : undefined,
    depth,
    preferences,
  };
}

/**
 * The expression that gives a profile's preferences, whatever name it was entered under; `undefined`: none does, as for the bundled profiles of a
 * study and the control.
 */
export function profileExpression({ id, depth, preferences, dispatch }: Profile): string | undefined {
  return dispatch === 'bundled' || id === CONTROL_ID ? undefined : canonicalId({ depth, preferences });
}

/** The base that sets no preference besides these and leaves the fewest parts to add; the first among equals. */
function canonicalId({ depth, preferences }: Pick<Profile, 'depth' | 'preferences'>): string {
  const connections = preferences[PER_SERVER];
  const plain = typeof connections === 'number' ? connectionsProfile({ connections, depth }) : FIREFOX_DEFAULT;
  const bases = [plain, BETTERFOX].filter(
    (base) => base.depth === depth && Object.keys(base.preferences).every((name) => name in preferences),
  );
  const candidates = bases.map((base) => ({ base, added: without(preferences, base.preferences) }));
  const [shortest] = candidates.toSorted((a, b) => Object.keys(a.added).length - Object.keys(b.added).length);
  return shortest === undefined ? joinExpression(plain.id, preferences) : joinExpression(shortest.base.id, shortest.added);
}

function without(preferences: Profile['preferences'], base: Profile['preferences']): Readonly<Record<string, PreferenceValue>> {
  return Object.fromEntries(Object.entries(preferences).filter(([name, value]) => base[name] !== value));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function named(id: string): Profile | undefined {
  const own = NAMED.find((profile) => profile.id === id);
  if (own !== undefined) return own;
  const numbers = parseProfileId(id);
  return numbers === undefined ? undefined : connectionsProfile(numbers);
}

/** The members of a set in its own order. `undefined`: there is no such set. */
export function profileSet(name: string): readonly Profile[] | undefined {
  return SETS.get(name)?.map(connectionsProfile);
}

/** Every name but the `cN-dM`. */
export const presetNames = (): readonly string[] => [...NAMED.map(({ id }) => id), ...SETS.keys()];

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
