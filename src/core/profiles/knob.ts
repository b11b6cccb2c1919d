/** A knob: one preference with its bounds and defaults. The catalogue (`catalogue.ts`) is a list of these; nothing outside it may be set. */
import * as v from 'valibot';
import { assertNever } from '../errors.ts';
import { finite, type Shape } from '../schema.ts';

export const preferenceValueSchema = v.union([finite, v.boolean(), v.string()]);
/** A value that a preference may hold. */
export type PreferenceValue = Shape<typeof preferenceValueSchema>;

/** The platforms of knobs. */
export type Platform = 'desktop' | 'android';
/** Those by which defaults differ; the desktop is any but Windows. */
export type DefaultPlatform = Platform | 'windows';
export type KnobProtocol = 'all' | 'tcp' | 'http/1.1' | 'http/2' | 'http/3' | 'tls' | 'dns';

/** Numbers beyond these act as the nearest of them, or as if nothing had been set. */
export interface Clamp {
  readonly min: number;
  readonly max: number;
  readonly beyond: 'nearest' | 'ignored';
  /** Present where smaller numbers fare differently. */
  readonly below?: 'ignored';
}

/** Bounds as the code of Firefox clamps them, or as the catalogue narrows them (reference/narrowed-bounds.ts says why). */
export type KnobBounds =
  | {
      readonly type: 'integer';
      readonly min: number;
      readonly max: number;
      /** What Firefox itself makes of any number; absent: it takes it as it is. */
      readonly clamp?: Clamp;
    }
  | { readonly type: 'boolean' }
  /** A number that Firefox keeps as text, because its preferences have no fractions; written as text, such as `"0.9"`. */
  | { readonly type: 'decimal'; readonly min: number; readonly max: number };

/** What a knob has to do with; the catalogue has a file of each. */
export type KnobSubject = 'connections' | 'pacing' | 'http2' | 'http3' | 'speculation' | 'scheduling' | 'caches' | 'dns' | 'tls' | 'legacy';

/** Whether a profile may hold a knob: freely, after a question that names the price, or not at all. */
export type KnobClass = 'free' | 'costs-privacy-or-security' | 'never';

/** The values of a knob that have its price. */
export type PricedValues = { readonly oneOf: readonly PreferenceValue[] } | { readonly above: number } | { readonly below: number };

/** What can carry a knob into a Firefox: an enterprise policy, the helper app (user.js), the Experiment API, the person in about:config. */
export type KnobApplier = 'policy' | 'helper' | 'experiment-api' | 'about-config';

/** Versions of Firefox ESR whose builds were read (`npm run read-preferences`). */
export const READ_VERSIONS = ['140', '153'] as const;
export type ReadVersion = (typeof READ_VERSIONS)[number];

/** What a build has of a preference. `hidden`: its name occurs, and it has no default value. */
export type BuildPreference =
  | { readonly state: 'default'; readonly value: PreferenceValue }
  | { readonly state: 'hidden' }
  | { readonly state: 'absent' };

/** A preference of the catalogue: what programs act upon. What people read of it is in reference.ts. */
export interface Knob {
  /** The preference's full name, e.g. `network.http.max-persistent-connections-per-server`. */
  readonly preference: string;
  readonly subject: KnobSubject;
  /** A short name for people, unique in the catalogue. */
  readonly label: string;
  readonly bounds: KnobBounds;
  /** Values as shipped, on the desktop by the newest version read; `undefined`: there is none (see `builds`), or it was not read (see `androidDefault`). */
  readonly defaults: { readonly [P in Platform]: PreferenceValue | undefined };
  /**
   * What is known of Android, from the files of its source; nobody has read a build. `as-desktop`: in each version the desktop's value. `value`: another
   * one, absent where there is none; `until`: the last version read that has it.
   */
  readonly android:
    | { readonly state: 'as-desktop' | 'not-read' }
    | { readonly state: 'value'; readonly value?: PreferenceValue; readonly until?: ReadVersion };
  /** The default on Windows, by its declaration, where it is another than that of other desktops; the builds that were read are of Linux. */
  readonly windows?: PreferenceValue;
  /** What the desktop builds that were read have of it. */
  readonly builds: { readonly [V in ReadVersion]: BuildPreference };
  /** First and last Gecko major version that reads it, where known. */
  readonly versions: { readonly since?: number; readonly until?: number };
  /**
   * Whether it is known that the platform of Pale Moon and Basilisk (UXP, begun from Gecko 52) reads it. Read in 2026, for the first 41 knobs, from
   * https://repo.palemoon.org/MoonchildProductions/UXP : modules/libpref/init/all.js, netwerk/base/nsIOService.cpp,
   * dom/html/nsHTMLDNSPrefetch.cpp; and from Gecko 52's all.js. It knows nothing that came later: HTTP/3, the `http2` names (`spdy` there),
   * throttling, tailing, urgent starts, the TLS token cache. It has dropped `network.dns.disablePrefetchFromHTTPS`, which Gecko 52 read.
   */
  readonly readByUxp: boolean;
  readonly protocol: KnobProtocol;
  /** When a change is heeded: at once, by connections (sessions) opened after it, at the next start, or by no Firefox that has this extension. */
  readonly takesEffect: 'live' | 'new-connections' | 'at-start' | 'never';
  readonly class: KnobClass;
  /** What it costs, in a sentence; present where `class` is not `free`. */
  readonly price?: string;
  /** The values that cost it; absent where `class` is `free`, and where every value does. */
  readonly pricedValues?: PricedValues;
  /** What can carry it into a Firefox. */
  readonly appliers: readonly KnobApplier[];
}

/** What a value of a knob costs, in a sentence; `undefined`: nothing. */
export function priceOf({ price, pricedValues }: Pick<Knob, 'price' | 'pricedValues'>, value: PreferenceValue): string | undefined {
  return pricedValues === undefined || isPriced(pricedValues, value) ? price : undefined;
}

function isPriced(priced: PricedValues, value: PreferenceValue): boolean {
  if ('oneOf' in priced) return priced.oneOf.includes(value);
  if ('above' in priced) return Number(value) > priced.above;
  if ('below' in priced) return Number(value) < priced.below;
  return assertNever(priced);
}
