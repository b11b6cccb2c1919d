import { CATALOGUE } from './catalogue.ts';
import type { Knob } from './knob.ts';

const byPreference: ReadonlyMap<string, Knob> = new Map(CATALOGUE.map((knob) => [knob.preference, knob]));

/** The catalogue's entry of a preference; `undefined`: it is not in the catalogue and must not be set. */
export const findKnob = (preference: string): Knob | undefined => byPreference.get(preference);
