/** Reads the members of a HAR, none of which can be relied on: a value of another form is `undefined`, or empty. */
import { MAX_BYTES } from '../graph/page-graph.ts';
import { withoutFragment } from '../measure/stored-url.ts';

/** An unchecked object of a file's JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

/** The members of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING;

/** Holes in it become `undefined`. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? [...value] : []);

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A number that a producer wrote as text. */
const NUMERAL = /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?\s*$/i;
const MAX_NUMERAL = 40;

/** A finite number, also one that was written as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.length <= MAX_NUMERAL && NUMERAL.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** No phase of a request lasts so long: Firefox gives up on a connection after 90 s (network.http.connection-timeout). */
const MAX_MS = 120_000;

/** A duration in ms; `undefined` for -1, which is a HAR's word for "does not apply", and for all that cannot be one. */
export function durationOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= MAX_MS ? number : undefined;
}

/** A number of bytes; `undefined` for more than a page can have, for -1, a HAR's word for "unknown", and for all that cannot be one. */
export function bytesOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= MAX_BYTES ? Math.round(number) : undefined;
}

/** ISO 8601: date, time, fraction of a second, zone. Producers leave out seconds, fraction and zone, or the zone's colon. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/i;
const MAX_LENGTH = 48;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Farthest from the epoch a Date can be (ECMA-262, section 21.4.1.1): beyond it differences lose their digits. */
const MAX_EPOCH_MS = 8.64e15;

/**
 * ms since the epoch. A time without a zone is read as UTC, which changes nothing as long as the whole file leaves it out.
 * A number is returned as it is; `undefined`: not a point in time.
 */
export function pointInTime(value: unknown): number | undefined {
  if (typeof value !== 'string') {
    const number = numberOf(value);
    return number !== undefined && Math.abs(number) <= MAX_EPOCH_MS ? number : undefined;
  }
  if (value.length > MAX_LENGTH) return undefined;
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

/** Days in the proleptic Gregorian calendar: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil. */
function daysSinceEpoch(year: number, { month, day }: { month: number; day: number }): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/** ISO 8601 in UTC with microseconds, in the years 0 to 9999. @param at - ms since the epoch. */
export function isoTime(at: number): string {
  const within = Math.max(MIN_ISO_MS, Math.min(MAX_ISO_MS, at));
  const whole = Math.floor(within / DAY_MS);
  const micros = Math.min(DAY_MS * 1000 - 1, Math.round((within - whole * DAY_MS) * 1000));
  const part = (unit: number, of: number) => String(Math.floor(micros / (unit * 1000)) % of).padStart(2, '0');
  const time = `${part(HOUR_MS, 24)}:${part(MINUTE_MS, 60)}:${part(1000, 60)}`;
  return `${civilDate(whole)}T${time}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}

const MIN_ISO_MS = -62_167_219_200_000;
const MAX_ISO_MS = 253_402_300_799_999;

/** The inverse of `daysSinceEpoch`: civil_from_days of the same source. */
function civilDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

export interface Headers {
  /** Headers by name in lower case; where one is repeated, the last. */
  readonly byName: ReadonlyMap<string, string>;
  /** Characters of the lines, `: ` and line ends included; 0: there are none. */
  readonly textLength: number;
}

/** `: ` and the line's end. */
const LINE_EXTRAS = 4;

export function headersOf(value: unknown): Headers {
  const byName = new Map<string, string>();
  let textLength = 0;
  for (const line of listOf(value)) {
    const { name, value: content } = fieldsOf(line);
    const [key, text] = [textOf(name), textOf(content) ?? ''];
    if (key === undefined) continue;
    byName.set(key.toLowerCase(), text);
    textLength += key.length + text.length + LINE_EXTRAS;
  }
  return { byName, textLength };
}

/** An address as a HAR holds it. The language itself has no URL parser, and only scheme, server and last part of the path are needed. */
export interface Address {
  /** Without fragment; a missing path is `/`. */
  readonly url: string;
  readonly scheme: 'http' | 'https';
  /** scheme://host:port in lower case, without the scheme's own port. */
  readonly origin: string;
  readonly host: string;
}

const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i;
const PORTS = { http: ':80', https: ':443' } as const;

/** The scheme in lower case; `undefined`: there is none. */
export const schemeOf = (text: string): string | undefined => SCHEME.exec(text)?.[1]?.toLowerCase();

/** `undefined`: not an http(s) address with a host. */
export function addressOf(text: string): Address | undefined {
  const scheme = schemeOf(text);
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  if (!text.startsWith('//', scheme.length + 1)) return undefined;
  const url = withoutFragment(text);
  const from = scheme.length + 3;
  const length = url.slice(from).search(/[/?\\]/);
  const end = length < 0 ? url.length : from + length;
  const authority = url.slice(from, end);
  const server = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const host = server.endsWith(PORTS[scheme]) ? server.slice(0, -PORTS[scheme].length) : server;
  if (host === '' || /[\s<>"^`{|}]/.test(host)) return undefined;
  const origin = `${scheme}://${host}`;
  const path = url.slice(end);
  return { url: `${origin}${path.startsWith('/') ? '' : '/'}${path}`, scheme, origin, host };
}

/** Where a `Location` leads from there, without fragment; `undefined`: not to an http(s) address. */
export function resolveAddress(target: string, base: Address): string | undefined {
  return addressOf(absolute(target, base))?.url;
}

function absolute(target: string, base: Address): string {
  if (schemeOf(target) !== undefined) return target;
  if (target.startsWith('//')) return `${base.scheme}:${target}`;
  if (target.startsWith('/')) return base.origin + target;
  const path = base.url.split('?', 1)[0] ?? base.url;
  if (target.startsWith('?')) return path + target;
  return path.slice(0, path.lastIndexOf('/') + 1) + target;
}

/** Longer names are hashes, whose beginning and end are enough to know them by. */
const MAX_LABEL = 32;
const ENDS_KEPT = 15;

/** The last part of the path, or the host, shortened and without anything that could upset a terminal. */
export function labelOf({ url, origin, host }: Address): string {
  const path = url.slice(origin.length).split('?', 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = (last === '' ? host : last).replace(/[^\w.%~-]/g, '');
  return name.length <= MAX_LABEL ? name : `${name.slice(0, ENDS_KEPT)}..${name.slice(-ENDS_KEPT)}`;
}
