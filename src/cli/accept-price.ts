/** The question before a command writes settings that cost privacy or security: it names their price. */
import { PlumbfoxError } from '../core/errors.ts';
import type { Profile } from '../core/profiles/profile.ts';
import { acceptance, checkPriceAccepted, isAccepted, type PricedPreference, priceLine, pricesOf } from '../core/profiles/profile-price.ts';
import { nameList } from './arguments.ts';
import { askYes, canAsk, printNotices } from './output/terminal.ts';

/** The option of commands that write. */
export const ACCEPT_PRICE = { 'accept-price': { type: 'string', multiple: true } } as const;

/**
 * Prints every price of the profile, and settles once all are accepted, by the option or by the person at the terminal.
 * @param given - The values of `--accept-price`: the name of a switch, or `PREFERENCE=VALUE`.
 * @throws PlumbfoxError `bad-input` for what the profile does not set at a price, for the name of a number without its value, and where the person
 *   says no; PreferenceRefused where nobody can be asked.
 */
export async function acceptPrice({ preferences }: Profile, given: readonly string[] | undefined): Promise<void> {
  const accepted = nameList(given, '--accept-price') ?? [];
  const prices = pricesOf(preferences);
  for (const text of accepted) checkNamed(text, prices);
  const open = prices.filter((one) => !isAccepted(one, accepted));
  if (open.length > 0 && !canAsk()) {
    try {
      checkPriceAccepted(preferences, accepted);
    } catch (error) {
      const names = open.map(acceptance).join(',');
      throw new PlumbfoxError('preference-refused', `${(error as Error).message}; to accept it: --accept-price ${names}`, { cause: error });
    }
  }
  printNotices(prices.map(priceLine));
  if (open.length === 0 || (await askYes('Write it all the same?'))) return;
  throw new PlumbfoxError('bad-input', 'Nothing is written');
}

function checkNamed(text: string, prices: readonly PricedPreference[]): void {
  const priced = prices.find((one) => one.preference === text || isAccepted(one, [text]));
  if (priced === undefined) {
    throw new PlumbfoxError('bad-input', `--accept-price: the profile sets ${JSON.stringify(text.slice(0, 200))} at no price`);
  }
  if (!isAccepted(priced, [text])) {
    throw new PlumbfoxError('bad-input', `--accept-price: name the value, ${acceptance(priced)}`);
  }
}
