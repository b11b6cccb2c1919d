/**
 * What the person has chosen, as one record in `storage.local`. Each member has a default that stands for a missing or unreadable value, so that a
 * record of another version is read as far as it can be.
 */
import * as v from 'valibot';
import type { Shape } from '../core/schema.ts';

/** The figure on the toolbar button, of the page in the tab that is in front. */
export const BADGES = ['load-time', 'efficiency', 'off'] as const;

const members = {
  badge: v.picklist(BADGES),
};

export const settingsSchema = v.object({
  badge: v.fallback(v.optional(members.badge, 'load-time'), 'load-time'),
});
/** What the person has chosen. */
export type Settings = Shape<typeof settingsSchema>;

/** Some of the settings, as a page asks to change them: strict, where the record is lenient. */
export const settingsChangeSchema = v.strictObject({
  badge: v.exactOptional(members.badge),
});
