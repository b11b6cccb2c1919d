/** A profile as the simulation needs it: the numbers behind its preferences. */
import { PlumbfoxError } from '../errors.ts';
import { carrierFor } from '../profiles/carrier-for.ts';
import { HTTP2_CONCURRENT, PACING_ENABLED, PER_SERVER, URGENT_START } from '../profiles/catalogue.ts';
import { DEEPEST, MOST_CONNECTIONS } from '../profiles/check-profile.ts';
import { resolveProfiles } from '../profiles/resolve-profiles.ts';
import type { PredictableProfile } from './predict.ts';

export interface SimulatedProfile {
  readonly id: string;
  /** HTTP/1.1 connections per server. */
  readonly connections: number;
  readonly depth: number;
  /** Requests for plain http go by way of the gateway. */
  readonly gateway: boolean;
  /** Connections in all. */
  readonly totalConnections: number;
  /** Of the start of requests; `undefined`: they start at once. */
  readonly pacing: { readonly above: number; readonly perSecond: number; readonly burst: number } | undefined;
  /** Handshakes unanswered for so long get a second connection, ms; `undefined`: as the browser model has it. */
  readonly backupAfterMs: number | undefined;
  /** Connections beyond the limit that documents may open, where the browser model allows any. */
  readonly urgentStart: number;
  /** Bytes of an HTTP/2 or HTTP/3 stream that may be under way. */
  readonly streamWindow: number;
  /** HTTP/2 streams where the server sets no limit. */
  readonly streams: number;
}

/** As Firefox 140 ships them: the catalogue of knobs holds the sources. */
const SHIPPED = {
  perServer: 6,
  total: 900,
  above: 6,
  perSecond: 80,
  burst: 10,
  streams: 100,
  urgentStart: 3,
  streamWindow: 12_582_912,
} as const;
const PULL_ALLOWANCE = 'network.http.http2.pull-allowance';
/** The least the knob takes. */
const LEAST_STREAM_WINDOW = 1024;

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
  if (!isWhole(connections, MOST_CONNECTIONS)) {
    throw new PlumbfoxError('bad-input', `${id}: connections per server are a whole number from 1 to ${MOST_CONNECTIONS}`);
  }
  if (!isWhole(depth, DEEPEST)) throw new PlumbfoxError('bad-input', `${id}: a depth is a whole number from 1 to ${DEEPEST}`);
  const backup = preferences['network.http.connection-retry-timeout'];
  return {
    id,
    connections,
    depth,
    gateway: carrierFor({ id, depth }, { gateway: true }) === 'gateway',
    totalConnections: Math.max(1, number('network.http.max-connections', SHIPPED.total)),
    pacing:
      preferences[PACING_ENABLED] === false
        ? undefined
        : {
            above: number('network.http.pacing.requests.min-parallelism', SHIPPED.above),
            perSecond: Math.max(1, number('network.http.pacing.requests.hz', SHIPPED.perSecond)),
            burst: Math.max(1, number('network.http.pacing.requests.burst', SHIPPED.burst)),
          },
    backupAfterMs: typeof backup === 'number' ? backup : undefined,
    urgentStart: Math.max(0, number(URGENT_START, SHIPPED.urgentStart)),
    streamWindow: Math.max(LEAST_STREAM_WINDOW, number(PULL_ALLOWANCE, SHIPPED.streamWindow)),
    streams: Math.max(1, number(HTTP2_CONCURRENT, SHIPPED.streams)),
  };
}

const isWhole = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
