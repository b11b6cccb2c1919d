/** The person's settings, in `storage.local`. Pages read them here, and change them by the message `change-settings`, so that they act at once. */
import * as v from 'valibot';
import { type Settings, settingsSchema } from '../protocol/settings.ts';
import { browser } from './browser.ts';

const KEY = 'settings';

/** What is missing or cannot be read has its default. */
export async function readSettings(): Promise<Settings> {
  const held = v.safeParse(settingsSchema, (await browser.storage.local.get(KEY))[KEY]);
  return held.success ? held.output : v.parse(settingsSchema, {});
}

/** Changes some of the settings and leaves the others as they are. */
export async function changeSettings(change: Partial<Settings>): Promise<Settings> {
  const settings = { ...(await readSettings()), ...change };
  await browser.storage.local.set({ [KEY]: settings });
  return settings;
}
