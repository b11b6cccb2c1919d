/** What the settings of a profile cost in privacy or security, and the question that names it before they are written to a person's Firefox. */
import * as v from 'valibot';
import { PreferenceRefused } from '../errors.ts';
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import { type PreferenceValue, priceOf } from './knob.ts';

/** Preferences whose price a person has accepted, as they are sent: `network.trr.mode` at any value, `network.trr.mode=2` at that one. */
export const acceptsSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(200));

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

/** Whether its price is among those accepted, by its name or with its value. */
export const isAccepted = ({ preference, value }: PricedPreference, accepted: readonly string[]): boolean =>
  accepted.includes(preference) || accepted.includes(`${preference}=${value}`);

/**
 * @param accepted - As `acceptsSchema` has them.
 * @throws PreferenceRefused `price-not-accepted` with the price of the first that is not among them.
 */
export function checkPriceAccepted(preferences: Readonly<Record<string, PreferenceValue>>, accepted: readonly string[]): void {
  const [first] = pricesOf(preferences).filter((one) => !isAccepted(one, accepted));
  if (first !== undefined) throw new PreferenceRefused(first.preference, 'price-not-accepted', `${first.price} This has not been accepted`);
}
