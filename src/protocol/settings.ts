/**
 * What the person has chosen, as one record in `storage.local` and once more in the database (`adapters/settings.ts`). A missing or unreadable member
 * has a default, so that a record of another version is read as far as it can be; but for the list of sites never recorded, in whose place no default
 * may stand: without it the record cannot be read.
 */
import * as v from 'valibot';
import { count, type Shape } from '../core/schema.ts';
import { RATE_UNITS, TIME_UNITS, USUAL_UNITS } from '../core/text/number-format.ts';

/** The figure on the toolbar button, of the page in the tab that is in front. */
export const BADGES = ['load-time', 'efficiency', 'off'] as const;

/** A site as `siteName` of `adapters/site-shares.ts` writes it: a registered name, or an address of the network. */
export const siteSchema = v.pipe(v.string(), v.regex(/^[^\s/?#@]{1,253}$/));

/** Sites that are never recorded, at most. Chosen: more than a person lists. */
export const MAX_NEVER_RECORDED = 500;

/** Days and loads that may be kept; without a limit the size of the records is the only one (`adapters/record-caps.ts`). */
const days = v.union([v.literal('no-limit'), v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650))]);
const loads = v.union([v.literal('no-limit'), v.pipe(v.number(), v.integer(), v.minValue(20), v.maxValue(80_000))]);

const members = {
  badge: v.picklist(BADGES),
  neverRecorded: v.pipe(v.array(siteSchema), v.maxLength(MAX_NEVER_RECORDED)),
  keepDays: days,
  keepLoads: loads,
  timeUnit: v.picklist(TIME_UNITS),
  rateUnit: v.picklist(RATE_UNITS),
};

export const settingsSchema = v.object({
  badge: v.fallback(v.optional(members.badge, 'load-time'), 'load-time'),
  /** Sites whose pages are not recorded. */
  neverRecorded: members.neverRecorded,
  /** Firefox has lost the list, and the person has not said yet that it is complete again: nothing is recorded. */
  isListLost: v.optional(v.boolean(), false),
  /** Grows with each change: the newer of the two records counts. */
  revision: count,
  /** Older loads are deleted. */
  keepDays: v.fallback(v.optional(members.keepDays, 'no-limit'), 'no-limit'),
  /** Where there are more loads, the oldest are deleted. */
  keepLoads: v.fallback(v.optional(members.keepLoads, 'no-limit'), 'no-limit'),
  /** Units of times and rates on the extension's pages. */
  timeUnit: v.fallback(v.optional(members.timeUnit, USUAL_UNITS.timeUnit), USUAL_UNITS.timeUnit),
  rateUnit: v.fallback(v.optional(members.rateUnit, USUAL_UNITS.rateUnit), USUAL_UNITS.rateUnit),
});
/** What the person has chosen. */
export type Settings = Shape<typeof settingsSchema>;

/** What holds after an installation. */
export const DEFAULT_SETTINGS: Settings = v.parse(settingsSchema, { neverRecorded: [], revision: 0 });

/** Some of the settings, as a page asks to change them: strict, where the record is lenient. */
export const settingsChangeSchema = v.strictObject({
  badge: v.exactOptional(members.badge),
  neverRecorded: v.exactOptional(members.neverRecorded),
  isListLost: v.exactOptional(v.literal(false)),
  keepDays: v.exactOptional(members.keepDays),
  keepLoads: v.exactOptional(members.keepLoads),
  timeUnit: v.exactOptional(members.timeUnit),
  rateUnit: v.exactOptional(members.rateUnit),
});
