/** Reading of a HAR's members, none of which can be relied on: what is not of the form asked for is `undefined`, or empty. */
import { MOST_BYTES } from '../simulate/check-page.ts';

/** An object of somebody's JSON, nothing of it checked. */
export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

/** The members of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING;

/** Holes in it become `undefined`. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? [...value] : []);

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What a number looks like that a producer wrote as text. */
const NUMERAL = /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?\s*$/i;
const LONGEST_NUMERAL = 40;

/** A finite number, also one that was written as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.length <= LONGEST_NUMERAL && NUMERAL.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** No phase of a request lasts so long: Firefox gives up on a connection after 90 s (network.http.connection-timeout). Our own choice. */
const LONGEST_MS = 120_000;

/** A duration in ms; `undefined` for -1, which is a HAR's word for "does not apply", and for all that cannot be one. */
export function durationOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= LONGEST_MS ? number : undefined;
}

/** A number of bytes; `undefined` for more than a page can have, for -1, a HAR's word for "unknown", and for all that cannot be one. */
export function bytesOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 && number <= MOST_BYTES ? Math.round(number) : undefined;
}
