/**
 * The summary that remains of an everyday load for its comparison: a hundred bytes instead of twenty thousand, so that a hundred thousand can be
 * compared at once. Efficiency is not among it: it depends on the link, and that is estimated from all loads together.
 */

import type { LoadProtocol } from '../compare/comparison.ts';
import type { Link } from '../link.ts';
import { efficiency, idealTime } from '../measure/efficiency.ts';
import { linkSample } from '../measure/links/estimate-link.ts';
import { CUT_SHORTS, type CutShort } from '../measure/load-measures.ts';
import { loadWindow } from '../measure/load-window.ts';
import { isMeasurable } from '../measure/measure-load.ts';
import { httpVersionShares, loadBytes } from '../measure/requests.ts';
import { BASELINE_ID, type Carrier } from '../profiles/profile.ts';
import { protocolOfLoad } from '../report/comparable-loads.ts';
import { type Validity, voided } from '../report/validity.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { type Bytes, type Milliseconds, milliseconds, type Ratio } from '../units.ts';
import { addressKey } from './address-key.ts';

/**
 * `whole`: seen to its end; `cut-short`: it was not, so its load time is only a lower bound; `not-as-intended`: another profile than the
 * one named was in effect; `unmeasurable`: the document has no timing of its own.
 */
export const LOAD_STATUSES = ['whole', 'cut-short', 'not-as-intended', 'unmeasurable'] as const;
export type LoadStatus = (typeof LOAD_STATUSES)[number];

/** Why an everyday load that was seen to its end is excluded from comparisons; see `VoidCause`. */
export const FIELD_EXCLUSIONS = ['no-timing', 'not-in-effect', 'unfit', 'washout'] as const;
type FieldExclusion = (typeof FIELD_EXCLUSIONS)[number];

/** Why a load is in no figure of the comparison, although its link is known. */
export const WHY_EXCLUDED = [...FIELD_EXCLUSIONS, ...CUT_SHORTS.filter((why) => why !== 'time-limit')] as const;
export type WhyExcluded = (typeof WHY_EXCLUDED)[number];

/** Unknown is absent or `undefined`. */
export interface LoadSummary {
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  /** Same page, same number; and the same of its origin. */
  readonly page: number;
  readonly site: number;
  readonly standing: LoadStatus;
  /** `firefox-default` where nothing was applied. */
  readonly profileId: string;
  readonly carrier: Carrier;
  readonly loadTimeMs?: Milliseconds | undefined;
  readonly bytes?: Bytes | undefined;
  /** What the load shows of its link; see `linkSample`. */
  readonly rttMs?: number | undefined;
  readonly rttLowMs?: number | undefined;
  readonly downKbps?: number | undefined;
  readonly cutShort?: CutShort | undefined;
  readonly excluded?: FieldExclusion | undefined;
  /** The protocol of its requests. */
  readonly protocol?: LoadProtocol | undefined;
  /** In a trial: the slot, and whether the load was only to wash out what was before. */
  readonly trial?: { readonly slot: number; readonly counts: boolean } | undefined;
}

export function loadSummary(load: MarkedPageLoad): LoadSummary {
  const window = loadWindow(load);
  const bytes = window && loadBytes(window.requests);
  const protocol = window && protocolOfLoad(httpVersionShares(window.requests));
  const excluded = exclusionOf(load);
  const { mark, void: void_ } = load.trial ?? {};
  return {
    startedAt: load.startedAt,
    page: addressKey(pageOf(load.url)),
    site: addressKey(load.requests[0]?.origin ?? pageOf(load.url)),
    standing: standingOf(load, window?.cutShort !== undefined),
    profileId: load.applied?.profileId ?? BASELINE_ID,
    carrier: load.applied?.carrier ?? 'none',
    ...(window && { loadTimeMs: milliseconds(window.end - window.start) }),
    ...(bytes !== undefined && { bytes }),
    ...linkSample(load),
    ...(window?.cutShort !== undefined && { cutShort: window.cutShort }),
    ...(excluded !== undefined && { excluded: excluded.cause }),
    ...(protocol !== undefined && { protocol }),
    ...(mark && { trial: { slot: mark.slot, counts: !mark.washout && void_ === undefined } }),
  };
}

/** A page is its address without the fragment. */
const pageOf = (url: string): string => url.split('#', 1)[0] ?? url;

function standingOf(load: MarkedPageLoad, cutShort: boolean): LoadStatus {
  if (load.requests[0]?.timing === undefined) return 'unmeasurable';
  if ((load.applied?.mismatches ?? []).length > 0) return 'not-as-intended';
  return cutShort ? 'cut-short' : 'whole';
}

type Exclusion =
  | { readonly cause: 'no-timing' | 'washout' }
  | { readonly cause: 'not-in-effect'; readonly preferences: readonly string[] }
  | { readonly cause: 'unfit'; readonly why: string };

function exclusionOf(load: MarkedPageLoad): Exclusion | undefined {
  if (!isMeasurable(load)) return { cause: 'no-timing' };
  const preferences = load.applied?.mismatches ?? [];
  if (preferences.length > 0) return { cause: 'not-in-effect', preferences };
  const { mark, void: why } = load.trial ?? {};
  if (why !== undefined) return { cause: 'unfit', why };
  return mark?.washout ? { cause: 'washout' } : undefined;
}

export function fieldValidity(load: MarkedPageLoad): Validity {
  const excluded = exclusionOf(load);
  return excluded === undefined ? { state: 'valid' } : voided(excluded);
}

/** The efficiency of this load, as `measureLoad` gives it over this link. `undefined`: unknown, or the load was not seen to its end. */
export function summaryEfficiency({ standing, loadTimeMs, bytes }: LoadSummary, link: Link | undefined): Ratio | undefined {
  if (standing !== 'whole' || loadTimeMs === undefined) return undefined;
  return efficiency({ idealTime: idealTime({ bytes, link }), loadTime: loadTimeMs });
}

/**
 * `undefined`: nothing that could be compared. A load that was cut short only has a lower bound, and a page that came whole from a cache within
 * a step of the clock took no time.
 */
export function comparableLoadTime({ standing, loadTimeMs }: Pick<LoadSummary, 'standing' | 'loadTimeMs'>): number | undefined {
  return standing === 'whole' && loadTimeMs !== undefined && loadTimeMs > 0 ? loadTimeMs : undefined;
}
