/** The history of what was in effect when: it must outlive the event page and a restart of Firefox, as the preferences themselves do. */

import * as v from 'valibot';
import type { InEffectSince } from '../core/measure/page-load.ts';
import type { AppliedProfile } from '../core/profiles/profile.ts';
import { appliedSinceSchema, parseAppliedProfile } from '../protocol/stored-records.ts';
import { withRecords, writeRecords } from './record-database.ts';

/** Entries kept: a load looks back a minute; 500 also covers a lab that switches with every load. */
const ENTRIES_KEPT = 500;

/** Notes that `applied` (`null`: nothing of ours) is in effect from `since` on, ms since the epoch. */
export async function noteInEffect(applied: AppliedProfile | null, since: number): Promise<void> {
  await writeRecords(['applied'], async (transaction) => {
    const store = transaction.objectStore('applied');
    const key = await store.add(v.parse(appliedSinceSchema, { since, applied }));
    await store.delete(IDBKeyRange.upperBound(key - ENTRIES_KEPT));
  });
}

/** The history, oldest first. */
export function inEffectHistory(): Promise<readonly InEffectSince[]> {
  return withRecords(async (db) => (await db.getAll('applied')).map(inEffectSince));
}

function inEffectSince(entry: unknown): InEffectSince {
  const { since, applied } = v.parse(appliedSinceSchema, entry);
  return { since, applied: applied === null ? null : parseAppliedProfile(applied) };
}
