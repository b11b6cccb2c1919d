/** A knob: one preference with its bounds, defaults and source. The catalogue (`catalogue.ts`) is a list of these; nothing outside it may be set. */
import * as v from 'valibot';
import { finite, type Shape } from '../schema.ts';

export const preferenceValueSchema = v.union([finite, v.boolean(), v.string()]);
/** A value that a preference may hold. */
export type PreferenceValue = Shape<typeof preferenceValueSchema>;

/** The platforms of knobs. */
export type Platform = 'desktop' | 'android';
export type KnobProtocol = 'all' | 'tcp' | 'http/1.1' | 'http/2' | 'http/3' | 'tls' | 'dns';

/** Bounds as the code of Firefox clamps them, or as the catalogue narrows them (then `why` says so). */
export type KnobBounds =
  | {
      readonly type: 'integer';
      readonly min: number;
      readonly max: number;
      /** Present where these are not the clamp in Firefox's code: what the difference is. */
      readonly why?: string;
    }
  | { readonly type: 'boolean' };

/** A preference of the catalogue: its bounds, defaults, effect and source. */
export interface Knob {
  /** The preference's full name, e.g. `network.http.max-persistent-connections-per-server`. */
  readonly preference: string;
  /** A short name for people, unique in the catalogue. */
  readonly label: string;
  readonly bounds: KnobBounds;
  /** Values as shipped; `undefined`: the preference does not exist there (any more). */
  readonly defaults: { readonly [P in Platform]: PreferenceValue | undefined };
  /** First and last Gecko major version that reads it, where known. */
  readonly versions: { readonly since?: number; readonly until?: number };
  /**
   * Whether the platform of Pale Moon and Basilisk (UXP, begun from Gecko 52) reads it. Read in 2026 from
   * https://repo.palemoon.org/MoonchildProductions/UXP : modules/libpref/init/all.js, netwerk/base/nsIOService.cpp,
   * dom/html/nsHTMLDNSPrefetch.cpp; and from Gecko 52's all.js. It knows nothing that came later: HTTP/3, the `http2` names (`spdy` there),
   * throttling, tailing, urgent starts, the TLS token cache. It has dropped `network.dns.disablePrefetchFromHTTPS`, which Gecko 52 read.
   */
  readonly readByUxp: boolean;
  readonly protocol: KnobProtocol;
  /** Whether a running Firefox heeds a change; `new-connections`: only connections (sessions) opened after it. */
  readonly takesEffect: 'live' | 'new-connections' | 'never';
  readonly effect: string;
  /** A URL or a file of the Firefox source tree with the version read. */
  readonly source: string;
  /** Preferences that blur what this one shows, each with the reason. */
  readonly confoundedBy: readonly { readonly preference: string; readonly why: string }[];
}
