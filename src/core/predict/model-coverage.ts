/** Whether the simulator models what a profile sets: what it does not model would look like "no effect". */

import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';
import { findKnob } from '../profiles/catalogue.ts';
import type { PreferenceValue } from '../profiles/knob.ts';
import { isModelled } from '../simulate/simulated-profile.ts';

/** `notModelled`: preferences that may act on these pages, and whose effect is not simulated. Never empty. */
export type ModelCoverage =
  | { readonly state: 'modelled' }
  | { readonly state: 'in-part'; readonly notModelled: readonly string[] }
  /** Nothing of what the profile sets is simulated: its figures are those of Firefox's own settings. */
  | { readonly state: 'not-modelled'; readonly notModelled: readonly string[] };

/** The part of a profile that decides its coverage. */
interface CoveredProfile {
  readonly depth: number;
  readonly preferences: Readonly<Record<string, PreferenceValue>>;
}

/** What is set as Firefox ships it, what no Firefox of today reads, and what acts on a protocol that no page speaks has no effect, and needs no model. `pages` absent: any may be spoken. */
export function modelCoverage({ depth, preferences }: CoveredProfile, pages?: readonly PageGraph[]): ModelCoverage {
  const spoken = pages && spokenOn(pages);
  const acting = Object.entries(preferences).filter(([preference, value]) => mayAct(preference, value, spoken));
  const notModelled = acting.map(([preference]) => preference).filter((preference) => !isModelled(preference));
  if (notModelled.length === 0) return { state: 'modelled' };
  return { state: depth > 1 || acting.length > notModelled.length ? 'in-part' : 'not-modelled', notModelled };
}

function mayAct(preference: string, value: PreferenceValue, spoken: ReadonlySet<string> | undefined): boolean {
  const knob = findKnob(preference);
  if (knob === undefined) return true;
  const { protocol, takesEffect, defaults } = knob;
  if (takesEffect === 'never' || value === defaults.desktop) return false;
  const ofOne = protocol === 'http/1.1' || protocol === 'http/2' || protocol === 'http/3' || protocol === 'tls';
  return !ofOne || spoken === undefined || spoken.has(protocol);
}

/** Protocols of all requests, `tls` among them. */
function spokenOn(pages: readonly PageGraph[]): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { requests, origins = {} } of pages) {
    for (const { origin = DEFAULT_ORIGIN } of requests) {
      const { protocol = 'http/1.1', tls = 'none' } = Object.hasOwn(origins, origin) ? (origins[origin] ?? {}) : {};
      spoken.add(protocol);
      if (tls !== 'none' || protocol === 'http/3') spoken.add('tls');
    }
  }
  return spoken;
}
