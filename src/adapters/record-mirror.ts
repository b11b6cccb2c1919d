/**
 * The number of loads, noted a second time in `storage.local`: a database whose file was damaged or lost opens without an error, and is empty.
 * Loads that are noted here and missing there are a loss, which is shown until the person has read it.
 */
import * as v from 'valibot';
import { createMutex } from '../core/mutex.ts';
import { isUnrecordedKey } from '../protocol/page-notes.ts';
import type { PopupState } from '../protocol/page-state.ts';
import {
  LOSS_KEY,
  lossSchema,
  MIRROR_KEY,
  mirrorSchema,
  type RecordLoss,
  type RecordMirror,
  STANDSTILLS_KEY,
  type Standstill,
  standstillSchema,
} from '../protocol/record-mirror.ts';
import { browser } from './browser.ts';
import type { withRecords, writeRecords } from './record-database.ts';

/** An unreadable value counts as none: it must not keep the records from being read. */
async function readLocal<T>(key: string, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> {
  const result = v.safeParse(schema, (await browser.storage.local.get(key))[key]);
  return result.success ? result.output : undefined;
}

const recordMirror = (): Promise<RecordMirror | undefined> => readLocal(MIRROR_KEY, mirrorSchema);

const recordLoss = (): Promise<RecordLoss | undefined> => readLocal(LOSS_KEY, lossSchema);

/** Losses and standstills that the person has not dismissed. */
export async function recordLosses(): Promise<Pick<PopupState, 'recordLoss' | 'standstills'>> {
  await endStandstill();
  const [loss, standstills] = await Promise.all([recordLoss(), readLocal(STANDSTILLS_KEY, v.array(standstillSchema))]);
  return { ...(loss && { recordLoss: loss }), ...(standstills && { standstills }) };
}

/** Two at once would make two standstills of one. */
const endExclusive = createMutex();

/** Call when the event page begins: what pages have noted until now is one standstill, and what they note from now on is another. */
export const endStandstill = (): Promise<void> => endExclusive(gatherUnrecorded);

/** Standstills that are kept: a user who has not read about ten has no use for more. */
const MAX_STANDSTILLS = 10;

async function gatherUnrecorded(): Promise<void> {
  const { local } = browser.storage;
  const noted = Object.entries(await local.get()).filter(([key]) => isUnrecordedKey(key));
  if (noted.length === 0) return;
  const times = noted.map(([, at]) => at).filter((at) => typeof at === 'number');
  if (times.length > 0) {
    const span: Standstill = { from: Math.min(...times), until: Math.max(...times) };
    const known = (await readLocal(STANDSTILLS_KEY, v.array(standstillSchema))) ?? [];
    // It is there already where the event page ended before the notes were removed.
    const before = known.at(-1)?.from === span.from ? known.slice(0, -1) : known;
    await local.set({ [STANDSTILLS_KEY]: [...before, span].slice(-MAX_STANDSTILLS) });
  }
  await local.remove(noted.map(([key]) => key));
}

/** Removes the notice that the person has read. */
export const dismissLoss = (): Promise<void> => browser.storage.local.remove([LOSS_KEY, STANDSTILLS_KEY]);

/** Call before records are deleted on purpose: what is not noted cannot be missed. */
export const forgetMirror = (): Promise<void> => browser.storage.local.remove(MIRROR_KEY);

interface Standing {
  readonly generation?: string | undefined;
  readonly loads: number;
  readonly forgotten?: number;
  readonly newestKey?: number;
}

interface RecordMirrorDeps {
  readonly withRecords: typeof withRecords;
  readonly writeRecords: typeof writeRecords;
  readonly trimRecords: (options: { readonly budgetMs?: number }) => Promise<boolean>;
}

/** Compares the database with what was noted beside it. */
export function createRecordMirror({ withRecords, writeRecords, trimRecords }: RecordMirrorDeps) {
  /** Keeps the records below their caps, and notes beside the database how many it holds now. Call after each load. */
  async function keepRecords(options: { readonly budgetMs?: number }): Promise<void> {
    await trimRecords(options);
    await checkRecords();
  }

  /** Two that see the same loss would count it twice. */
  const runExclusive = createMutex();

  /** Compares the database with what was noted beside it, and notes a loss and what there is. @throws whatever IndexedDB throws. */
  const checkRecords = (): Promise<void> => runExclusive(compareAndNote);

  async function compareAndNote(): Promise<void> {
    // In this order: loads that are stored at the same time must not look like ones that are missing.
    const mirror = await recordMirror();
    const there = await standing();
    const gone = mirror === undefined ? 0 : missingOf(mirror, there);
    if (mirror && gone > 0) {
      const before = await recordLoss();
      await browser.storage.local.set({ [LOSS_KEY]: { loads: gone + (before?.loads ?? 0), until: mirror.at } satisfies RecordLoss });
    }
    const generation = there.generation ?? (await beginGeneration());
    const isSame = mirror?.loads === there.loads && mirror.forgotten === there.forgotten && mirror.newestKey === there.newestKey;
    if (isSame && mirror.generation === generation) return;
    await browser.storage.local.set({ [MIRROR_KEY]: { ...there, generation, at: Date.now() } satisfies RecordMirror });
  }

  function standing(): Promise<Standing> {
    return withRecords(async (db) => {
      const transaction = db.transaction(['about', 'totals', 'loads']);
      const [generation, totals, newest] = await Promise.all([
        transaction.objectStore('about').get('generation'),
        transaction.objectStore('totals').get('all'),
        transaction.objectStore('loads').openKeyCursor(null, 'prev'),
      ]);
      const { loads = 0, forgotten } = totals ?? {};
      return { generation, loads, ...(forgotten !== undefined && { forgotten }), ...(newest && { newestKey: newest.primaryKey }) };
    });
  }

  /** @returns the id of this database, which it keeps. */
  function beginGeneration(): Promise<string> {
    return writeRecords(['about'], async (transaction) => {
      const about = transaction.objectStore('about');
      const held = await about.get('generation');
      if (held !== undefined) return held;
      const begun = crypto.randomUUID();
      await about.put(begun, 'generation');
      return begun;
    });
  }

  return { checkRecords, keepRecords };
}

/** The number of loads, removed ones included, only ever grows. */
function missingOf(mirror: RecordMirror, there: Standing): number {
  if (there.generation !== mirror.generation) return mirror.loads;
  return Math.max(0, mirror.loads + (mirror.forgotten ?? 0) - there.loads - (there.forgotten ?? 0));
}
