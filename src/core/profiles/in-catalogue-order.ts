import { CATALOGUE } from './catalogue.ts';
import type { PreferenceValue } from './knob.ts';

/** Preferences in the catalogue's order, so that the same profile always gives the same file. What is not in the catalogue is left out. */
export function inCatalogueOrder(preferences: Readonly<Record<string, PreferenceValue>>): readonly (readonly [string, PreferenceValue])[] {
  return CATALOGUE.flatMap(({ preference }) => {
    const value = Object.hasOwn(preferences, preference) ? preferences[preference] : undefined;
    return value === undefined ? [] : [[preference, value] as const];
  });
}
