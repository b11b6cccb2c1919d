/** Whether a preference of the catalogue may be part of a profile at all. */
import { PreferenceRefused } from '../errors.ts';
import { findKnob } from './catalogue.ts';
import type { Knob, KnobApplier, PreferenceValue } from './knob.ts';

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

/** Whether Firefox reads it only as it starts. */
export const isReadAtStart = ({ takesEffect }: Pick<Knob, 'takesEffect'>): boolean => takesEffect === 'at-start';

/** For what measures in a Firefox that runs. @throws PreferenceRefused for a preference that Firefox reads only as it starts. */
export function checkHeededWhileRunning(preferences: readonly string[]): void {
  for (const preference of preferences) {
    const knob = findKnob(preference);
    if (knob !== undefined && isReadAtStart(knob))
      throw new PreferenceRefused(
        preference,
        'did-not-hold',
        'Firefox reads it only as it starts, so a Firefox that runs cannot be measured with it',
      );
  }
}

const APPLIERS: Readonly<Record<KnobApplier, string>> = {
  policy: 'an enterprise policy',
  helper: 'user.js',
  'experiment-api': 'the extension',
  'about-config': 'about:config',
};

/** @throws PreferenceRefused naming the first preference that the applier cannot set; Firefox reads pipelining only where it is older than 54. */
export function checkCarriedBy(applier: KnobApplier, preferences: Readonly<Record<string, PreferenceValue>>): void {
  for (const preference of Object.keys(preferences)) {
    const knob = findKnob(preference);
    if (knob === undefined || knob.takesEffect === 'never' || knob.appliers.includes(applier)) continue;
    throw new PreferenceRefused(preference, 'did-not-hold', `${APPLIERS[applier]} cannot set it`);
  }
}
