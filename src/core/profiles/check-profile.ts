/** Whether a profile may be applied or written anywhere: its numbers, its name, and every preference against the catalogue. */
import { assertNever, PlumbfoxError, PreferenceRefused } from '../errors.ts';
import { findKnob, PER_SERVER } from './catalogue.ts';
import type { Knob, PreferenceValue } from './knob.ts';
import type { Profile } from './profile.ts';
import { isProfileId } from './profile-id.ts';

/** The clamp of `max-persistent-connections-per-server` in Firefox (nsHttpHandler.cpp). */
export const MAX_CONNECTIONS = 255;
/** Twice the deepest pipeline ever shipped as a default (32, Gecko 52 all.js): beyond it nothing is left to learn. */
export const MAX_DEPTH = 64;

/**
 * @throws PreferenceRefused for a preference outside the catalogue, of the wrong type or out of range.
 * @throws PlumbfoxError `bad-input` for a name or a number that no profile may have, or for two numbers that contradict each other.
 */
export function checkProfile(profile: Profile): void {
  if (!isProfileId(profile.id)) {
    throw new PlumbfoxError(
      'bad-input',
      `A profile's name is made of lower-case letters, digits, dots and hyphens, 64 at most: ${JSON.stringify(profile.id.slice(0, MAX_ECHO))}`,
    );
  }
  checkDepth(profile.id, profile.depth);
  for (const [preference, value] of Object.entries(profile.preferences)) checkPreference(preference, value);
  checkPerServer(profile);
}

/** @throws PlumbfoxError `bad-input` for a depth that no profile may have. */
export function checkDepth(id: string, depth: number): void {
  if (isWhole(depth, MAX_DEPTH)) return;
  throw new PlumbfoxError('bad-input', `${id}: a depth is a whole number from 1 to ${MAX_DEPTH}`);
}

/** @throws PlumbfoxError `bad-input` for a number of connections that no profile may have. */
export function checkConnections(id: string, connections: number): void {
  if (isWhole(connections, MAX_CONNECTIONS)) return;
  throw new PlumbfoxError('bad-input', `${id}: connections per server are a whole number from 1 to ${MAX_CONNECTIONS}`);
}

function checkPerServer({ id, connections, preferences }: Profile): void {
  if (connections === undefined) return;
  checkConnections(id, connections);
  const perServer = preferences[PER_SERVER];
  if (perServer !== connections) {
    throw new PlumbfoxError(
      'bad-input',
      `${id}: says ${connections} connections per server, but sets ${PER_SERVER} to ${String(perServer)}`,
    );
  }
}

const isWhole = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;

/** A decimal as the catalogue writes it: Firefox would read more forms (`nsString::ToDouble`). */
export const DECIMAL = /^\d{1,6}(\.\d{1,6})?$/;

/** The one spelling of a value: `"0.50"` is `"0.5"`. What is no value of the knob stays as it is. */
export const canonicalValue = <T>(knob: Pick<Knob, 'bounds'> | undefined, value: T): T | string =>
  knob?.bounds.type === 'decimal' && typeof value === 'string' && DECIMAL.test(value) ? String(Number(value)) : value;

/** @throws PreferenceRefused `wrong-type` or `out-of-range`. */
export function checkValue(knob: Knob, value: unknown): asserts value is PreferenceValue {
  const { preference, bounds } = knob;
  switch (bounds.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw new PreferenceRefused(preference, 'wrong-type', `${shown(value)} is not true or false`);
      return;
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        throw new PreferenceRefused(preference, 'wrong-type', `${shown(value)} is not a whole number`);
      }
      if (value < bounds.min || value > bounds.max) {
        throw new PreferenceRefused(preference, 'out-of-range', `${value} is not within ${bounds.min} to ${bounds.max}`);
      }
      return;
    case 'decimal':
      if (typeof value !== 'string' || !DECIMAL.test(value)) {
        throw new PreferenceRefused(preference, 'wrong-type', `${shown(value)} is not a number in quotes, such as "0.5"`);
      }
      if (Number(value) < bounds.min || Number(value) > bounds.max) {
        throw new PreferenceRefused(preference, 'out-of-range', `${value} is not within ${bounds.min} to ${bounds.max}`);
      }
      return;
    default:
      assertNever(bounds);
  }
}

/** The knob of a preference with a value that may be written to it. @throws PreferenceRefused also `not-in-catalogue`. */
export function checkPreference(preference: string, value: unknown): Knob {
  const knob = findKnob(preference);
  if (knob === undefined) throw new PreferenceRefused(preference, 'not-in-catalogue', 'Plumbfox sets no preference outside its catalogue');
  if (knob.class === 'never')
    throw new PreferenceRefused(preference, 'not-in-catalogue', `Plumbfox never writes it. ${knob.price ?? ''}`.trim());
  checkValue(knob, value);
  return knob;
}

const MAX_ECHO = 80;
const MAX_SHOWN = 40;

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
