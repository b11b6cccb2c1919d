/** The stores in IndexedDB as the background uses them; tests pass fakes. */

import { countNavigations, storeEvents } from '../adapters/event-store.ts';
import { readFigures } from '../adapters/figures-store.ts';
import { settleLateEvents, settleOldEvents } from '../adapters/late-events.ts';
import {
  countLoads,
  deleteAllRecords,
  inEffectHistory,
  loadsAfter,
  newestLoads,
  noteInEffect,
  storeLoad,
  tabOf,
} from '../adapters/load-store.ts';
import { trimRecords } from '../adapters/record-caps.ts';
import { areRecordsReadOnly, deleteRecordDatabase, withRecords, writeRecords } from '../adapters/record-database.ts';
import { createRecordMirror, dismissLoss, endStandstill, forgetMirror, recordLosses } from '../adapters/record-mirror.ts';
import { addTrial, changeTrial, deleteTrials, hasTrial, loadsOfTrial, newestTrial, openNavigations } from '../adapters/trial-store.ts';

const { checkRecords, keepRecords } = createRecordMirror({ withRecords, writeRecords, trimRecords });

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
  loadsAfter,
  newestLoads,
  storeLoad,
  areRecordsReadOnly,
  deleteRecordDatabase,
  checkRecords,
  dismissLoss,
  endStandstill,
  forgetMirror,
  keepRecords,
  recordLosses,
  addTrial,
  changeTrial,
  deleteTrials,
  hasTrial,
  loadsOfTrial,
  newestTrial,
  openNavigations,
};

export type RecordStores = typeof recordStores;
