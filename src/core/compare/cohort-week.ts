/** The ISO week of a date, by arithmetic: the core has no clock and no time zone. */
import { PlumbfoxError } from '../errors.ts';

/**
 * The week of ISO 8601: it begins on Monday, and belongs to the year that has its Thursday.
 *
 * @param date year-month-day, of the Gregorian calendar; years 1 to 9999.
 * @returns year and week, such as 2009-W36.
 * @throws PlumbfoxError bad-input for what is no date.
 */
export function cohortWeek(date: string): string {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)?.map(Number) ?? [];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new PlumbfoxError('bad-input', `A date is wanted as year-month-day, such as 2009-08-31, not ${date}`);
  }
  const days = dayNumber(year, month, day);
  // Day 1, 0001-01-01, was a Monday.
  const thursday = days - ((days - 1) % DAYS_IN_WEEK) + 3;
  let weekYear = year;
  if (thursday < dayNumber(year, 1, 1)) weekYear -= 1;
  else if (thursday >= dayNumber(year + 1, 1, 1)) weekYear += 1;
  const week = Math.floor((thursday - dayNumber(weekYear, 1, 1)) / DAYS_IN_WEEK) + 1;
  return `${String(weekYear).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

const DAYS_IN_WEEK = 7;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function daysInMonth(year: number, month: number): number {
  return daysBefore(year, month + 1) - daysBefore(year, month);
}

function daysBefore(year: number, month: number): number {
  return (DAYS_BEFORE_MONTH[month - 1] ?? Number.NaN) + (month > 2 && isLeap(year) ? 1 : 0);
}

/** 1 for 0001-01-01. */
function dayNumber(year: number, month: number, day: number): number {
  const past = year - 1;
  return 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) + daysBefore(year, month) + day;
}
