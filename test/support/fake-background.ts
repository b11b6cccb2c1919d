/** The background over stores in memory: what a test does not hand in keeps nothing, and finds nothing. */
import { vi } from 'vitest';
import type { Background, BackgroundDeps } from '../../src/background/create-background.ts';
import type { RecordStores } from '../../src/background/record-stores.ts';
import type { InEffectSince } from '../../src/core/measure/page-load.ts';
import { DEFAULT_SETTINGS } from '../../src/protocol/settings.ts';

/** Stores that note what is in effect in `history`. */
export function fakeStores(stores: Partial<RecordStores> = {}, history: InEffectSince[] = []): RecordStores {
  return {
    inEffectHistory: async () => history,
    noteInEffect: async (applied, since) => void history.push({ since, applied }),
    countNavigations: async () => ({ attempted: 0, recorded: 0, failed: 0 }),
    storeEvents: async () => undefined,
    readFigures: async () => ({ figures: [], unreadable: 0, loads: 0, missing: 0 }),
    settleLateEvents: async () => true,
    settleOldEvents: async () => undefined,
    tabOf: async () => undefined,
    countLoads: async () => 0,
    deleteAllRecords: async () => 0,
    countSiteLoads: async () => 0,
    deleteSite: async () => 0,
    loadsAfter: async () => [],
    loadById: async () => undefined,
    newestLoads: async () => [],
    newestSpan: async () => undefined,
    shownLoad: async () => undefined,
    storeLoad: async () => undefined,
    areRecordsReadOnly: () => false,
    deleteRecordDatabase: async () => undefined,
    checkRecords: async () => undefined,
    dismissLoss: async () => undefined,
    endStandstill: async () => undefined,
    forgetMirror: async () => undefined,
    keepRecords: async () => undefined,
    recordLosses: async () => ({}),
    keptSettings: async () => DEFAULT_SETTINGS,
    changeSettings: async () => DEFAULT_SETTINGS,
    beginSettings: async () => undefined,
    checkSettings: async () => undefined,
    addTrial: async () => undefined,
    changeTrial: async () => undefined,
    deleteTrials: async () => undefined,
    hasTrial: async () => false,
    loadsOfTrial: async () => [],
    newestTrial: async () => undefined,
    openNavigations: async () => [],
    ...stores,
  };
}

/** A new life of the event page: what lay in memory is forgotten, in the adapters' modules too. */
export async function wakeBackground(deps: Partial<BackgroundDeps> = {}): Promise<Background> {
  vi.resetModules();
  const { createBackground } = await import('../../src/background/create-background.ts');
  return createBackground({ stores: fakeStores(), networkPreferences: () => undefined, ...deps });
}
