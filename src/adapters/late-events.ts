/** Brings events that came after their load was stored into it, and drops the ones that can no longer belong to any. */
import { addLateEvents } from '../core/measure/add-late-events.ts';
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import { parsePageLoad, readPageLoad, readRawRequestEvent } from '../protocol/stored-records.ts';
import { browserSession } from './browser-session.ts';
import { putFigures } from './figures-store.ts';
import { countRecords, RECORD_CAPS } from './record-caps.ts';
import type { StoredLoad, Writing } from './record-database.ts';
import { withRecords, writeRecords } from './record-database.ts';

/** A document is observed for 60 s at most, and amended no later; events older than this wait for a load that will not come. Our own choice. */
const ORPHAN_AFTER_MS = 180_000;
/** Events that end so soon after the observation are the document's, such as the requests that leaving it has cut off. Our own choice. */
const JUST_AFTER_END_MS = 1_000;
/** A document's last requests end after the next one began at the latest; 3 covers fast successive reloads. */
const LOADS_LOOKED_BACK = 3;

/** As `settleLateEvents`, but only when some have become too old to wait any longer: so what waits stays little, whoever asks or not. */
export async function settleOldEvents(now: number, originOf: (url: string) => string | null): Promise<void> {
  const tooOld = IDBKeyRange.upperBound(now - ORPHAN_AFTER_MS, true);
  const old = await withRecords((db) => db.countFromIndex('events', 'byTime', tooOld));
  if (old > 0) await settleLateEvents(now, originOf);
}

/** Patches late events into their loads. `now`: wall clock, ms since the epoch. */
export async function settleLateEvents(now: number, originOf: (url: string) => string | null): Promise<void> {
  if ((await withRecords((db) => db.count('events'))) === 0) return;
  const { since } = await browserSession();
  await writeRecords(['events', 'loads', 'figures', 'navigations', 'totals'], async (transaction) => {
    const store = transaction.objectStore('events');
    const [values, keys] = await Promise.all([store.getAll(), store.getAllKeys()]);
    const waiting = values.map(readRawRequestEvent);
    const events = waiting.filter((event) => event !== undefined);
    const late = new Map<number, { stored: StoredLoad; events: RawRequestEvent[] }>();
    for (const [position, event] of waiting.entries()) {
      const found = event && (await loadOf(transaction, event, { waiting: events, since }));
      if (event && found) {
        const group = late.get(found.key) ?? { stored: found.stored, events: [] };
        group.events.push(event);
        late.set(found.key, group);
      }
      const key = keys[position];
      // One that cannot be read belongs to nothing.
      if (key !== undefined && (found || !event || event.at < now - ORPHAN_AFTER_MS)) await store.delete(key);
    }
    const loads = transaction.objectStore('loads');
    let requests = 0;
    for (const [key, { stored, events: own }] of late) {
      const before = readPageLoad(stored.load);
      if (before === undefined) continue;
      const load = addLateEvents(before, own, originOf);
      requests += load.requests.length - before.requests.length;
      await loads.put({ ...stored, load: parsePageLoad(load) }, key);
      await putFigures(transaction, key, load);
    }
    if (requests > 0) await countRecords(transaction, { loads: 0, requests }, RECORD_CAPS);
  });
}

/** The stored load of the event's tab that the event is a late part of, looking at the newest first. */
async function loadOf(
  transaction: Writing,
  event: RawRequestEvent,
  among: Among,
): Promise<{ key: number; stored: StoredLoad } | undefined> {
  const index = transaction.objectStore('loads').index('byTab');
  let cursor = await index.openCursor(IDBKeyRange.bound([event.tabId, 0], [event.tabId, event.at]), 'prev');
  for (let steps = 0; cursor && steps < LOADS_LOOKED_BACK; steps++) {
    if (isLatePartOf(cursor.value, event, among)) return { key: cursor.primaryKey, stored: cursor.value };
    cursor = await cursor.continue();
  }
  return undefined;
}

interface Among {
  readonly waiting: readonly RawRequestEvent[];
  /** When this run of Firefox began, wall clock: request and tab ids begin anew with every start. */
  readonly since: number;
}

function isLatePartOf(stored: StoredLoad, event: RawRequestEvent, { waiting, since }: Among): boolean {
  if (event.at - stored.endedAt > ORPHAN_AFTER_MS || (stored.endedAt < since && event.at >= since)) return false;
  // The record is not parsed for every event; one that cannot be read has no part for any.
  if (!Array.isArray(stored.load?.requests)) return false;
  if (stored.load.requests.some((request) => request.requestId === event.requestId)) return true;
  if (event.type === 'main_frame') return false;
  // A page that goes on asking after its load would grow it for ever: what began later has no entry in it that waits for its channel.
  if (event.at > stored.endedAt + JUST_AFTER_END_MS && !isAwaited(stored, event, waiting)) return false;
  if (event.frameId === 0 && event.documentId !== undefined && stored.documentId !== undefined)
    return event.documentId === stored.documentId;
  const nextHasBegun = waiting.some(
    (other) => other.type === 'main_frame' && other.tabId === event.tabId && other.at > stored.startedAt && other.at <= event.at,
  );
  const sameUrl =
    event.documentUrl === undefined || event.frameId !== 0 || withoutFragment(event.documentUrl) === withoutFragment(stored.url);
  return sameUrl && !nextHasBegun;
}

/** Whether the document has reported a request of this URL (the first of its redirects) whose channel is not known yet. */
function isAwaited(stored: StoredLoad, event: RawRequestEvent, waiting: readonly RawRequestEvent[]): boolean {
  const first = waiting.find(({ requestId }) => requestId === event.requestId) ?? event;
  return stored.load.requests.some(
    ({ requestId, wire, url }) => requestId === undefined && wire === undefined && withoutFragment(url) === withoutFragment(first.url),
  );
}

const withoutFragment = (url: string) => url.split('#', 1)[0];
