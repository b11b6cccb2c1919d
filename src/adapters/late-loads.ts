/** The stored loads of one tab that late events may be part of, each read once in a step. */

import { MAX_REQUESTS, type RawRequestEvent } from '../core/measure/page-load.ts';
import { CLOCK_TOLERANCE_MS } from '../core/measure/select-load-events.ts';
import { withoutFragment } from '../core/measure/stored-url.ts';
import type { StoredLoad, Writing } from './record-database.ts';

/** A document is observed for 60 s at most; an event this long after that end is of none. Our own choice; see `late-events.ts`. */
const AFTER_END_MS = 180_000;
/** Events that end so soon after the observation are the document's, such as the requests that leaving it has cut off. Our own choice. */
const JUST_AFTER_END_MS = 1_000;
/** A document's last requests end after the next one began at the latest; 3 covers fast successive reloads. */
const LOADS_LOOKED_BACK = 3;

/** A sign of a navigation among the waiting events: one of its document's own. */
export interface WaitingNavigation {
  readonly at: number;
  readonly requestId: string;
}

/** What is known of the tab's waiting events. */
export interface TabEvents {
  /** When this run of Firefox began, wall clock: request and tab ids begin anew with every start. */
  readonly since: number;
  /** When navigations began whose load is not stored yet; ascending. */
  readonly navigations: readonly WaitingNavigation[];
  readonly firstUrls: ReadonlyMap<string, string>;
  /** Events of documents' own requests, by request; ascending. */
  readonly documents: ReadonlyMap<string, readonly RawRequestEvent[]>;
}

/**
 * What is known of loads that are full, by key, from one step to the next: a load of 2,000 requests takes 10 ms to read. What such a load lacks is
 * never decided by it alone: then it is read anew.
 */
export type FullLoads = Map<number, Known>;

interface Known {
  readonly stored: Pick<StoredLoad, 'startedAt' | 'endedAt' | 'url' | 'documentId'>;
  readonly requestIds: Set<string | undefined>;
  /** Nothing of its document's own request had come when it was stored. */
  readonly lacksDocument: boolean;
  /** The end of that request, where it has come since. */
  document: RawRequestEvent | undefined;
  /** Addresses of requests that the document has reported and whose channel is not known yet. */
  readonly awaited: ReadonlySet<string | undefined>;
  /** It says already that more was asked for than is recorded: a further request changes nothing, and it need not be written again. */
  readonly isFull: boolean;
}

interface Candidate extends Known {
  readonly key: number;
  readonly stored: StoredLoad;
  readonly events: RawRequestEvent[];
}

interface LoadKey {
  readonly key: number;
  readonly startedAt: number;
}

export class TabLoads {
  readonly #transaction: Writing;
  readonly #tabId: number;
  readonly #full: FullLoads;
  readonly #read = new Map<number, Candidate | undefined>();
  #newest: { readonly from: number; readonly until: number; readonly keys: readonly LoadKey[] } = { from: 0, until: 0, keys: [] };
  #requestsToAmend = 0;
  #readingMs = 0;

  /** `full`: is added to. */
  constructor(transaction: Writing, { tabId, full }: { readonly tabId: number; readonly full: FullLoads }) {
    this.#transaction = transaction;
    this.#tabId = tabId;
    this.#full = full;
  }

  /** Of all loads that have late parts so far. */
  get requestsToAmend(): number {
    return this.#requestsToAmend;
  }

  /** How long the database has taken to hand out loads: others had their turn. */
  get readingMs(): number {
    return this.#readingMs;
  }

  /** Keeps the event for the load that it is a late part of, looking at the newest first. @returns whether there is one. */
  async takeLatePart(event: RawRequestEvent, among: TabEvents): Promise<boolean> {
    for (const { key, startedAt } of await this.#newestUpTo(event.at)) {
      const full = this.#full.get(key);
      // After a reset keys begin anew.
      if (full?.stored.startedAt === startedAt) {
        if (!isLatePartOf(full, event, among)) continue;
        if (!changes(full, event, among)) return true;
      }
      const candidate = await this.#candidate(key);
      if (candidate && isLatePartOf(candidate, event, among)) {
        if (candidate.isFull && !changes(candidate, event, among)) return true;
        if (candidate.events.length === 0) this.#requestsToAmend += candidate.stored.load.requests.length;
        if (event.type === 'main_frame' && !candidate.requestIds.has(event.requestId)) {
          candidate.document = event;
          candidate.requestIds.add(event.requestId);
          // What is before its end was passed over: only the end says whose it is.
          candidate.events.push(...(among.documents.get(event.requestId) ?? []).filter(({ phase }) => !isEnd(phase)));
        }
        candidate.events.push(event);
        return true;
      }
    }
    return false;
  }

