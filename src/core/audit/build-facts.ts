/** What a build of Firefox, or in its absence the catalogue, has of the preferences of a list: the port through which an audit asks. */
import type { PreferenceValue } from '../profiles/knob.ts';
import { knobAt } from '../profiles/knob-at.ts';

/** `hidden`: no default value, and the name stands in a file or library of the build, so that code may read it. */
export type NameState =
  | { readonly state: 'default'; readonly value: PreferenceValue; readonly lockedTo?: PreferenceValue }
  | { readonly state: 'hidden' }
  | { readonly state: 'absent' }
  /** Nobody looked: the catalogue does not have it. */
  | { readonly state: 'unknown' };

/** The platforms of desktop builds, and what the catalogue stands for where there is no build. */
export type BuildPlatform = 'linux' | 'mac' | 'windows' | 'desktop';

/** What is known of the names of one list. */
export interface BuildFacts {
  /** `build`: read out of an installed Firefox; `catalogue`: out of the catalogue alone. */
  readonly source: 'build' | 'catalogue';
  /** Such as `153.7.0`; of the catalogue the newest version it was read from. */
  readonly version: string;
  readonly platform: BuildPlatform;
  readonly stateOf: (name: string) => NameState;
  /** Names with a default value, in which a misspelt one is looked for. */
  readonly knownNames: readonly string[];
}

/** The version whose desktop defaults the catalogue records. */
const CATALOGUE_VERSION = '153';

/** The catalogue in place of a Firefox: it knows the names that it has, and nothing of any other. */
export const catalogueFacts = (names: readonly string[]): BuildFacts => ({
  source: 'catalogue',
  version: CATALOGUE_VERSION,
  platform: 'desktop',
  stateOf: catalogueState,
  knownNames: names,
});

function catalogueState(name: string): NameState {
  const known = knobAt(name, Number(CATALOGUE_VERSION), 'desktop');
  if (known.state === 'absent') return { state: 'absent' };
  if (known.state !== 'present') return { state: 'unknown' };
  return known.default === undefined ? { state: 'hidden' } : { state: 'default', value: known.default };
}

/** The major version of `153.7.0`. */
export const majorOf = (version: string): number => Number.parseInt(version, 10);
