/** Numbers on the pages of the extension, as a locale writes them. A no-break space joins number and unit. */
const NO_BREAK_SPACE = '\u00a0';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BITS_PER_BYTE = 8;

/** The units that a person can choose between. */
export const TIME_UNITS = ['by-size', 'ms', 's'] as const;
export const RATE_UNITS = ['bit', 'byte'] as const;

/** In which units times and rates are written; sizes are in bytes either way. */
export interface Units {
  /** `by-size`: milliseconds below one second, seconds above. */
  readonly timeUnit: (typeof TIME_UNITS)[number];
  /** `Mbit/s`, or `MB/s`. */
  readonly rateUnit: (typeof RATE_UNITS)[number];
}

/** What Firefox itself writes. */
export const USUAL_UNITS: Units = { timeUnit: 'by-size', rateUnit: 'bit' };

/** The only place where popup and dashboard round. */
export interface NumberFormat {
  /** `320 ms` below one second, `3.42 s` above, unless one of the two was chosen; three significant digits. */
  duration(ms: number): string;
  /** A share in 0..1 as `46 %`; below 10 % with one decimal. */
  percent(share: number): string;
  /** A share of a whole; never rounds a remainder away: `under 1 %`, `over 99 %`. */
  share(share: number): string;
  /** A share of 0.18 as `+18 %`, -0.031 as `−3.1 %`. */
  gain(share: number): string;
  /** The same of a ratio: 1.18 is `+18 %`, 0.969 `−3.1 %`. */
  change(ratio: number): string;
  /** Decimal units, as Firefox's own network panel counts them: `1.46 MB`. */
  size(bytes: number): string;
  /** `384 kbit/s`, `2 Mbit/s`; where bytes were chosen `48 kB/s`. */
  rate(kbps: number): string;
  /** With one decimal: `26.5`. */
  decimal(value: number): string;
  /** `1,234`. */
  integer(value: number): string;
  count(value: number, words: { readonly one: string; readonly many: string }): string;
  /** `just now`, `5 minutes ago`; a time in the future (a clock was set back) is `just now`. */
  age(ms: number): string;
  /** A moment, ms since the epoch, as `10:14`, with the date where that is not today's; `now`: likewise. */
  clock(at: number, now: number): string;
  /** A moment, ms since the epoch, as `10:14` today, as `Tuesday` in the days before, else as `3 Nov`; `now`: likewise. */
  since(at: number, now: number): string;
  /** The day of a moment, ms since the epoch: `3 Nov`. */
  day(at: number): string;
  /** `a, b and c`. */
  list(texts: readonly string[]): string;
}

/** Seconds without their unit, for the badge of the toolbar button, which cuts off a fourth character: `0.3`, `1.3`, `12`. @param locale - BCP 47 tag. */
export function badgeTime(ms: number, locale: string): string {
  const seconds = ms / SECOND;
  // 9.96 s would read "10.0s".
  const digits = seconds < 9.95 ? 1 : 0;
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }).format(
    seconds,
  );
}

/** Per cent without their sign: `51`. @param share - 0..1. @param locale - BCP 47 tag. */
export const badgeShare = (share: number, locale: string): string => new Intl.NumberFormat(locale).format(Math.round(share * 100));

type Digits = 0 | 1 | 2 | 3;

interface NumberWords {
  /** For a figure that is not rounded down to nothing, or up to all. */
  readonly under: (figure: string) => string;
  readonly over: (figure: string) => string;
  readonly justNow: () => string;
  readonly onDay: (time: string, day: string) => string;
}

/** BCP 47 tags: of figures and dates, as the person writes them, and of the words around them. */
interface Locales {
  readonly words: string;
  readonly figures: string;
}

/** @param units - Read anew for each figure: the person may choose others while a page is open. */
export function createNumberFormat(
  { words: language, figures: locale }: Locales,
  words: NumberWords,
  units: () => Units = () => USUAL_UNITS,
): NumberFormat {
  // Made once: a format takes as long to make as a hundred figures take to write.
  const byDigits = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits, minimumFractionDigits: 0 }));
  const withDigits = (value: number, digits: Digits) => byDigits[digits]?.format(value) ?? '';
  const withUnit = (value: number, digits: Digits, unit: string) => `${withDigits(value, digits)}${NO_BREAK_SPACE}${unit}`;
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
  const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const and = new Intl.ListFormat(language, { type: 'conjunction' });
  /** Three significant digits for a value in 1..999. */
  const digitsFor = (value: number) => (value < 10 ? 2 : value < 100 ? 1 : 0);
  const milliseconds = (ms: number) => withUnit(ms, ms < 10 ? 1 : 0, 'ms');
  /** A millisecond is the clock's step, and never rounded away. */
  const seconds = (ms: number) => withUnit(ms / SECOND, ms < 999.5 ? 3 : digitsFor(ms / SECOND), 's');
  const percent = (share: number) => withUnit(share * 100, share < 0.0995 ? 1 : 0, '%');
  const gain = (share: number) => `${percent(Math.abs(share)) === percent(0) ? '' : share < 0 ? '\u2212' : '+'}${percent(Math.abs(share))}`;

  return {
    duration: (ms) => {
      const { timeUnit } = units();
      // 999.6 ms would read "1000 ms".
      return timeUnit === 'ms' || (timeUnit === 'by-size' && ms < 999.5) ? milliseconds(ms) : seconds(ms);
    },
    percent,
    share: (share) => {
      if (share > 0 && share < 0.01) return words.under(withUnit(1, 0, '%'));
      if (share > 0.99 && share < 1) return words.over(withUnit(99, 0, '%'));
      return withUnit(share * 100, 0, '%');
    },
    gain,
    change: (ratio) => gain(ratio - 1),
    size: (bytes) => {
      if (bytes < 999.5) return withUnit(bytes, 0, 'B');
      if (bytes < 999_500) return withUnit(bytes / 1e3, digitsFor(bytes / 1e3), 'kB');
      return withUnit(bytes / 1e6, digitsFor(bytes / 1e6), 'MB');
    },
    rate: (kbps) => {
      const [value, unit] = units().rateUnit === 'bit' ? [kbps, 'bit/s'] : [kbps / BITS_PER_BYTE, 'B/s'];
      return value < 999.5 ? withUnit(value, value < 10 ? 1 : 0, `k${unit}`) : withUnit(value / 1e3, digitsFor(value / 1e3), `M${unit}`);
    },
    decimal: (value) => withDigits(value, 1),
    integer: (value) => withDigits(value, 0),
    count: (value, { one, many }) => `${withDigits(value, 0)}${NO_BREAK_SPACE}${value === 1 ? one : many}`,
    age: (ms) => {
      if (ms < MINUTE) return words.justNow();
      if (ms < HOUR) return relative.format(-Math.floor(ms / MINUTE), 'minute');
      if (ms < DAY) return relative.format(-Math.floor(ms / HOUR), 'hour');
      return relative.format(-Math.floor(ms / DAY), 'day');
    },
    clock: (at, now) => (day.format(at) === day.format(now) ? time.format(at) : words.onDay(time.format(at), day.format(at))),
    since: (at, now) => {
      if (day.format(at) === day.format(now)) return time.format(at);
      // A day of the week is the newest one of its name.
      const isOfLate = at < now && now - at < 6 * DAY;
      return isOfLate ? new Intl.DateTimeFormat(language, { weekday: 'long' }).format(at) : shortDay.format(at);
    },
    day: (at) => shortDay.format(at),
    list: (texts) => and.format(texts),
  };
}
