/** The messages between the command and a lane's processes. Both ends are of one build; see src/lab/process/rpc.ts. */

import * as v from 'valibot';
import type { GatewayVisit } from '../../core/gateway-policy.ts';
import type { PageLoad } from '../../core/measure/page-load.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import {
  type AppliedProfile,
  type ApplierKind,
  appliedProfileSchema,
  applierKindSchema,
  type Carrier,
  type PreferenceReadback,
  type Profile,
  preferenceReadbackSchema,
} from '../../core/profiles/profile.ts';
import { count, finite, millisecondsSchema } from '../../core/schema.ts';
import type { GatewayCounters, WaitSummary } from '../../gateway/gateway-counters.ts';
import type { BrowserFacts } from '../../protocol/messages.ts';
import { markedPageLoadSchema } from '../../protocol/stored-records.ts';
import type { ExtensionVariant } from '../firefox/extension-session.ts';
import type { LinkMeasurement } from '../link/link-check.ts';
import { originCountSchema } from '../origin/origin-counters.ts';
import type { NameServerCertificate } from '../origin/reverse-proxies.ts';
import type { OverheadPairs } from './overhead-pairs.ts';

export interface StartLane {
  readonly program: string;
  /** `release` carries no Experiment API: profiles are then switched by the driver, as they are where Firefox refuses the lab build. */
  readonly variant: ExtensionVariant;
  /** How long the network must be idle before the recorder ends a load, for pages that are known to ask for nothing after their load event. */
  readonly quietMs: number;
  /**
   * How far the lane's gateway knows the sites of a page; `first-visit`, as for people, unless given. It forgets them before each load but one over
   * connections that are kept.
   */
  readonly gatewayVisit?: GatewayVisit;
  /** Longest that Firefox may take to start. */
  readonly startTimeoutMs?: number;
  /** Preferences besides the lab's own, the same for every profile. */
  readonly preferences?: Readonly<Record<string, PreferenceValue>>;
  /** Set by the lane itself where it has servers over TLS. */
  readonly secure?: SecureServers;
}

/** The lane's servers over TLS, as Firefox must know them. */
export interface SecureServers {
  /** Certificate of the authority to trust, base64 of DER. */
  readonly authority: string;
  /** Addresses with HTTP/3; empty: none has it. */
  readonly http3: readonly string[];
  /** What a name server at the browser's end proves itself with; absent: the servers have no names. */
  readonly nameServer?: NameServerCertificate;
}

export interface LaneFacts {
  readonly browser: BrowserFacts;
  readonly applier: ApplierKind;
  /** The catalogue's preferences as this Firefox has them before anything is applied. */
  readonly untouched: readonly PreferenceReadback[];
}

/** What installing the extension and opening its page may take at most, after Firefox has started. */
const EXTENSION_MS = 45_000;
/** Applying a profile, reading back, and the browser's own delay in reporting. */
const AROUND_LOAD_MS = 15_000;

/** How long the command waits for the worker: longer than the worker itself waits, so that the worker's own reason is reported. */
export const startPatienceMs = ({ startTimeoutMs }: Pick<StartLane, 'startTimeoutMs'>): number => (startTimeoutMs ?? 60_000) + EXTENSION_MS;
export const loadPatienceMs = ({ timeoutMs }: Pick<LoadOrder, 'timeoutMs'>): number => timeoutMs + AROUND_LOAD_MS;
/** A measurement has 60 s for every connection, request and download of its own. */
export const LINK_PATIENCE_MS = 5 * 60_000;

export interface LoadOrder {
  readonly profile: Profile;
  readonly carrier: Carrier;
  readonly url: string;
  readonly timeoutMs: number;
  /** Loaded first, and not measured, so that the load finds its connections open. Absent: no connection is open. */
  readonly warmUrl?: string;
  /** Loaded before, and not measured; its connections are closed then, and what Firefox remembers of the servers stays. Absent: it remembers nothing. */
  readonly firstVisitUrl?: string;
  /** The profile of the load before stays as it is, with its connections; for the load that follows the one of `warmUrl`. */
  readonly keepConnections?: boolean;
  /** Seed of what is random on the link during this load (`weather.ts`); absent: that goes on where it was. */
  readonly weather?: number;
  /** Network idle time for this load; absent: as the lane was started with. */
  readonly quietMs?: number;
}

export interface LoadOutcome {
  readonly applied: AppliedProfile;
  /** The per-server limit as read back with the profile applied, whether or not the profile sets it. */
  readonly readBack: readonly PreferenceReadback[];
  readonly load: PageLoad;
  /** What the gateway counted, for profiles it carries. */
  readonly gateway: GatewayCounters | undefined;
}

/** Answers have schemas: a line from another process is from outside, whoever wrote the program. */
type Answer<T> = v.GenericSchema<unknown, T>;

const positive = v.pipe(finite, v.gtValue(0));

const browserFacts: Answer<BrowserFacts> = v.object({
  name: v.string(),
  version: v.string(),
  buildId: v.string(),
  os: v.string(),
  architecture: v.string(),
  experimentApi: v.boolean(),
  policies: v.picklist(['inactive', 'active', 'failed', 'unknown']),
});

export const laneFactsAnswer: Answer<LaneFacts> = v.object({
  browser: browserFacts,
  applier: applierKindSchema,
  untouched: v.array(preferenceReadbackSchema),
});

const waits: Answer<WaitSummary> = v.object({
  count,
  total: millisecondsSchema,
  max: v.optional(millisecondsSchema, () => undefined),
  values: v.array(millisecondsSchema),
});

const gatewayCounters: Answer<GatewayCounters> = v.object({
  origins: v.array(
    v.object({
      origin: v.string(),
      connectionsOpened: count,
      connectionsFailed: count,
      peakConnections: count,
      peakDepth: count,
      peakOutstanding: count,
      requests: count,
      pipelinedRequests: count,
      handedBackRequests: count,
      headOfLineWait: waits,
      queueWait: waits,
    }),
  ),
  fallbacks: v.array(
    v.object({
      origin: v.string(),
      reason: v.picklist(['closed-early', 'endless', 'malformed-response', 'wrong-order', 'no-answer']),
    }),
  ),
  unauthorised: count,
});

export const loadOutcomeAnswer: Answer<LoadOutcome> = v.object({
  applied: appliedProfileSchema,
  readBack: v.array(preferenceReadbackSchema),
  load: markedPageLoadSchema,
  gateway: v.optional(gatewayCounters, () => undefined),
});

export const originCountsAnswer = v.record(v.string(), originCountSchema);

export const linkMeasurementAnswer: Answer<LinkMeasurement> = v.object({ rttMs: positive, downKbps: positive });
/** One round trip, ms. */
export const roundTripAnswer: Answer<number> = positive;
/** Loads with and without the recorder. */
export const overheadAnswer: Answer<OverheadPairs> = v.object({ recording: v.array(finite), plain: v.array(finite), stored: count });

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
/** Ports, in the order asked. */
export const portsAnswer: Answer<readonly number[]> = v.array(port);
