/**
 * Why a load does not count, as data: every cause there is, and whether it can have to do with how long the load took. A scenario may be
 * set aside only for a cause that cannot; loads lost to any other are lost by their outcome, which verdicts must allow for.
 */
import * as v from 'valibot';
import { assertNever } from '../errors.ts';
import { finite, type Shape } from '../schema.ts';

/** The finding of its cause, with the data that `voidReason` needs. */
export type VoidFinding =
  /** Another profile was applied, or a value read back as something else. */
  | { readonly cause: 'not-in-effect'; readonly profileId?: string; readonly preferences?: readonly string[] }
  /** More at once than the profile allows: it was not in effect. A slow handshake brings connections more, so this may depend on time. */
  | { readonly cause: 'too-many-connections'; readonly seen: number; readonly allowed: number; readonly besides?: string }
  | { readonly cause: 'too-deep'; readonly seen: number; readonly allowed: number; readonly carried: boolean }
  /** The positive control: on the page of held pictures the limit was not what was asked. */
  | { readonly cause: 'control-failed'; readonly profileId: string; readonly seen: number; readonly wanted: number }
  | { readonly cause: 'gateway-fell-back'; readonly why: string }
  | { readonly cause: 'past-the-gateway'; readonly what: 'page' | 'request'; readonly profileId: string }
  | { readonly cause: 'other-http-version'; readonly seen: string; readonly expected: string }
  | { readonly cause: 'page-left' }
  /** Still loading when recording ended, after so many ms. */
  | { readonly cause: 'time-limit'; readonly afterMs: number }
  /** `afterMs`: where it timed out, how long the load had taken by then. */
  | { readonly cause: 'request-failed'; readonly error: string; readonly what: string; readonly afterMs?: number }
  | { readonly cause: 'request-open'; readonly what: string }
  /** The servers saw fewer requests than the page has, or than were recorded. */
  | { readonly cause: 'requests-missing'; readonly seen: number; readonly wanted: number; readonly of: 'page' | 'record' }
  | { readonly cause: 'requests-unrecorded'; readonly recorded: number; readonly wanted: number }
  | { readonly cause: 'no-timing' }
  | { readonly cause: 'other-record' }
  /** No record came in time. */
  | { readonly cause: 'no-record'; readonly why: string }
  | { readonly cause: 'not-tried'; readonly why: string }
  | { readonly cause: 'lane-broke'; readonly why: string }
  | { readonly cause: 'link-not-as-asked'; readonly why: string }
  /** The first load after a switch. */
  | { readonly cause: 'washout' }
  /** A trial's own reason, in its own words. */
  | { readonly cause: 'unfit'; readonly why: string };

/** Firefox's error of a request that the server did not answer in time: xpcom/base/ErrorList.py. */
export const REQUEST_TIMED_OUT = 'NS_ERROR_NET_TIMEOUT';

export type VoidCause = VoidFinding['cause'];

/**
 * Whether a load may have been lost because it was slow or quick. `true` wherever that cannot be ruled out: a failed request may be one that
 * timed out, HTTP/2 may have won a race against HTTP/3.
 */
const DEPENDS_ON_LOAD_TIME: Readonly<Record<VoidCause, boolean>> = {
  'not-in-effect': false,
  'too-many-connections': true,
  'too-deep': false,
  'control-failed': false,
  'gateway-fell-back': true,
  'past-the-gateway': false,
  'other-http-version': true,
  'page-left': true,
  'time-limit': true,
  'request-failed': true,
  'request-open': true,
  'requests-missing': true,
  'requests-unrecorded': true,
  'no-timing': true,
  'other-record': true,
  'no-record': true,
  'not-tried': true,
  'lane-broke': false,
  'link-not-as-asked': false,
  washout: false,
  unfit: true,
};

/** Every cause there is. */
export const VOID_CAUSES = Object.keys(DEPENDS_ON_LOAD_TIME) as readonly VoidCause[];

export const validitySchema = v.variant('state', [
  v.object({ state: v.literal('valid') }),
  v.object({
    state: v.literal('void'),
    /** A text for the person. */
    reason: v.string(),
    /** The kind of the reason; absent in older reports. */
    cause: v.exactOptional(v.picklist(VOID_CAUSES)),
    /** The load took longer than that, ms, where this is all that is known of it. */
    atLeastMs: v.exactOptional(finite),
  }),
]);
/** Whether a load counts, and if not, why. */
export type Validity = Shape<typeof validitySchema>;

