/** What the settings of a profile cost in privacy or security, and the question that names it before they are written to a person's Firefox. */
import * as v from 'valibot';
import { PreferenceRefused } from '../errors.ts';
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import { type PreferenceValue, priceOf } from './knob.ts';

/** Names of preferences whose price a person has accepted, as they are sent. */
export const acceptsSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(200));

/** A value with its price. */
export interface PricedPreference {
  readonly preference: string;
  readonly value: PreferenceValue;
  /** What it costs, in a sentence. */
  readonly price: string;
}

/** The values that cost something, in the catalogue's order; empty: all are free. */
export const pricesOf = (preferences: Readonly<Record<string, PreferenceValue>>): readonly PricedPreference[] =>
  inCatalogueOrder(preferences).flatMap(([preference, value]) => {
    const knob = findKnob(preference);
    const price = knob && priceOf(knob, value);
    return price === undefined ? [] : [{ preference, value, price }];
  });

/** The names of a profile's preferences that cost something: what is to be accepted before it is written. */
export const pricedNames = (preferences: Readonly<Record<string, PreferenceValue>>): readonly string[] =>
  pricesOf(preferences).map(({ preference }) => preference);

/** `network.prefetch-next=true: When on, pages are fetched ...`, for a question or a note. */
export const priceLine = ({ preference, value, price }: PricedPreference): string => `${preference}=${value}: ${price}`;

/**
 * @param accepted - Names of preferences whose price the person has accepted.
 * @throws PreferenceRefused `price-not-accepted` with the price of the first that is not among them.
 */
export function checkPriceAccepted(preferences: Readonly<Record<string, PreferenceValue>>, accepted: readonly string[]): void {
  const [first] = pricesOf(preferences).filter(({ preference }) => !accepted.includes(preference));
  if (first !== undefined) throw new PreferenceRefused(first.preference, 'price-not-accepted', `${first.price} This has not been accepted`);
}
