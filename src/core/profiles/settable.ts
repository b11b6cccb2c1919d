/** Whether a preference of the catalogue may be part of a profile at all. */
import { PreferenceRefused } from '../errors.ts';
import type { Knob } from './knob.ts';

/** Why it may not; `undefined`: it may. */
export function refusalToSet({ class: knobClass, takesEffect, price }: Knob): string | undefined {
  if (knobClass === 'never') return `Plumbfox never sets it${price === undefined ? '' : `: ${price}`}`;
  return takesEffect === 'never' ? 'Firefox 54 and later ignore it; pipelining is a depth, such as c4-d6' : undefined;
}

/** @throws PreferenceRefused for a preference that no profile may set. */
export function checkSettable(knob: Knob): void {
  const why = refusalToSet(knob);
  if (why !== undefined) throw new PreferenceRefused(knob.preference, 'did-not-hold', why);
}
