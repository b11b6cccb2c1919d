/** The stored loads of one tab that late events may be part of, each read once in a step. */
import { changesLoad, isEnd, isLatePartOf, type KnownLoad, type TabEvents } from '../core/measure/late-arrivals.ts';
import { MAX_REQUESTS } from '../core/measure/load-measures.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import { withoutFragment } from '../core/measure/stored-url.ts';
import type { StoredLoad, WriteTransaction } from './record-database.ts';

/** Late requests belong to one of the last few documents; 3 also covers rapid reloads. */
const LOADS_LOOKED_BACK = 3;

/**
 * Full loads already read, by key, across steps: a load of 2,000 requests takes 10 ms to read. Where an event could change such a load, it is
 * read again.
 */
export type FullLoads = Map<number, KnownLoad>;

interface Candidate extends KnownLoad {
  readonly key: number;
  readonly stored: StoredLoad;
  readonly events: RawRequestEvent[];
}

interface LoadKey {
  readonly key: number;
  readonly startedAt: number;
}

export class TabLoads {
  readonly #transaction: WriteTransaction;
  readonly #tabId: number;
  readonly #full: FullLoads;
  readonly #read = new Map<number, Candidate | undefined>();
  #newest: { readonly from: number; readonly until: number; readonly keys: readonly LoadKey[] } = { from: 0, until: 0, keys: [] };
  #requestsToAmend = 0;
  #readingMs = 0;

  /** Entries are added to `full`. */
  constructor(transaction: WriteTransaction, { tabId, full }: { readonly tabId: number; readonly full: FullLoads }) {
    this.#transaction = transaction;
    this.#tabId = tabId;
    this.#full = full;
  }

  /** Requests of all loads that have late parts so far. */
  get requestsToAmend(): number {
    return this.#requestsToAmend;
  }

  /** Time the database took to read loads, during which other tasks could run. */
  get readingMs(): number {
    return this.#readingMs;
  }

  /** Keeps the event for the load that it is a late part of, looking at the newest first. @returns whether there is one. */
  async takeLatePart(event: RawRequestEvent, among: TabEvents): Promise<boolean> {
    for (const { key, startedAt } of await this.#newestUpTo(event.at)) {
      const full = this.#full.get(key);
      // Keys restart after a reset, so the start time must match too.
      if (full?.stored.startedAt === startedAt) {
        if (!isLatePartOf(full, event, among)) continue;
        if (!changesLoad(full, event, among)) return true;
      }
      const candidate = await this.#candidate(key);
      if (candidate && isLatePartOf(candidate, event, among)) {
        if (candidate.isFull && !changesLoad(candidate, event, among)) return true;
        if (candidate.events.length === 0) this.#requestsToAmend += candidate.stored.load.requests.length;
        if (event.type === 'main_frame' && !candidate.requestIds.has(event.requestId)) {
          candidate.document = event;
          candidate.requestIds.add(event.requestId);
          // Events before the end were skipped: only the end event identifies the document.
          candidate.events.push(...(among.documents.get(event.requestId) ?? []).filter(({ phase }) => !isEnd(phase)));
        }
        candidate.events.push(event);
        return true;
      }
    }
    return false;
  }

  /** Keys of the newest loads that had begun by then, newest first. Events come in order of time, so most need the same. */
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

/** The record is not parsed for every event. `undefined`: it cannot be read. */
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
function knownOf({ stored: { startedAt, endedAt, url, documentId }, requestIds, awaited, lacksDocument, isFull }: Candidate): KnownLoad {
  const stored = { startedAt, endedAt, url, ...(documentId !== undefined && { documentId }) };
  return { stored, requestIds, awaited, lacksDocument, isFull, document: undefined };
}
