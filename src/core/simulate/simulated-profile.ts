/**
 * A profile as the simulation needs it: the numbers behind its preferences, and whether all that it sets is modelled. What is not modelled
 * would look like "no effect".
 */
import { PlumbfoxError } from '../errors.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { isOfOneProtocol, requestsByProtocol, spokenProtocols } from '../graph/spoken-protocols.ts';
import { carrierFor } from '../profiles/carrier.ts';
import {
  BACKUP_AFTER,
  CATALOGUE,
  findKnob,
  HTTP2_CONCURRENT,
  HTTP2_PULL_ALLOWANCE,
  PACING_BURST,
  PACING_ENABLED,
  PACING_MIN_PARALLELISM,
  PACING_PER_SECOND,
  PER_PROXY,
  PER_SERVER,
  TOTAL_CONNECTIONS,
  URGENT_START,
} from '../profiles/catalogue.ts';
import { checkConnections, checkDepth } from '../profiles/check-profile.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import type { Profile } from '../profiles/profile.ts';
import { resolveProfiles } from '../profiles/resolve-profiles.ts';
import { SHIPPED } from '../profiles/shipped.ts';

/** A profile by its numbers; any `Profile` is one. */
export interface PredictableProfile {
  readonly id: string;
  /** HTTP/1.1 connections per server; absent: what Firefox ships. */
  readonly connections?: number | undefined;
  /** 1 unless given. */
  readonly depth?: number;
  readonly preferences?: Readonly<Record<string, PreferenceValue>>;
}

export interface SimulatedProfile {
  readonly id: string;
  /** HTTP/1.1 connections per server. */
  readonly connections: number;
  readonly depth: number;
  /** Requests for plain http go by way of the gateway. */
  readonly gateway: boolean;
  /** Connections in total. */
  readonly totalConnections: number;
  /** Pacing of the start of requests; `undefined`: they start at once. */
  readonly pacing: { readonly above: number; readonly perSecond: number; readonly burst: number } | undefined;
  /** Handshakes unanswered for this long get a second connection, ms; `undefined`: as the browser model has it. */
  readonly backupAfterMs: number | undefined;
  /** Connections beyond the limit that documents may open, where the browser model allows any. */
  readonly urgentStart: number;
  /** Bytes of an HTTP/2 stream that may be in flight; of HTTP/3 see `HTTP3_STREAM_WINDOW`. */
  readonly streamWindow: number;
  /** HTTP/2 streams where the server sets no limit. */
  readonly streams: number;
}

/** Bytes of an HTTP/3 stream that may be in flight: `network.http.http3.max_stream_data` as shipped, which no profile changes here. */
export const HTTP3_STREAM_WINDOW = SHIPPED.http3StreamData;

/** The minimum that the preference takes. */
const MIN_STREAM_WINDOW = 1024;

/** @throws PlumbfoxError `bad-input` for a name that does not exist or numbers that no profile may have. */
export function simulatedProfiles(given: readonly (string | PredictableProfile)[]): readonly SimulatedProfile[] {
  if (!Array.isArray(given) || given.length === 0) throw new PlumbfoxError('bad-input', 'No profile is given to predict');
  return given.flatMap((each) => (typeof each === 'string' ? resolveProfiles([each]).map(simulatedProfile) : [simulatedProfile(each)]));
}

function simulatedProfile(profile: PredictableProfile): SimulatedProfile {
  const { id, depth = 1, preferences = {} } = profile ?? {};
  if (typeof id !== 'string' || id === '') throw new PlumbfoxError('bad-input', 'A profile to predict needs an id');
  const number = (preference: string, shipped: number): number => {
    const value = preferences[preference];
    return typeof value === 'number' ? value : shipped;
  };
  const connections = profile.connections ?? number(PER_SERVER, SHIPPED.perServer);
  checkConnections(id, connections);
  checkDepth(id, depth);
  const backup = preferences[BACKUP_AFTER];
  return {
    id,
    connections,
    depth,
    gateway: carrierFor({ id, depth }, { gateway: true }) === 'gateway',
    totalConnections: Math.max(1, number(TOTAL_CONNECTIONS, SHIPPED.totalConnections)),
    pacing:
      preferences[PACING_ENABLED] === false
        ? undefined
        : {
            above: number(PACING_MIN_PARALLELISM, SHIPPED.pacedAbove),
            perSecond: Math.max(1, number(PACING_PER_SECOND, SHIPPED.pacedPerSecond)),
            burst: Math.max(1, number(PACING_BURST, SHIPPED.pacedBurst)),
          },
    backupAfterMs: typeof backup === 'number' ? backup : undefined,
    urgentStart: Math.max(0, number(URGENT_START, SHIPPED.urgentStart)),
    streamWindow: Math.max(MIN_STREAM_WINDOW, number(HTTP2_PULL_ALLOWANCE, SHIPPED.http2PullAllowance)),
    streams: Math.max(1, number(HTTP2_CONCURRENT, SHIPPED.http2Streams)),
  };
}

