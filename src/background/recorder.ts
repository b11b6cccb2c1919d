/** Writes events and document timings into the store. */
import { failureMessage, noteFailure } from '../adapters/failure-notes.ts';
import { hadHostPermission } from '../adapters/permissions.ts';
import { writeRunState } from '../adapters/run-state.ts';
import { originOf } from '../adapters/site-shares.ts';
import { joinPageLoad } from '../core/measure/join-page-load.ts';
import { addLateEntries } from '../core/measure/late-arrivals.ts';
import { MAX_REQUESTS } from '../core/measure/load-measures.ts';
import { appliedDuring, type RawRequestEvent } from '../core/measure/page-load.ts';
import type { PageTiming, RawEntry } from '../core/measure/page-timing.ts';
import { selectLoadEvents } from '../core/measure/select-load-events.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { GatewayHistory } from './gateway-history.ts';
import { gatheringPause, groupCommit } from './group-commit.ts';
import type { NeverRecorded } from './never-recorded.ts';
import type { RecordStores } from './record-stores.ts';

/**
 * Events gather until none has come for `quietMs`, so that they are written after a burst of responses and not in it; `maxMs` bounds what is lost if
 * Firefox exits. Far below the 30 s after which Firefox ends an idle event page (extensions.background.idle.timeout), which it grants once more
 * to listeners that have not settled (ext-backgroundPage.js, `pendingRunListenerPromisesCount`).
 */
const GATHERING = { quietMs: 250, maxMs: 1_000 };

/** While there are requests, events that can belong to no load are dropped this often. A third of how long they wait. */
const SETTLE_EVERY_MS = 60_000;

/** Settling delays other writes no longer than this; it continues with the next write. */
const SETTLE_BUDGET_MS = 250;

/** One entry more than a load may have shows that there were more. */
const MAX_ENTRIES = MAX_REQUESTS + 1;

interface RecorderDeps {
  readonly stores: Pick<
    RecordStores,
    'inEffectHistory' | 'storeEvents' | 'settleLateEvents' | 'settleOldEvents' | 'storeLoad' | 'keepRecords'
  >;
  readonly gatewayHistory: Pick<GatewayHistory, 'settleGatewayHistory'>;
  readonly neverRecorded: NeverRecorded;
  /** Called with each load that was stored, or amended. Never rejects. */
  readonly onLoad?: (load: MarkedPageLoad, tabId: number) => Promise<void>;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({
  stores: { inEffectHistory, storeEvents, settleLateEvents, settleOldEvents, storeLoad, keepRecords },
  gatewayHistory: { settleGatewayHistory },
  neverRecorded,
  onLoad,
}: RecorderDeps) {
  let settledAt = Number.NEGATIVE_INFINITY;

  const events = groupCommit(
    async (batch: readonly RawRequestEvent[]) => {
      const allowed = await notingFailure(async () => neverRecorded.withoutThem(await whereAllowed(batch)));
      if (allowed.length > 0) await writing(() => storeEvents(allowed).then(settleNowAndThen));
    },
    { pause: gatheringPause(GATHERING) },
  );

  async function settleNowAndThen(): Promise<void> {
    if (performance.now() - settledAt < SETTLE_EVERY_MS) return;
    settledAt = performance.now();
    await settleOldEvents(Date.now(), originOf, { budgetMs: SETTLE_BUDGET_MS });
  }

  /** Settles when the event is stored (until then Firefox keeps the event page) or could not be, which the recording's state reports. */
  async function recordEvent(event: RawRequestEvent): Promise<void> {
    try {
      await events.write(event);
    } catch {
      // The failure is noted; a rejection of webRequest's listeners is not handled.
    }
  }

  /** Joins a document's timing with its events and stores the load. @returns whether it is stored. */
  async function recordTiming(whole: PageTiming, tabId: number): Promise<boolean> {
    const timing = asStored(whole);
    if (!(await hadHostPermission(timing.timeOrigin)) || (await neverRecorded.isNeverRecorded(timing.url))) return false;
    await events.settled();
    let stored: MarkedPageLoad | undefined;
    await writing(async () => {
      // A load after the gateway's end must not count for the gateway's profile.
      await settleGatewayHistory();
      const history = await inEffectHistory();
      const applied = appliedDuring(history, timing.timeOrigin, timing.timeOrigin + timing.endedAt);
      await storeLoad(
        { timing, tabId },
        {
          first: (tabEvents) => {
            const { events: used } = selectLoadEvents(timing, tabEvents);
            stored = joinPageLoad(timing, used, { applied, originOf });
            return { load: stored, used };
          },
          amend: (load, late) => {
            stored = addLateEntries(load, { timing, late, originOf });
            return stored;
          },
        },
      );
      await writeRunState('loadsStored', Date.now());
      await keepRecords({ budgetMs: SETTLE_BUDGET_MS });
      await settleOldEvents(Date.now(), originOf, { budgetMs: SETTLE_BUDGET_MS });
    });
    if (stored !== undefined) await onLoad?.(stored, tabId);
    return true;
  }

  /**
   * Adds everything that has arrived so far to its load. @throws whatever IndexedDB throws; the recording's state reports it too.
   * @param budgetMs - Leaves the rest for another time after this long.
   */
  async function settleRecords(budgetMs?: number): Promise<void> {
    await events.settled();
    await notingFailure(() => settleLateEvents(Date.now(), originOf, budgetMs));
  }

  /** Settles when every event that has arrived so far is written. */
  function settleEvents(): Promise<void> {
    return events.settled();
  }

  return { recordEvent, recordTiming, settleRecords, settleEvents };
}

/** The permission is checked when events are written: an event that waited for it earlier would be missed by `settled`. */
async function whereAllowed(batch: readonly RawRequestEvent[]): Promise<readonly RawRequestEvent[]> {
  const had = await Promise.all(batch.map(({ at }) => hadHostPermission(at)));
  return batch.filter((_, at) => had[at]);
}

/** Notes that an event could not be read and is in no load: the recording's state says why. Never rejects. */
export function noteLostEvent(error: unknown): Promise<void> {
  return noteFailure('storeFailure', failureMessage(error));
}

const asStored = (timing: PageTiming): PageTiming => ({
  ...timing,
  url: storedUrl(timing.url),
  navigation: withStoredName(timing.navigation),
  resources: timing.resources.slice(0, MAX_ENTRIES).map(withStoredName),
});

const withStoredName = (entry: RawEntry): RawEntry => ({ ...entry, name: storedUrl(entry.name) });

/** Updates the recording's state: a failed write is noted for the popup, and the next that succeeds clears it. */
async function writing<T>(write: () => Promise<T>): Promise<T> {
  const result = await notingFailure(write);
  await noteFailure('storeFailure', undefined);
  return result;
}

/** Notes a failure; success clears nothing, because there may have been nothing to write. */
async function notingFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await noteFailure('storeFailure', failureMessage(error));
    throw error;
  }
}
