/** The question before settings are written that cost privacy or security: it names each and its price. */
import { findProfile } from '../core/profiles/presets.ts';
import { pricesOf } from '../core/profiles/profile-price.ts';
import { create, pageElement, show } from '../views/page.ts';
import { text } from '../views/text.ts';

/**
 * Asks in the section `id` of popup.html.
 * @returns the names of the preferences whose price the person accepts, none where nothing costs anything; `undefined`: the person does not.
 */
export async function acceptedPrices(id: 'apply-price' | 'trial-price', profileIds: readonly string[]): Promise<string[] | undefined> {
  const prices = profileIds.flatMap((profileId) => pricesOf(findProfile(profileId)?.preferences ?? {}));
  const lines = new Map(
    prices.map(({ preference, value, price }) => [
      `${preference} ${value}`,
      text('price.line', { preference, value: String(value), price }),
    ]),
  );
  if (lines.size === 0) return [];
  pageElement(`${id}-list`, HTMLElement).replaceChildren(...[...lines.values()].map((line) => create('li', {}, line)));
  show(id, true);
  const [cancel, confirm] = [pageElement(`${id}-cancel`, HTMLButtonElement), pageElement(`${id}-confirm`, HTMLButtonElement)];
  cancel.focus();
  pageElement(id, HTMLElement).scrollIntoView({ block: 'nearest' });
  const isAccepted = await new Promise<boolean>((answer) => {
    cancel.onclick = () => answer(false);
    confirm.onclick = () => answer(true);
  });
  show(id, false);
  return isAccepted ? [...new Set(prices.map(({ preference }) => preference))] : undefined;
}
