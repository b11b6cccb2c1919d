/** The question before settings are written that cost privacy or security: it names each and its price. */
import { findProfile } from '../core/profiles/presets.ts';
import { acceptance, type PricedPreference, pricesOf } from '../core/profiles/profile-price.ts';
import { create, pageElement, show } from './page.ts';
import { fixedText, text } from './text.ts';

/** A value and its price, on a line of a list. */
export const priceText = ({ preference, value, price }: PricedPreference): string =>
  text('price.line', { preference, value: String(value), price: fixedText(price) });

/**
 * Asks in the section `id` of the page.
 * @returns the values whose price the person accepts, none where nothing costs anything; `undefined`: the person does not.
 */
export async function acceptedPrices(
  id: 'apply-price' | 'trial-price' | 'card-price',
  profileIds: readonly string[],
): Promise<string[] | undefined> {
  const prices = profileIds.flatMap((profileId) => pricesOf(findProfile(profileId)?.preferences ?? {}));
  const lines = new Set(prices.map(priceText));
  if (lines.size === 0) return [];
  pageElement(`${id}-list`, HTMLElement).replaceChildren(...[...lines].map((line) => create('li', {}, line)));
  show(id, true);
  const [cancel, confirm] = [pageElement(`${id}-cancel`, HTMLButtonElement), pageElement(`${id}-confirm`, HTMLButtonElement)];
  // What was pressed gets the focus back: the question's own buttons go.
  const asker = document.activeElement;
  cancel.focus();
  pageElement(id, HTMLElement).scrollIntoView({ block: 'nearest' });
  const isAccepted = await new Promise<boolean>((answer) => {
    cancel.onclick = () => answer(false);
    confirm.onclick = () => answer(true);
  });
  show(id, false);
  if (asker instanceof HTMLElement) asker.focus();
  return isAccepted ? [...new Set(prices.map(acceptance))] : undefined;
}
