/** The question before a command writes settings that cost privacy or security: it names their price. */
import { PlumbfoxError } from '../core/errors.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { checkPriceAccepted, priceLine, pricesOf } from '../core/profiles/profile-price.ts';
import { nameList } from './arguments.ts';
import { askYes, canAsk, printNotices } from './output/terminal.ts';

/** The option of commands that write. */
export const ACCEPT_PRICE = { 'accept-price': { type: 'string', multiple: true } } as const;

/**
 * Settles once every price of the profile is accepted, by the option or by the person at the terminal.
 * @param given - The values of `--accept-price`.
 * @throws PlumbfoxError `bad-input` for a name that the profile does not set at a price, and where the person says no; PreferenceRefused where nobody
 *   can be asked.
 */
export async function acceptPrice({ preferences }: Profile, given: readonly string[] | undefined): Promise<void> {
  const accepted = nameList(given, '--accept-price') ?? [];
  const prices = pricesOf(preferences);
  const unknown = accepted.find((name) => prices.every(({ preference }) => preference !== name));
  if (unknown !== undefined) {
    throw new PlumbfoxError('bad-input', `--accept-price: the profile sets ${JSON.stringify(unknown.slice(0, 100))} at no price`);
  }
  const open = prices.filter(({ preference }) => !accepted.includes(preference));
  if (open.length === 0) return;
  if (!canAsk()) {
    try {
      checkPriceAccepted(preferences, accepted);
    } catch (error) {
      const names = open.map(({ preference }) => preference).join(',');
      throw new PlumbfoxError('preference-refused', `${(error as Error).message}; to accept it: --accept-price ${names}`, { cause: error });
    }
  }
  printNotices(open.map(priceLine));
  if (await askYes('Write it all the same?')) return;
  throw new PlumbfoxError('bad-input', 'Nothing is written');
}
