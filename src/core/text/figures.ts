/** Figures as text, the same in the terminal, in reports and in sentences; what is unknown is a dash, never 0. */
import type { SettingWords } from '../profiles/settings-label.ts';
import { CORE_ENGLISH } from './core-english.ts';
import { createText, type TextOf } from './messages.ts';

const MINUS = '\u2212';

/** How core words a finding in one language. */
export interface CoreLanguage {
  readonly text: TextOf<typeof CORE_ENGLISH>;
  /** A label, or a sentence without figures, in this language; as it is where it has none. */
  readonly label: (english: string) => string;
  /** A share as `24 %`, `3.1 %`. */
  readonly percent: (share: number) => string;
  /** A share as `+24 %`, `−3.1 %`. */
  readonly gain: (share: number) => string;
  /** A day such as `2026-11-23`, with its year: `23 November 2026`. */
  readonly day: (iso: string) => string;
  /** Absent: preferences are named in English. */
  readonly setting?: SettingWords;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `23 November 2026`. */
function englishDay(iso: string): string {
  const [year, month, day] = iso.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 0) - 1]} ${year}`;
}

/** Command line and reports. */
export const IN_ENGLISH: CoreLanguage = {
  text: createText<typeof CORE_ENGLISH>(CORE_ENGLISH, {
    locale: 'en',
    format: {
      integer: String,
      percent: (share) => percent(share),
      gain: (share) => signedPercent(share),
      decimal: (value) => String(Number(value.toFixed(1))),
    },
    joins: false,
  }),
  label: (english) => english,
  percent: (share) => percent(share),
  gain: (share) => signedPercent(share),
  day: englishDay,
};

/** `24 % faster`, `3.1 % slower`, `as fast`. A ratio of efficiencies over the same bytes and link is one of speeds: 1.24 is 24 % faster. */
export function formatSpeed(ratio: number, { text }: Pick<CoreLanguage, 'text'> = IN_ENGLISH): string {
  const change = Math.abs(ratio - 1);
  if (percent(change) === percent(0)) return text('speed.same');
  return text(ratio > 1 ? 'speed.faster' : 'speed.slower', { change });
}

/** `24 % faster than c6-d1`, `as fast as c6-d1`. */
export function speedComparison(ratio: number, against: string, { text }: Pick<CoreLanguage, 'text'> = IN_ENGLISH): string {
  const change = Math.abs(ratio - 1);
  if (percent(change) === percent(0)) return text('speed.sameAs', { against });
  return text(ratio > 1 ? 'speed.fasterThan' : 'speed.slowerThan', { change, against });
}

/** An interval from under a tenth to over tenfold says nothing; in percents (`−100 % to +380436 %`) it only puzzles. */
const WIDEST_FACTOR = 10;

/** Whether the interval of a ratio says anything at all. */
export const isBounded = (low: number, high: number): boolean => low >= 1 / WIDEST_FACTOR || high <= WIDEST_FACTOR;

/**
 * The interval of a ratio as signed changes: `+18 % to +31 %`, an end beyond tenfold as a factor: `−50 % to 12 times as fast`; `not bounded yet`
 * where it leaves everything open.
 */
export function formatRange(low: number, high: number, language: Pick<CoreLanguage, 'text' | 'gain'> = IN_ENGLISH): string {
  if (!isBounded(low, high)) return language.text('range.open');
  return language.text('range.to', { low: formatChange(low, language), high: formatChange(high, language) });
}

/** A ratio as a signed change; `+18167 %` is unreadable, so above tenfold it is `183 times as fast`. */
export const formatChange = (ratio: number, { text, gain }: Pick<CoreLanguage, 'text' | 'gain'> = IN_ENGLISH): string =>
  ratio > WIDEST_FACTOR ? text('range.times', { times: ratio.toFixed(0) }) : gain(ratio - 1);

/** `+24 %`, `−3.1 %`, `0 %`. */
export function signedPercent(share: number): string {
  const text = percent(Math.abs(share));
  if (text === percent(0) || text === UNKNOWN) return text;
  return `${share < 0 ? MINUS : '+'}${text}`;
}

/** Whole percents from 10 % on, one decimal below: `24 %`, `3.1 %`, `3 %`; a dash for what no number is (a file may hold any). */
export function percent(share: number): string {
  const value = share * 100;
  if (!Number.isFinite(value)) return UNKNOWN;
  const text = Math.abs(value) < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0);
  return `${text} %`;
}

/** A share with significant digits: `0.35 %`, `12.5 %`. */
export const precisePercent = (share: number, digits: number): string => `${Number((share * 100).toPrecision(digits))} %`;

/** `1 load`, `12 loads`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** The placeholder for an unknown figure: an en dash. */
export const UNKNOWN = '–';

/** `0.618 (0.605 to 0.632)`, `0.618`, or a dash. */
export function withInterval(
  { estimate, low, high }: { readonly estimate: number | undefined; readonly low: number | undefined; readonly high: number | undefined },
  digits: number,
): string {
  if (estimate === undefined) return UNKNOWN;
  if (low === undefined || high === undefined) return estimate.toFixed(digits);
  return `${estimate.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** `0.618`, or a dash. */
export const formatEfficiency = (efficiency: number | undefined): string => efficiency?.toFixed(3) ?? UNKNOWN;

/** `2.70 s`, `12.3 s`, or a dash. */
export function formatSeconds(milliseconds: number | undefined): string {
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return UNKNOWN;
  const seconds = milliseconds / 1000;
  return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
}

/** `12`, or `12 (1 excluded)`. */
export function formatLoads({ loads, voidLoads }: { readonly loads: number; readonly voidLoads: number }): string {
  return voidLoads === 0 ? `${loads}` : `${loads} (${voidLoads} excluded)`;
}
