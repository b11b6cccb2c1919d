/** What the settings of a profile cost in privacy or security, and the question that names it before they are written to a person's Firefox. */
import * as v from 'valibot';
import { PreferenceRefused } from '../errors.ts';
import { findKnob, inCatalogueOrder } from './catalogue.ts';
import { type PreferenceValue, priceOf } from './knob.ts';

/** Values whose price a person has accepted: `network.trr.mode=2`; of a switch its name will do. */
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

/** `network.trr.mode=2`: that this value's price is accepted, as `acceptsSchema` has it. */
export const acceptance = ({ preference, value }: Pick<PricedPreference, 'preference' | 'value'>): string => `${preference}=${value}`;

/** `network.prefetch-next=true: When on, pages are fetched ...`, for a question or a note. */
export const priceLine = ({ preference, value, price }: PricedPreference): string => `${preference}=${value}: ${price}`;

/** Whether its price is among those accepted. The name of a number would accept whatever value comes next; a switch has one value that costs. */
export const isAccepted = (one: PricedPreference, accepted: readonly string[]): boolean =>
  accepted.includes(acceptance(one)) || (typeof one.value === 'boolean' && accepted.includes(one.preference));

/**
 * @param accepted - As `acceptsSchema` has them.
 * @throws PreferenceRefused `price-not-accepted` with the price of the first that is not among them.
 */
export function checkPriceAccepted(preferences: Readonly<Record<string, PreferenceValue>>, accepted: readonly string[]): void {
  const [first] = pricesOf(preferences).filter((one) => !isAccepted(one, accepted));
  if (first !== undefined) throw new PreferenceRefused(first.preference, 'price-not-accepted', `${first.price} This has not been accepted`);
}