  /** Keys of the newest loads that had begun by then, the newest first. Events come in order of time, so most ask for the same. */
  async #newestUpTo(at: number): Promise<readonly LoadKey[]> {
    const { from, until, keys } = this.#newest;
    if (at >= from && at < until) return keys;
    const index = this.#transaction.objectStore('loads').index('byTab');
    const tabId = this.#tabId;
    const [after, cursor] = await Promise.all([
      index.openKeyCursor(IDBKeyRange.bound([tabId, at], [tabId, Number.POSITIVE_INFINITY], true)),
      index.openKeyCursor(IDBKeyRange.bound([tabId, 0], [tabId, at]), 'prev'),
    ]);
    const found: LoadKey[] = [];
    for (let open = cursor; open && found.length < LOADS_LOOKED_BACK; open = await open.continue())
      found.push({ key: open.primaryKey, startedAt: open.key[1] });
    this.#newest = { from: at, until: after?.key[1] ?? Number.POSITIVE_INFINITY, keys: found };
    return found;
  }

  amended(): readonly Candidate[] {
    return [...this.#read.values()].filter((candidate) => candidate !== undefined && candidate.events.length > 0) as Candidate[];
  }

  async #candidate(key: number): Promise<Candidate | undefined> {
    if (!this.#read.has(key)) {
      const began = performance.now();
      const stored = await this.#transaction.objectStore('loads').get(key);
      this.#readingMs += performance.now() - began;
      const candidate = candidateOf(key, stored);
      this.#read.set(key, candidate);
      if (candidate?.isFull) this.#full.set(key, knownOf(candidate));
    }
    return this.#read.get(key);
  }
}

/** The record is not parsed for every event; one that cannot be read has no part for any. */
function candidateOf(key: number, stored: StoredLoad | undefined): Candidate | undefined {
  if (!Array.isArray(stored?.load?.requests)) return undefined;
  const { requests } = stored.load;
  return {
    key,
    stored,
    requestIds: new Set(requests.map(({ requestId }) => requestId)),
    awaited: new Set(
      requests.filter(({ requestId, wire }) => requestId === undefined && wire === undefined).map(({ url }) => withoutFragment(url)),
    ),
    lacksDocument: requests[0] !== undefined && requests[0].type === 'main_frame' && requests[0].requestId === undefined,
    document: undefined,
    isFull: stored.load.observation?.tooManyRequests === true && requests.length >= MAX_REQUESTS,
    events: [],
  };
}

/** Without the record itself, which would stay in memory. */
function knownOf({ stored: { startedAt, endedAt, url, documentId }, requestIds, awaited, lacksDocument, isFull }: Candidate): Known {
  const stored = { startedAt, endedAt, url, ...(documentId !== undefined && { documentId }) };
  return { stored, requestIds, awaited, lacksDocument, isFull, document: undefined };
}

/** Whether the event is of a request that the load has. */
const changes = ({ requestIds, awaited }: Known, event: RawRequestEvent, { firstUrls }: TabEvents): boolean =>
  event.type === 'main_frame' ||
  requestIds.has(event.requestId) ||
  awaited.has(withoutFragment(firstUrls.get(event.requestId) ?? event.url));

const isEnd = (phase: RawRequestEvent['phase']): boolean => phase === 'completed' || phase === 'failed';

/**
 * Firefox keeps webRequest's events back for up to 250 ms, so as to send them together, and messages not (ConduitsParent.sys.mjs,
 * BATCH_TIMEOUT_MS); on a busy machine for longer. So a document's timing may be here before the request for the document is.
 * @returns whether the event is the end of that request: by identity if both sides name it, else by address and clock.
 */
function isDocumentOf({ stored, lacksDocument, document }: Known, event: RawRequestEvent, { documents }: TabEvents): boolean {
  if (!lacksDocument || document !== undefined || !isEnd(event.phase)) return false;
  if (event.phase === 'completed' && event.documentId !== undefined && stored.documentId !== undefined)
    return event.documentId === stored.documentId;
  const began = documents.get(event.requestId)?.[0]?.at ?? event.at;
  return withoutFragment(event.url) === withoutFragment(stored.url) && Math.abs(began - stored.startedAt) <= CLOCK_TOLERANCE_MS;
}

function isLatePartOf(candidate: Known, event: RawRequestEvent, among: TabEvents): boolean {
  const { stored, requestIds, awaited } = candidate;
  if (event.at - stored.endedAt > AFTER_END_MS || (stored.endedAt < among.since && event.at >= among.since)) return false;
  if (requestIds.has(event.requestId)) return true;
  if (event.type === 'main_frame') return isDocumentOf(candidate, event, among);
  // A page that goes on asking after its load would grow it for ever: what began later has no entry in it that waits for its channel.
  const first = among.firstUrls.get(event.requestId) ?? event.url;
  if (event.at > stored.endedAt + JUST_AFTER_END_MS && !awaited.has(withoutFragment(first))) return false;
  if (event.frameId === 0 && event.documentId !== undefined && stored.documentId !== undefined)
    return event.documentId === stored.documentId;
  let last = lastUpTo(among.navigations, event.at);
  while (requestIds.has(among.navigations[last]?.requestId ?? '')) last--;
  const nextHasBegun = (among.navigations[last]?.at ?? Number.NEGATIVE_INFINITY) > stored.startedAt;
  const sameUrl =
    event.documentUrl === undefined || event.frameId !== 0 || withoutFragment(event.documentUrl) === withoutFragment(stored.url);
  return sameUrl && !nextHasBegun;
}

/** Position of the last that is not above the bound, -1: none. */
function lastUpTo(ascending: readonly WaitingNavigation[], bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle]?.at ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
