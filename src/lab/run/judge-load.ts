/** Whether a load counts: what was intended, what was read back and what was observed must agree. Pure. */
import { LONGEST_LOAD_MS } from '../../core/measure/load-window.ts';
import { PER_SERVER, URGENT_START } from '../../core/profiles/catalogue.ts';
import type { Carrier, Profile } from '../../core/profiles/profile.ts';
import type { Observed, Validity } from '../../core/report/report.ts';
import type { LaneOutcome } from '../lane/lane.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import type { ServedBy } from '../origin/served-by.ts';

export interface JudgedLoad {
  readonly profile: Profile;
  readonly carrier: Carrier;
  /** Without counts on the real network, where nobody counts. */
  readonly outcome: LaneOutcome;
  /** What serves the page; absent: the embedded server, or somebody else's. */
  readonly servedBy?: ServedBy;
  /** What a page of the lab has: its requests, and the most that it can want from one server at once. */
  readonly expected?: { readonly requests: number; readonly widestWave: number };
  /** Of the link, where it is the lab's. */
  readonly rttMs?: number;
}

/** Why a load whose page never came to rest does not count. No option makes the recorder wait longer (src/content/content.ts). */
export const TOO_LONG = `the page takes longer than the ${LONGEST_LOAD_MS / 1000} s that are recorded: take a smaller page or a quicker link`;

/** Firefox's own values where the profile leaves them alone; the read-back decides, these only where it is silent. */
export const SHIPPED_PER_SERVER = 6;
/** A document's own request may go beyond the limit by this many connections (`URGENT_START`). */
const SHIPPED_URGENT_START = 3;
/** `network.http.connection-retry-timeout` as shipped: a handshake that takes longer gets a second, backup connection beside it. */
const SHIPPED_BACKUP_AFTER_MS = 250;

