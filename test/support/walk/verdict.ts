/** What became of each answer in Firefox, held against what its address says it is. */
import { createHash } from 'node:crypto';
import type { Arrivals } from './origins.ts';
import { bodyOf, type Manners, mannersOf, PLAIN_WAYS, parsePath } from './pages.ts';

/** As the walking extension notes a request that has ended. */
export interface Ended {
  readonly requestId: string;
  readonly tabId: number;
  readonly url: string;
  readonly type: string;
  readonly method: string;
  /** When it was first asked for, and in which frame. */
  readonly begun: number;
  readonly frameId: number;
  /** When it ended, as all of these by the wall clock, ms since the epoch. */
  readonly at: number;
  readonly status?: number;
  readonly error?: string;
  readonly fromCache: boolean;
  readonly carrier: 'direct' | 'gateway' | 'handed-back';
  readonly length?: number;
  readonly sha?: string;
}

/** A tab goes elsewhere, or a frame does: the walk has taken a step, or Firefox has begun or committed a navigation. */
export interface Leaving {
  readonly tabId: number;
  /** 0: the whole page. */
  readonly frameId: number;
  readonly kind: 'step' | 'begun' | 'committed';
  readonly at: number;
}

/** Of an answer that Firefox took for complete: `part`, the beginning of what it is; `nothing`, not a byte of it; `other`, something else. */
export type Shown = 'whole' | 'part' | 'other' | 'nothing' | 'unseen';

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export function shownOf({ url, sha: got, length = 0 }: Ended): Shown {
  if (got === undefined) return 'unseen';
  const { host, pathname, search } = new URL(url);
  const body = bodyOf(host, pathname + search);
  if (got === sha(body)) return 'whole';
  if (length === 0 && body.length > 0) return 'nothing';
  return length < body.length && got === sha(body.subarray(0, length)) ? 'part' : 'other';
}

/**
 * Failures that the walk itself wanted, by going on. An imgRequest that nobody waits for any more when its answer begins ends with
 * NS_IMAGELIB_ERROR_FAILURE (image/imgRequest.cpp, OnStartRequest).
 */
const WANTED = new Set([
  'NS_BINDING_ABORTED',
  'NS_BINDING_CANCELLED_OLD_LOAD',
  'NS_ERROR_ABORT',
  'NS_ERROR_PARSED_DATA_CACHED',
  'NS_IMAGELIB_ERROR_FAILURE',
]);
/** Around a kill Firefox needs so long to see that nobody is there, ms. */
const KILL_MS = [500, 5_000] as const;

interface Count {
  whole: number;
  part: number;
  other: number;
  /** Complete to Firefox, but not a byte was read: so ends what a page had asked for that was left meanwhile. */
  nothing: number;
  unseen: number;
  /** The walk went on before the end. */
  left: number;
  failedAtKill: number;
  failed: number;
}
const none = (): Count => ({ whole: 0, part: 0, other: 0, nothing: 0, unseen: 0, left: 0, failedAtKill: 0, failed: 0 });

/** What is told of a navigation crosses from another process, and may come so much after what it ended. */
const TOLD_LATE_MS = 500;
/** A navigation without an answer, or with one that shows nothing, is never committed; the slowest answer begins after 8 s. */
const LONGEST_NAVIGATION_MS = 10_000;

interface Odd {
  readonly ended: Ended;
  readonly shown: Shown | 'failed';
  readonly way: string;
}

/** Counts by manners and carrier, and what came of an answer after the gateway that comes of none direct. */
export class Verdict {
  readonly counts: Record<Manners, Record<Ended['carrier'], Count>> = {
    well: { direct: none(), gateway: none(), 'handed-back': none() },
    sloppy: { direct: none(), gateway: none(), 'handed-back': none() },
    hostile: { direct: none(), gateway: none(), 'handed-back': none() },
  };
  readonly #odd: Odd[] = [];
  readonly #kills: number[] = [];
  readonly #leavings = new Map<number, Leaving[]>();
  readonly #aborted: Odd[] = [];
  fromCache = 0;

  get killedAt(): readonly number[] {
    return this.#kills;
  }

  killed(at: number): void {
    this.#kills.push(at);
  }

