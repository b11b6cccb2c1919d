/** The stores in IndexedDB as the background uses them; tests pass fakes. */

import { countNavigations, storeEvents } from '../adapters/event-store.ts';
import { readFigures } from '../adapters/figures-store.ts';
import { settleLateEvents, settleOldEvents } from '../adapters/late-events.ts';
import {
  countLoads,
  deleteAllRecords,
  inEffectHistory,
  loadById,
  loadsAfter,
  newestLoads,
  newestSpan,
  noteInEffect,
  storeLoad,
  tabOf,
} from '../adapters/load-store.ts';
import { trimRecords } from '../adapters/record-caps.ts';
import { areRecordsReadOnly, deleteRecordDatabase, withRecords, writeRecords } from '../adapters/record-database.ts';
import { countSiteLoads, deleteSite, expireRecords, retentionOf } from '../adapters/record-deletion.ts';
import { createRecordMirror, dismissLoss, endStandstill, forgetMirror, recordLosses } from '../adapters/record-mirror.ts';
import { createSettings } from '../adapters/settings.ts';
import { shownLoad } from '../adapters/shown-load.ts';
import { addTrial, changeTrial, deleteTrials, hasTrial, loadsOfTrial, newestTrial, openNavigations } from '../adapters/trial-store.ts';

const { keptSettings, changeSettings, beginSettings, checkSettings } = createSettings({ withRecords, writeRecords });

/** First what the person does not keep, then what there is no room for. */
async function trimKept(options: { readonly budgetMs?: number }): Promise<boolean> {
  const settings = await keptSettings();
  if (settings !== undefined) await expireRecords(retentionOf(settings, Date.now()));
  return trimRecords(options);
}

const { checkRecords, keepRecords } = createRecordMirror({ withRecords, writeRecords, trimRecords: trimKept });

export const recordStores = {
  inEffectHistory,
  noteInEffect,
  countNavigations,
  storeEvents,
  readFigures,
  settleLateEvents,
  settleOldEvents,
  tabOf,
  countLoads,
  deleteAllRecords,
  countSiteLoads,
  deleteSite,
  loadsAfter,
  loadById,
  newestLoads,
  newestSpan,
  shownLoad,
  storeLoad,
  areRecordsReadOnly,
  deleteRecordDatabase,
  checkRecords,
  dismissLoss,
  endStandstill,
  forgetMirror,
  keepRecords,
  recordLosses,
  keptSettings,
  changeSettings,
  beginSettings,
  checkSettings,
  addTrial,
  changeTrial,
  deleteTrials,
  hasTrial,
  loadsOfTrial,
  newestTrial,
  openNavigations,
};

export type RecordStores = typeof recordStores;