/** What the servers, the link and the gateway counted. `undefined`: nobody counted, as on the real network. */
export function observedLoad({
  outcome,
  carrier,
  servedBy = 'embedded',
}: Pick<JudgedLoad, 'outcome' | 'carrier' | 'servedBy'>): Observed | undefined {
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

/** Behind a server in front, the embedded one sees that server's connections: the browser's own are those that the link carried. */
const linkConnections = ({ link }: LaneOutcome, servedBy: ServedBy): number =>
  Math.max(
    0,
    ...Object.values(link?.connections ?? {}).map(({ peakUsed, udpFlows }) =>
      servedBy === 'http3' ? Math.max(peakUsed, udpFlows) : peakUsed,
    ),
  );

export function judgeLoad(judged: JudgedLoad): Validity {
  const observed = observedLoad(judged);
  const reason =
    notInEffect(judged) ??
    incomplete(judged, observed) ??
    notCarried(judged) ??
    otherVersion(judged) ??
    (observed && (judged.carrier === 'gateway' ? gatewayDisagrees(judged, observed) : directDisagrees(judged, observed)));
  return reason ? { state: 'void', reason } : { state: 'valid' };
}

function notInEffect({ profile, outcome: { applied } }: JudgedLoad): string | undefined {
  if (applied.profileId !== profile.id) return `not in effect: ${applied.profileId} was applied instead`;
  if (applied.mismatches.length > 0) return `not in effect: ${applied.mismatches.join(', ')} read back another value`;
  return undefined;
}

function incomplete({ outcome: { load }, expected }: JudgedLoad, observed: Observed | undefined): string | undefined {
  if (load.observation.ended === 'page-left') return 'the page was left before it was finished';
  if (load.observation.ended === 'time-limit') return TOO_LONG;
  // Pages of the real network have requests that fail every time; only the document must not.
  const mustSucceed = expected ? load.requests : load.requests.slice(0, 1);
  const failed = mustSucceed.find(({ outcome }) => outcome.state === 'failed' || outcome.state === 'unfinished');
  if (failed) {
    const what = `${failed.type} ${failed.url}`;
    return failed.outcome.state === 'failed'
      ? `a request failed: ${failed.outcome.error} (${what})`
      : `a request was still open at the end (${what})`;
  }
  if (expected && observed && observed.requests !== expected.requests) {
    return `the servers saw ${observed.requests} requests, the page has ${expected.requests}`;
  }
  const recorded = load.requests.filter(({ wire }) => wire && !wire.fromCache).length;
  if (observed && recorded !== observed.requests) return `${recorded} requests were recorded, the servers saw ${observed.requests}`;
  return undefined;
}

const EXPECTED_VERSION = { embedded: undefined, nginx: 'http/1.1', https: 'http/1.1', http2: 'http/2', http3: 'http/3' } as const;

/** A page that is to be told of one version of HTTP must have come by it. */
function otherVersion({ servedBy = 'embedded', carrier, outcome: { load } }: JudgedLoad): string | undefined {
  const expected = EXPECTED_VERSION[servedBy];
  if (expected === undefined || carrier === 'gateway') return undefined;
  const other = load.requests.find(({ wire }) => wire?.httpVersion !== undefined && wire.httpVersion !== expected);
  return other && `a request came by ${other.wire?.httpVersion}, not by ${expected}`;
}

function directDisagrees({ profile, outcome, expected, rttMs, servedBy = 'embedded' }: JudgedLoad, observed: Observed): string | undefined {
  const held = (preference: string) => outcome.readBack.find((each) => each.preference === preference)?.value;
  const limit = profile.connections ?? numberOr(held(PER_SERVER), SHIPPED_PER_SERVER);
  const urgent = numberOr(held(URGENT_START), SHIPPED_URGENT_START);
  // Backup connections are kept and used once they stand, beyond the limit.
  const backups = rttMs !== undefined && rttMs >= SHIPPED_BACKUP_AFTER_MS ? limit : 0;
  if (observed.peakConnections > limit + urgent + backups) {
    const more = backups > 0 ? `+${urgent} urgent, +${backups} for slow handshakes` : `+${urgent} urgent`;
    return `${observed.peakConnections} connections to one server, at most ${limit} (${more}) intended`;
  }
  if (observed.peakDepth !== undefined && observed.peakDepth > 1)
    return `${observed.peakDepth} requests outstanding on one connection without a carrier of depth`;
  // One connection carries all requests of HTTP/2 and 3.
  if (servedBy === 'http2' || servedBy === 'http3') return undefined;
  const reachable = Math.min(limit, expected?.widestWave ?? 0);
  if (observed.peakConnections < reachable)
    return `only ${observed.peakConnections} connections to one server, ${reachable} intended and wanted`;
  return undefined;
}

/** What is known without anybody who counts at the server: a depth that nothing carried is not the profile's. */
function notCarried({ profile, carrier, outcome }: JudgedLoad): string | undefined {
  if (carrier !== 'gateway') return undefined;
  const fallback = outcome.gateway?.fallbacks[0];
  if (fallback) return `the server cannot pipeline (${fallback.reason}): depth fell back to 1`;
  // The document itself comes first, before the redirects that led to it: one from plain http to https was carried no further.
  const [document] = outcome.load.requests;
  if (document?.wire?.proxied !== false) return undefined;
  return `the page itself went past the gateway, which carries plain http only: ${profile.id} was not in effect`;
}

function gatewayDisagrees({ profile, outcome, expected }: JudgedLoad, observed: Observed): string | undefined {
  const limit = profile.connections ?? SHIPPED_PER_SERVER;
  if (observed.peakConnections > limit) return `${observed.peakConnections} connections to one server, at most ${limit} intended`;
  const { peakDepth = 0 } = observed;
  if (peakDepth > profile.depth) return `${peakDepth} requests outstanding on one connection, at most ${profile.depth} intended`;
  const proxied = outcome.load.requests.every(({ wire }) => wire?.proxied !== false);
  if (!proxied) return 'a request went past the gateway';
  // A page with more requests at once than connections must have pipelined.
  if (profile.depth > 1 && (expected?.widestWave ?? 0) > limit && peakDepth < 2)
    return 'no request was pipelined though the page had enough of them';
  return undefined;
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
