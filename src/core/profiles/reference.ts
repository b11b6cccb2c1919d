/** What people read of the catalogue's preferences, and no program acts upon: the extension's package has what its pages show of it. */
import { CONFOUNDERS } from './reference/confounders.ts';
import { EFFECTS } from './reference/effects.ts';
import { NARROWED_BOUNDS } from './reference/narrowed-bounds.ts';
import { SOURCES } from './reference/sources.ts';
import { findWitness } from './witnesses.ts';

/** A lab scenario in which two values of a knob differ in something counted. */
export type KnobWitness = { readonly state: 'known'; readonly scenario: string; readonly counts: string } | { readonly state: 'unknown' };

/** What is known of a knob beside what programs act upon. */
export interface KnobReference {
  readonly effect: string;
  /** A URL or a file of the Firefox source tree with the version read. */
  readonly source: string;
  /** Present where the bounds are not the clamp in Firefox's code: what the difference is. */
  readonly whyBounds?: string;
  /** Preferences that blur what this one shows, each with the reason. */
  readonly confoundedBy: readonly { readonly preference: string; readonly why: string }[];
  readonly witness: KnobWitness;
}

/** `undefined`: the preference is not in the catalogue. */
export function referenceOf(preference: string): KnobReference | undefined {
  const effect = EFFECTS[preference];
  const source = SOURCES[preference];
  if (effect === undefined || source === undefined) return undefined;
  const whyBounds = NARROWED_BOUNDS[preference];
  return {
    effect,
    source,
    ...(whyBounds !== undefined && { whyBounds }),
    confoundedBy: Object.entries(CONFOUNDERS[preference] ?? {}).map(([other, why]) => ({ preference: other, why })),
    witness: witnessOf(preference),
  };
}

function witnessOf(preference: string): KnobWitness {
  const witness = findWitness(preference);
  return witness ? { state: 'known', scenario: witness.scenario, counts: witness.counts } : { state: 'unknown' };
}
