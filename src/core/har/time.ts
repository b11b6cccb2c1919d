/** The points in time of a HAR: ISO 8601 with or without a zone. */
import { numberOf } from './fields.ts';

/** Date, time, fraction of a second, zone; producers leave out seconds, fraction and zone, or the zone's colon. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/i;
const LONGEST = 48;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Farthest from the epoch a Date can be (ECMA-262, section 21.4.1.1): beyond it differences lose their digits. */
const FARTHEST_MS = 8.64e15;

/**
 * ms since the epoch; without a zone it is taken for UTC, which changes nothing as long as a file does so throughout.
 * `undefined`: not a point in time. A number is taken for one already.
 */
export function pointInTime(value: unknown): number | undefined {
  if (typeof value !== 'string') {
    const number = numberOf(value);
    return number !== undefined && Math.abs(number) <= FARTHEST_MS ? number : undefined;
  }
  if (value.length > LONGEST) return undefined;
  const found = ISO.exec(value.trim());
  if (found === null) return undefined;
  const part = (at: number) => Number(found[at] ?? 0);
  const [month, day] = [part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const days = daysSinceEpoch(part(1), { month, day });
  const zone = (found[9] === '-' ? -1 : 1) * (part(10) * HOUR_MS + part(11) * MINUTE_MS);
  const fraction = Number(`0.${found[7] ?? 0}`);
  return days * DAY_MS + part(4) * HOUR_MS + part(5) * MINUTE_MS + (part(6) + fraction) * 1000 - zone;
}

/** Of the proleptic Gregorian calendar. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil. */
function daysSinceEpoch(year: number, { month, day }: { month: number; day: number }): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}
