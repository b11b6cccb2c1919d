/**
 * The person's settings, in `storage.local` and once more in the database: Firefox opens a damaged file of either without an error, and empty. A list
 * of sites never recorded that was lost must not look like an empty one. Pages read the settings here, and change them by the message
 * `change-settings`, so that they act at once.
 */
import * as v from 'valibot';
import { createMutex } from '../core/mutex.ts';
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from '../protocol/settings.ts';
import { browser } from './browser.ts';
import type { withRecords, writeRecords } from './record-database.ts';

/** The same name in both stores. */
const KEY = 'settings';

/** The settings as a page shows them; where there are none that can be read, the defaults without the list. */
export const readSettings = async (): Promise<Settings> => (await localSettings()) ?? LOST_SETTINGS;

const LOST_SETTINGS: Settings = { ...DEFAULT_SETTINGS, isListLost: true };

const localSettings = async (): Promise<Settings | undefined> => parsed((await browser.storage.local.get(KEY))[KEY]);

const writeLocal = (settings: Settings): Promise<void> => browser.storage.local.set({ [KEY]: settings });

function parsed(stored: unknown): Settings | undefined {
  const result = v.safeParse(settingsSchema, stored);
  return result.success ? result.output : undefined;
}

interface SettingsDeps {
  readonly withRecords: typeof withRecords;
  readonly writeRecords: typeof writeRecords;
}

/** The settings as the background keeps them. */
export function createSettings({ withRecords, writeRecords }: SettingsDeps) {
  const runExclusive = createMutex();

  /** The settings; from the database where `storage.local` has none. `undefined`: both were lost. @throws whatever IndexedDB throws. */
  async function keptSettings(): Promise<Settings | undefined> {
    const here = await localSettings().catch(() => undefined);
    if (here !== undefined) return here;
    const copy = await copiedSettings();
    // The next reading finds the copy again where this fails.
    if (copy !== undefined) await writeLocal(copy).catch(() => undefined);
    return copy;
  }

  const copiedSettings = async (): Promise<Settings | undefined> => {
    const stored = await withRecords((db) => db.get('about', KEY));
    try {
      return stored === undefined ? undefined : parsed(JSON.parse(stored));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

  const copy = (settings: Settings): Promise<unknown> =>
    writeRecords(['about'], (transaction) => transaction.objectStore('about').put(JSON.stringify(settings), KEY));

  /** Changes some of the settings and leaves the others as they are. What is changed after a loss does not make the list complete. */
  const changeSettings = (change: Partial<Settings>): Promise<Settings> =>
    runExclusive(async () => {
      const before = (await keptSettings().catch(() => undefined)) ?? LOST_SETTINGS;
      return write({ ...before, ...change, revision: before.revision + 1 });
    });

  async function write(settings: Settings): Promise<Settings> {
    await writeLocal(settings);
    // Nothing is recorded while the database fails; the next event page copies again (`checkSettings`).
    await copy(settings).catch(() => undefined);
    return settings;
  }

  /** Call when the extension was installed, and only then: where there are no settings, they were never made. */
  const beginSettings = (): Promise<void> =>
    runExclusive(async () => {
      if ((await keptSettings().catch(() => undefined)) === undefined) await write(DEFAULT_SETTINGS);
    });

  /** Makes both records the newer of the two. Call when the event page begins, and for a new database. @throws whatever IndexedDB throws. */
  const checkSettings = (): Promise<void> =>
    runExclusive(async () => {
      const here = await localSettings().catch(() => undefined);
      const there = await copiedSettings();
      if (here !== undefined && here.revision > (there?.revision ?? -1)) await copy(here);
      if (there !== undefined && there.revision > (here?.revision ?? -1)) await writeLocal(there);
    });

  return { keptSettings, changeSettings, beginSettings, checkSettings };
}
