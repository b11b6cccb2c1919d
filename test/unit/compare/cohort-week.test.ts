import { describe, expect, it } from 'vitest';
import { cohortWeek } from '../../../src/core/compare/cohort-week.ts';

describe('cohortWeek', () => {
  // Around the turn of each year, from Python's date.isocalendar(): years that begin on each day of the week, leap years among
  // them.
  it.each([
    ['2004-12-31', '2004-W53'],
    ['2005-01-02', '2004-W53'],
    ['2005-01-03', '2005-W01'],
    ['2007-12-30', '2007-W52'],
    ['2007-12-31', '2008-W01'],
    ['2008-12-28', '2008-W52'],
    ['2008-12-29', '2009-W01'],
    ['2009-08-30', '2009-W35'],
    ['2009-08-31', '2009-W36'],
    ['2009-12-31', '2009-W53'],
    ['2010-01-03', '2009-W53'],
    ['2010-01-04', '2010-W01'],
    ['2012-02-29', '2012-W09'],
    ['2000-02-29', '2000-W09'],
    ['2100-03-01', '2100-W09'],
    ['0001-01-01', '0001-W01'],
    ['9999-12-31', '9999-W52'],
  ])('of %s is %s', (date, week) => {
    expect(cohortWeek(date)).toBe(week);
  });

  it('agrees with the calendar of the runtime on every day of 400 years, after which it repeats', () => {
    const DAY = 86_400_000;
    const wrong: string[] = [];
    for (let at = Date.UTC(1900, 0, 1); at < Date.UTC(2300, 0, 1); at += DAY) {
      // The week's Thursday, and how many Thursdays its year has had.
      const thursday = new Date(at + (3 - ((new Date(at).getUTCDay() + 6) % 7)) * DAY);
      const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1) + DAY) / DAY / 7);
      const date = new Date(at).toISOString().slice(0, 10);
      const found = cohortWeek(date);
      if (found !== `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`) wrong.push(`${date}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    '',
    '2009-8-31',
    '2009-13-01',
    '2009-00-10',
    '2009-02-29',
    '2009-04-31',
    '2009-08-00',
    '0000-01-01',
    '2009-08-31T00:00',
    '31.08.2009',
  ])('refuses %j', (date) => {
    expect(() => cohortWeek(date)).toThrow('year-month-day');
  });
});
