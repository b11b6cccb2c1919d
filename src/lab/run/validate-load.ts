/** Whether a load counts: what was intended, what was read back and what was observed must agree. Pure. */

import { loadWindow, MAX_LOAD_MS } from '../../core/measure/load-window.ts';
import type { HttpVersion, PageLoad, RequestOutcome } from '../../core/measure/page-load.ts';
import { HTTP2_ENABLED, HTTP3_ENABLED, PER_SERVER, URGENT_START } from '../../core/profiles/catalogue.ts';
import type { Carrier, Profile } from '../../core/profiles/profile.ts';
import { SHIPPED } from '../../core/profiles/shipped.ts';
import type { Observed } from '../../core/report/report.ts';
import { REQUEST_TIMED_OUT, type Validity, type VoidFinding, voided } from '../../core/report/validity.ts';
import type { LaneOutcome } from '../lane/lane.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import { overTls, type ServedBy } from '../pages/served-by.ts';
import { NAMES_PER_ADDRESS } from '../pages/server-names.ts';

export interface LoadToValidate {
  readonly profile: Profile;
  readonly carrier: Carrier;
  /** Without counts on the real network, where nothing counts. */
  readonly outcome: LaneOutcome;
  /** What serves the page; absent: the embedded server, or one that is not ours. */
  readonly servedBy?: ServedBy;
  readonly expected?: { readonly requests: number };
}

/** The counts of the servers, the link and the gateway. `undefined`: no counts, as on the real network. */
export function observedLoad({
  outcome,
  carrier,
  servedBy = 'embedded',
}: Pick<LoadToValidate, 'outcome' | 'carrier' | 'servedBy'>): Observed | undefined {
  if (!outcome.origins) return undefined;
  const counts = Object.values(outcome.origins);
  const most = (figure: (count: OriginCount) => number) => Math.max(0, ...counts.map(figure));
  const peakDepth = carrier === 'gateway' ? gatewayDepth(outcome) : servedBy === 'embedded' ? most((count) => count.peakDepth) : undefined;
  return {
    peakConnections: servedBy === 'embedded' ? most((count) => count.peakConnections) : linkConnections(outcome, servedBy),
    peakOutstanding: most((count) => count.peakOutstanding),
    ...(peakDepth !== undefined && { peakDepth }),
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
  };
}

const gatewayDepth = ({ gateway }: LaneOutcome): number => Math.max(0, ...(gateway?.origins ?? []).map(({ peakDepth }) => peakDepth));

/** Behind a reverse proxy, the embedded one sees that server's connections: the browser's own are those that the link carried. */
const linkConnections = ({ link }: LaneOutcome, servedBy: ServedBy): number =>
  Math.max(
    0,
    ...Object.values(link?.connections ?? {}).map(({ peakUsed, udpFlows }) =>
      servedBy === 'http3' || servedBy === 'negotiated' ? Math.max(peakUsed, udpFlows) : peakUsed,
    ),
  );

/**
 * More than the profile allows excludes a load: it was not in effect. Fewer connections, or less depth, than the page could have used is a
 * result: Firefox's own pacing, or a server that was quick. That a limit can be reached is shown by the page of held pictures
 * (`limit-control.ts`), once in a block, and by no load that counts.
 */
export function validateLoad(toValidate: LoadToValidate): Validity {
  const observed = observedLoad(toValidate);
  const finding =
    notInEffect(toValidate) ??
    incomplete(toValidate, observed) ??
    notCarried(toValidate) ??
    otherVersion(toValidate) ??
    (observed && (toValidate.carrier === 'gateway' ? gatewayDisagrees(toValidate, observed) : directDisagrees(toValidate, observed)));
  return finding ? voided(finding) : { state: 'valid' };
}

function notInEffect({ profile, outcome: { applied } }: LoadToValidate): VoidFinding | undefined {
  if (applied.profileId !== profile.id) return { cause: 'not-in-effect', profileId: applied.profileId };
  if (applied.mismatches.length > 0) return { cause: 'not-in-effect', preferences: applied.mismatches };
  return undefined;
}

function incomplete({ outcome: { load }, expected }: LoadToValidate, observed: Observed | undefined): VoidFinding | undefined {
  if (load.observation.ended === 'page-left') return { cause: 'page-left' };
  if (load.observation.ended === 'time-limit') return { cause: 'time-limit', afterMs: MAX_LOAD_MS };
  // Pages of the real network have requests that fail every time; only the document must not.
  const mustSucceed = expected ? load.requests : load.requests.slice(0, 1);
  const failed = mustSucceed.find(({ outcome }) => outcome.state === 'failed' || outcome.state === 'unfinished');
  if (failed) {
    // A page of the lab has addresses of the lab; any other is the person's own, and a report names none.
    const what = expected ? `${failed.type} ${failed.url}` : 'the page itself';
    return failed.outcome.state === 'failed' ? requestFailed(load, failed.outcome, what) : { cause: 'request-open', what };
  }
  return observed && missing({ load, expected, seen: observed.requests });
}

/**
 * A request that timed out says that the load took longer than until then. Its last response may have come long before: where it is not known
 * when the request failed, the load has no bound.
 */
function requestFailed(load: PageLoad, { error, at }: Extract<RequestOutcome, { state: 'failed' }>, what: string): VoidFinding {
  const window = error === REQUEST_TIMED_OUT && at !== undefined ? loadWindow(load) : undefined;
  const afterMs = window && at !== undefined ? Math.min(MAX_LOAD_MS, Math.max(window.end, at) - window.start) : undefined;
  return { cause: 'request-failed', error, what, ...(afterMs !== undefined && { afterMs }) };
}

