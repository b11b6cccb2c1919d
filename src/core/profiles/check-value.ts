/** Whether a value may be written to a preference: the one gate in front of every applier and every file. */
import { assertNever, PreferenceRefused } from '../errors.ts';
import { findKnob } from './find-knob.ts';
import type { Knob, PreferenceValue } from './knob.ts';

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
    default:
      assertNever(bounds);
  }
}

/** The knob of a preference with a value that may be written to it. @throws PreferenceRefused also `not-in-catalogue`. */
export function checkPreference(preference: string, value: unknown): Knob {
  const knob = findKnob(preference);
  if (knob === undefined) throw new PreferenceRefused(preference, 'not-in-catalogue', 'Plumbfox sets no preference outside its catalogue');
  checkValue(knob, value);
  return knob;
}

const MAX_SHOWN = 40;

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
