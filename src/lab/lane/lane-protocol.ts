/** What the command asks of a lane's worker, and what it answers. Both ends are of one build; see src/lab/process/rpc.ts. */
import type { PageLoad } from '../../core/measure/page-load.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import type { AppliedProfile, ApplierKind, Carrier, PreferenceReadback, Profile } from '../../core/profiles/profile.ts';
import type { GatewayCounters } from '../../gateway/gateway-counters.ts';
import type { BrowserFacts } from '../../protocol/messages.ts';
import type { ExtensionVariant } from '../firefox/extension-session.ts';

export interface StartLane {
  readonly program: string;
  /** `release` carries no Experiment API: profiles are then switched by the driver, as they are where Firefox refuses the lab build. */
  readonly variant: ExtensionVariant;
  /** Quiet window of the recorder for pages that are known to ask for nothing after their load event. */
  readonly quietMs: number;
  /** Longest that Firefox may take to start. */
  readonly startTimeoutMs?: number;
  /** Preferences besides the lab's own, the same for every profile. */
  readonly preferences?: Readonly<Record<string, PreferenceValue>>;
  /** Set by the lane itself where it has servers over TLS. */
  readonly secure?: SecureServers;
}

/** What Firefox must be told of the lane's servers over TLS. */
export interface SecureServers {
  /** Certificate of the authority to trust, base64 of DER. */
  readonly authority: string;
  /** Addresses with HTTP/3; empty: none has it. */
  readonly http3: readonly string[];
}

export interface LaneFacts {
  readonly browser: BrowserFacts;
  readonly applier: ApplierKind;
  /** The catalogue's preferences as this Firefox has them before anything is applied. */
  readonly untouched: readonly PreferenceReadback[];
}

/** What installing the extension and opening its page may take at most, after Firefox has started. */
const EXTENSION_MS = 45_000;
/** Applying a profile, reading back, and the browser's own delay in telling. */
const AROUND_LOAD_MS = 15_000;

/** How long the command waits for the worker: longer than the worker itself waits, so that the worker's own reason is told. */
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
  /** The profile of the load before stays as it is, with its connections; for the load that follows the one of `warmUrl`. */
  readonly keepConnections?: boolean;
  /** Seed of what is random on the link during this load (`weather.ts`); absent: that goes on where it was. */
  readonly weather?: number;
  /** Quiet window of the recorder for this load; absent: as the lane was started with. */
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