/** Why the first excluded load is excluded; `undefined`: none is. */
export function firstVoidReason(loads: readonly { readonly validity: Validity }[]): string | undefined {
  for (const { validity } of loads) if (validity.state === 'void') return validity.reason;
  return undefined;
}

/** @param cause - Absent, as in older reports: it cannot be ruled out. */
export const dependsOnLoadTime = (cause: VoidCause | undefined): boolean => cause === undefined || DEPENDS_ON_LOAD_TIME[cause];

/**
 * Whether nothing may take the load's place: it counts, or it was lost by what it turned out to be, and another try in its stead would be a
 * choice of the quicker one.
 */
export const isSettled = (validity: Validity): boolean =>
  validity.state === 'valid' || (validity.cause !== undefined && dependsOnLoadTime(validity.cause));

/** The exclusion as a report keeps it. */
export function voided(finding: VoidFinding): Extract<Validity, { readonly state: 'void' }> {
  const bound = 'afterMs' in finding && finding.afterMs !== undefined && { atLeastMs: finding.afterMs };
  return { state: 'void', reason: voidReason(finding), cause: finding.cause, ...bound };
}

/** Why a load is excluded, for a person, in one line. */
export function voidReason(finding: VoidFinding): string {
  switch (finding.cause) {
    case 'not-in-effect':
      return finding.preferences === undefined
        ? `not in effect: ${finding.profileId ?? 'another profile'} was applied instead`
        : `not in effect: ${finding.preferences.join(', ')} read back another value`;
    case 'too-many-connections': {
      const besides = finding.besides === undefined ? '' : ` (${finding.besides})`;
      return `${finding.seen} connections to one server, at most ${finding.allowed}${besides} intended`;
    }
    case 'too-deep':
      return finding.carried
        ? `${finding.seen} requests outstanding on one connection, at most ${finding.allowed} intended`
        : `${finding.seen} requests outstanding on one connection, which nothing here provides`;
    case 'control-failed':
      return `${finding.profileId} on the page of held pictures: ${finding.seen} requests outstanding at once, ${finding.wanted} intended`;
    case 'gateway-fell-back':
      return `the server cannot pipeline (${finding.why}): depth fell back to 1`;
    case 'past-the-gateway':
      return finding.what === 'request'
        ? 'a request bypassed the gateway'
        : `the page itself bypassed the gateway, which takes plain http only: ${finding.profileId} was not in effect`;
    case 'other-http-version':
      return `a request came by ${finding.seen}, not by ${finding.expected}`;
    default:
      return unfinishedReason(finding);
  }
}

type Unfinished = Exclude<
  VoidFinding,
  {
    readonly cause:
      | 'not-in-effect'
      | 'too-many-connections'
      | 'too-deep'
      | 'control-failed'
      | 'gateway-fell-back'
      | 'past-the-gateway'
      | 'other-http-version';
  }
>;

function unfinishedReason(finding: Unfinished): string {
  switch (finding.cause) {
    case 'page-left':
      return 'the page was left before it was finished';
    case 'time-limit':
      return `the page takes longer than the ${finding.afterMs / 1000} s that are recorded: take a smaller page or a quicker link`;
    case 'request-failed':
      return `a request failed: ${finding.error} (${finding.what})`;
    case 'request-open':
      return `a request was still open at the end (${finding.what})`;
    case 'requests-missing':
      return finding.of === 'page'
        ? `the servers saw ${finding.seen} requests, the page has ${finding.wanted}`
        : `${finding.wanted} requests were recorded, the servers saw ${finding.seen}`;
    case 'requests-unrecorded':
      return `${finding.recorded} requests were recorded, the page has ${finding.wanted}`;
    case 'no-timing':
      return 'the document has no timing of its own';
    case 'other-record':
      return 'the record is of another load';
    case 'no-record':
    case 'lane-broke':
    case 'link-not-as-asked':
    case 'unfit':
      return finding.why;
    case 'not-tried':
      return `not tried again: ${finding.why}`;
    case 'washout':
      return 'washout: the first load after a switch';
    default:
      return assertNever(finding);
  }
}