/** What of a profile is simulated, as far as it can act on these pages. No list is ever empty. */
export type ModelCoverage =
  /** All of it; or it sets nothing but Firefox's own values. */
  | { readonly state: 'modelled' }
  | { readonly state: 'in-part'; readonly notModelled: readonly string[] }
  /** Nothing of what acts is simulated: its figures are those of Firefox's own settings. */
  | { readonly state: 'not-modelled'; readonly notModelled: readonly string[] }
  /** No request uses a protocol that any of it acts on: its figures are those of Firefox's own settings. */
  | { readonly state: 'cannot-act'; readonly cannotAct: readonly string[] };

/**
 * Preferences whose effect is simulated. The limit per proxy acts only on what goes through one: here the gateway, whose connections are the profile's own.
 * The browser model of today leaves out the connections that `max-urgent-start-excessive-connections-per-host` allows (`beyondLimit`).
 */
const MODELLED: ReadonlySet<string> = new Set([
  PER_SERVER,
  PER_PROXY,
  TOTAL_CONNECTIONS,
  PACING_ENABLED,
  PACING_MIN_PARALLELISM,
  PACING_PER_SECOND,
  PACING_BURST,
  BACKUP_AFTER,
  HTTP2_CONCURRENT,
  HTTP2_PULL_ALLOWANCE,
]);

/**
 * Whether the simulator models what a profile sets. What is set as Firefox ships it, and what no Firefox of today reads, has no effect and needs no
 * model. `pages` absent: any protocol may be spoken.
 */
export function modelCoverage({ depth, preferences }: Pick<Profile, 'depth' | 'preferences'>, pages?: readonly PageGraph[]): ModelCoverage {
  const spoken = pages && spokenProtocols(pages);
  const own = Object.entries(preferences).filter(([preference, value]) => isRead(preference, value));
  const acting = own.filter(([preference]) => isReached(preference, spoken)).map(([preference]) => preference);
  // A depth is of HTTP/1.1.
  const isDeep = depth > 1 && (spoken === undefined || spoken.has('http/1.1'));
  const notModelled = acting.filter((preference) => !MODELLED.has(preference));
  if (acting.length === 0 && !isDeep && own.length > 0) return { state: 'cannot-act', cannotAct: own.map(([preference]) => preference) };
  if (notModelled.length === 0) return { state: 'modelled' };
  return { state: isDeep || acting.length > notModelled.length ? 'in-part' : 'not-modelled', notModelled };
}

/** Whether the effect of a preference is simulated. */
export const isModelled = (preference: string): boolean => MODELLED.has(preference);

/** Whether a profile differs from Firefox's own settings in anything that a Firefox of today reads. */
export const differsFromShipped = ({ depth, preferences }: Pick<Profile, 'depth' | 'preferences'>): boolean =>
  depth > 1 || Object.entries(preferences).some(([preference, value]) => isRead(preference, value));

/** Whether a value differs from Firefox's own and is read by a Firefox of today for a protocol that these pages speak. */
export const mayActOn = (preference: string, value: PreferenceValue, pages: readonly PageGraph[]): boolean =>
  isRead(preference, value) && isReached(preference, spokenProtocols(pages));

function isRead(preference: string, value: PreferenceValue): boolean {
  const knob = findKnob(preference);
  return knob === undefined || (knob.takesEffect !== 'never' && value !== knob.defaults.desktop);
}

function isReached(preference: string, spoken: ReadonlySet<string> | undefined): boolean {
  const protocol = findKnob(preference)?.protocol;
  return protocol === undefined || !isOfOneProtocol(protocol) || spoken === undefined || spoken.has(protocol);
}

/** What a statement about all of Firefox's settings rests on, where these were simulated on some pages. */
export interface TriedPreferences {
  /** Preferences of which another value than Firefox's own was simulated, of those in the catalogue that act on the protocols of these pages. */
  readonly preferences: number;
  readonly of: number;
  /** Requests over a version of HTTP with a preference of its own that was simulated. */
  readonly requests: number;
}

/** @param profiles - Settings: what the gateway would carry is none of Firefox's. */
export function triedPreferences(
  pages: readonly PageGraph[],
  profiles: readonly Pick<Profile, 'depth' | 'preferences'>[],
): TriedPreferences {
  const spoken = spokenProtocols(pages);
  const acting = CATALOGUE.filter(
    ({ protocol, takesEffect }) => takesEffect !== 'never' && (!isOfOneProtocol(protocol) || spoken.has(protocol)),
  );
  const settings = profiles.filter(({ depth }) => depth === 1);
  const tried = acting.filter(({ preference, defaults }) => {
    const values = settings.flatMap(({ preferences }) => preferences[preference] ?? []);
    return isModelled(preference) && values.some((value) => value !== defaults.desktop);
  });
  const protocols = new Set<string>(tried.map(({ protocol }) => protocol));
  const requests = [...requestsByProtocol(pages)]
    .filter(([protocol]) => protocols.has(protocol))
    .reduce((sum, [, count]) => sum + count, 0);
  return { preferences: tried.length, of: acting.length, requests };
}