  add(ended: Ended): void {
    const { hostname, pathname, search } = new URL(ended.url);
    if (!hostname.endsWith('.test')) return;
    if (ended.fromCache) this.fromCache += 1;
    // A picture that is still good Firefox shows from memory, and reads nothing.
    if (ended.fromCache && ended.type === 'image' && ended.length === 0) return;
    const count = this.counts[mannersOf(hostname)][ended.carrier];
    if (ended.error !== undefined && WANTED.has(ended.error)) {
      count.left += 1;
      this.#aborted.push({ ended, shown: 'failed', way: parsePath(pathname + search).way });
      return;
    }
    const isAtKill = this.#kills.some((at) => ended.at > at - KILL_MS[0] && ended.at < at + KILL_MS[1]);
    const shown = ended.error === undefined ? shownOf(ended) : 'failed';
    if (shown === 'failed') count[isAtKill ? 'failedAtKill' : 'failed'] += 1;
    else count[shown] += 1;
    if (shown === 'whole' || shown === 'unseen' || (shown === 'failed' && isAtKill)) return;
    this.#odd.push({ ended, shown, way: parsePath(pathname + search).way });
  }

  /** What was shown, or failed without a kill, and never so where it went direct; of an answer as it should be, all that is not whole. */
  get unlikeDirect(): readonly Odd[] {
    const odd = this.#odd.filter(
      ({ ended, shown }) => (shown !== 'nothing' && shown !== 'failed') || ended.length !== 0 || !this.#wasLeft(ended),
    );
    const direct = new Set(odd.filter(({ ended }) => ended.carrier === 'direct').map(({ shown, way }) => `${shown} ${way}`));
    return odd.filter(
      ({ ended, shown, way }) => ended.carrier !== 'direct' && (PLAIN_WAYS.includes(way as never) || !direct.has(`${shown} ${way}`)),
    );
  }

  left(leaving: Leaving): void {
    const ofTab = this.#leavings.get(leaving.tabId) ?? [];
    ofTab.push(leaving);
    this.#leavings.set(leaving.tabId, ofTab);
  }

  /** What ended without a byte as its page, or its frame, was left. */
  get endedByLeaving(): readonly Odd[] {
    return this.#odd.filter(
      ({ ended, shown }) => (shown === 'nothing' || shown === 'failed') && ended.length === 0 && this.#wasLeft(ended),
    );
  }

  /** Ended as what is left does, though nothing was seen to leave it. */
  get abortedUnasked(): readonly Odd[] {
    return this.#aborted.filter(({ ended }) => !this.#wasLeft(ended));
  }

  /** Between the beginning of a navigation and its end, of the page or of the frame, it lasted. */
  #wasLeft({ tabId, frameId, begun, at }: Ended): boolean {
    let since: number | undefined;
    for (const leaving of this.#leavings.get(tabId) ?? []) {
      if (leaving.frameId !== 0 && leaving.frameId !== frameId) continue;
      if (leaving.at > at + TOLD_LATE_MS) break;
      if (leaving.kind !== 'committed') since = leaving.at;
      if (leaving.at >= begun) return true;
      if (leaving.kind === 'committed') since = undefined;
    }
    return since !== undefined && begun - since < LONGEST_NAVIGATION_MS;
  }
}

/** How often requests reached a server. `unexplained`: more often than once, and once more after the gateway, and Firefox had no cause. */
export function arrivalsOf(all: readonly Arrivals[]) {
  const safe = all.filter(({ method }) => method === 'GET' || method === 'HEAD');
  const others = all.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  const sent = ({ gateway, direct }: Arrivals) => gateway + direct;
  // What a server leaves without an answer Firefox asks again by itself, with and without a gateway.
  const needless = ({ gateway, direct, unanswered }: Arrivals) => gateway + Math.max(0, direct - unanswered);
  const well = (one: Arrivals) => mannersOf(one.host.split(':')[0] ?? '') === 'well';
  return {
    requests: all.length,
    byGateway: all.filter(({ gateway }) => gateway > 0).length,
    byGatewayTwice: all.filter(({ gateway }) => gateway > 1).length,
    twice: safe.filter((one) => one.gateway === 1 && one.direct > 0).length,
    mostOfGet: Math.max(0, ...safe.filter(well).map(sent)),
    getsTooOften: safe.filter((one) => needless(one) > 2).length,
    others: others.length,
    othersByGateway: others.filter(({ gateway }) => gateway > 0).length,
    mostOfOthers: Math.max(0, ...others.filter(well).map(sent)),
    othersTooOften: others.filter((one) => needless(one) > 1).length,
  };
}
