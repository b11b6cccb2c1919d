/** The parts of an expression: `network.http.pacing.requests.enabled=false`, each a preference of the catalogue and its value. */
import { assertNever, PlumbfoxError } from '../errors.ts';
import { didYouMean } from '../nearest-name.ts';
import { CATALOGUE, findKnob, inCatalogueOrder } from './catalogue.ts';
import { canonicalValue, checkValue } from './check-profile.ts';
import type { Knob, PreferenceValue } from './knob.ts';
import { checkSettable } from './settable.ts';

type Preferences = Readonly<Record<string, PreferenceValue>>;

/** An expression as it was typed: the name before the first `+`, and what follows each. */
interface SplitExpression {
  readonly base: string;
  readonly parts: readonly string[];
}

/** `undefined`: a name alone. */
export function splitExpression(text: string): SplitExpression | undefined {
  const [base = '', ...parts] = text.split('+').map((part) => part.trim());
  return parts.length === 0 ? undefined : { base, parts };
}

/** The inverse, in the catalogue's order. */
export const joinExpression = (base: string, preferences: Preferences): string =>
  [base, ...inCatalogueOrder(preferences).map(([preference, value]) => `${preference}=${value}`)].join('+');

/**
 * The preferences that the parts set.
 * @throws PlumbfoxError `bad-input` for a part that is no `PREFERENCE=VALUE`, and for a preference that is there twice.
 * @throws PreferenceRefused for a preference outside the catalogue, one that no Firefox reads, and a value of another type or out of bounds.
 */
export function readParts(parts: readonly string[]): Preferences {
  const read = new Map<string, PreferenceValue>();
  for (const part of parts) {
    const [preference, value] = readPart(part);
    if (read.has(preference)) {
      const again = read.get(preference) === value ? 'is set twice' : `is set to ${read.get(preference)} and to ${value}`;
      throw new PlumbfoxError('bad-input', `${preference} ${again}: give it once`);
    }
    read.set(preference, value);
  }
  return Object.fromEntries(read);
}

function readPart(part: string): readonly [string, PreferenceValue] {
  const equals = part.indexOf('=');
  if (equals <= 0) throw new PlumbfoxError('bad-input', `${echo(part)} sets nothing: write PREFERENCE=VALUE after each +`);
  const [preference, text] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  const knob = findKnob(preference);
  if (knob === undefined) throw notInCatalogue(preference);
  const value = valueFrom(knob, text);
  checkSettable(knob);
  checkValue(knob, value);
  return [preference, value];
}

function notInCatalogue(preference: string): PlumbfoxError {
  const known = CATALOGUE.map((knob) => knob.preference);
  const name = SIMPLE.test(preference) ? preference : echo(preference);
  return new PlumbfoxError(
    'bad-input',
    `${name} is not in Plumbfox's catalogue of preferences.${didYouMean(preference.slice(0, MAX_NAME), known)}`,
  );
}

/** A whole number as Firefox writes it: no leading zeros, no exponent. */
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/;

/** A text that is no value of the knob's type is returned as it is, and refused with the bounds. */
function valueFrom(knob: Knob, text: string): PreferenceValue {
  const { bounds } = knob;
  switch (bounds.type) {
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
      return WHOLE.test(text) ? Number(text) : text;
    case 'decimal':
      return canonicalValue(knob, text);
    default:
      return assertNever(bounds);
  }
}

const SIMPLE = /^[\w.-]{1,100}$/;
const MAX_ECHO = 100;
/** Longer than any preference of the catalogue; nearness to a longer one is not worth its computation. */
const MAX_NAME = 120;
const echo = (text: string): string => JSON.stringify(text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text);