/** A request that came twice is a result, and priced as one; what the page has must be there, and in the record. */
function missing({
  load,
  expected,
  seen,
}: {
  readonly load: LoadToValidate['outcome']['load'];
  readonly expected: LoadToValidate['expected'] | undefined;
  readonly seen: number;
}): VoidFinding | undefined {
  if (expected && seen < expected.requests) return { cause: 'requests-missing', seen, wanted: expected.requests, of: 'page' };
  const recorded = load.requests.filter(({ wire }) => wire && !wire.fromCache).length;
  if (recorded > seen) return { cause: 'requests-missing', seen, wanted: recorded, of: 'record' };
  const wanted = expected?.requests ?? seen;
  return recorded < wanted ? { cause: 'requests-unrecorded', recorded, wanted } : undefined;
}

/** The newest version that the server speaks and the profile leaves on: each falls back to the next where it is off, as the server offers all. */
function expectedVersion(
  servedBy: Exclude<ServedBy, 'embedded' | 'negotiated'>,
  { preferences }: Pick<Profile, 'preferences'>,
): HttpVersion {
  if (servedBy === 'http3' && preferences[HTTP3_ENABLED] !== false) return 'http/3';
  return overTls(servedBy) && servedBy !== 'https' && preferences[HTTP2_ENABLED] !== false ? 'http/2' : 'http/1.1';
}

/** A page must have come by the version that server and profile settle on. */
function otherVersion({ profile, servedBy = 'embedded', carrier, outcome: { load } }: LoadToValidate): VoidFinding | undefined {
  if (servedBy === 'embedded' || carrier === 'gateway') return undefined;
  if (servedBy === 'negotiated') return switchedOffVersion(profile, load);
  const expected = expectedVersion(servedBy, profile);
  const seen = load.requests.find(({ wire }) => wire?.httpVersion !== undefined && wire.httpVersion !== expected)?.wire?.httpVersion;
  return seen && { cause: 'other-http-version', seen, expected };
}

/** Which version a load settles on is what is measured; one that the profile has switched off means that the profile was not in effect. */
function switchedOffVersion({ preferences }: Pick<Profile, 'preferences'>, { requests }: PageLoad): VoidFinding | undefined {
  const off: readonly HttpVersion[] = [
    ...(preferences[HTTP3_ENABLED] === false ? (['http/3'] as const) : []),
    ...(preferences[HTTP2_ENABLED] === false ? (['http/2'] as const) : []),
  ];
  const seen = requests.map(({ wire }) => wire?.httpVersion).find((version) => version !== undefined && off.includes(version));
  return seen && { cause: 'other-http-version', seen, expected: off.includes('http/2') ? 'http/1.1' : 'http/2' };
}

function directDisagrees({ profile, outcome, servedBy }: LoadToValidate, observed: Observed): VoidFinding | undefined {
  const held = (preference: string) => outcome.readBack.find((each) => each.preference === preference)?.value;
  const limit = profile.connections ?? numberOr(held(PER_SERVER), SHIPPED.perServer);
  const urgent = numberOr(held(URGENT_START), SHIPPED.urgentStart);
  // Backup connections are kept and used once they are established, beyond the limit: one beside each of those that the limit allows, at most.
  const backups = Math.min(limit, backupsSeen(outcome));
  // The link knows addresses; the limit is per name.
  const names = servedBy === 'negotiated' ? NAMES_PER_ADDRESS : 1;
  if (observed.peakConnections > names * (limit + urgent + backups)) {
    const besides = backups > 0 ? `+${urgent} urgent, +${backups} for slow handshakes` : `+${urgent} urgent`;
    return { cause: 'too-many-connections', seen: observed.peakConnections, allowed: limit, besides };
  }
  if (observed.peakDepth !== undefined && observed.peakDepth > 1)
    return { cause: 'too-deep', seen: observed.peakDepth, allowed: 1, carried: false };
  return undefined;
}

/**
 * Judges the link by what it carried in this load, never by how long it took. The relay that knows no packets takes every connection at once: no
 * handshake is slow there.
 */
const backupsSeen = ({ link }: LaneOutcome): number => Math.max(0, ...Object.values(link?.connections ?? {}).map(({ backups }) => backups));

/** What is known without counts at the server: a depth that nothing carried is not the profile's. */
function notCarried({ profile, carrier, outcome }: LoadToValidate): VoidFinding | undefined {
  if (carrier !== 'gateway') return undefined;
  const fallback = outcome.gateway?.fallbacks[0];
  if (fallback) return { cause: 'gateway-fell-back', why: fallback.reason };
  // The document itself comes first, before the redirects that led to it: one from plain http to https was carried no further.
  const [document] = outcome.load.requests;
  return document?.wire?.proxied === false ? { cause: 'past-the-gateway', what: 'page', profileId: profile.id } : undefined;
}

function gatewayDisagrees({ profile, outcome }: LoadToValidate, observed: Observed): VoidFinding | undefined {
  const limit = profile.connections ?? SHIPPED.perServer;
  if (observed.peakConnections > limit) return { cause: 'too-many-connections', seen: observed.peakConnections, allowed: limit };
  const { peakDepth = 0 } = observed;
  if (peakDepth > profile.depth) return { cause: 'too-deep', seen: peakDepth, allowed: profile.depth, carried: true };
  const proxied = outcome.load.requests.every(({ wire }) => wire?.proxied !== false);
  return proxied ? undefined : { cause: 'past-the-gateway', what: 'request', profileId: profile.id };
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
