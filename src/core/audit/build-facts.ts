/** What a build of Firefox, or in its absence the catalogue, has of the preferences of a list: the port through which an audit asks. */
import { CATALOGUE } from '../profiles/catalogue.ts';
import type { DefaultPlatform, PreferenceValue } from '../profiles/knob.ts';
import { type KnobAt, knobAt } from '../profiles/knob-at.ts';
import { networkNames, networkState } from './network-names.ts';

/** `hidden`: no default value, and the name stands in a file or library of the build, so that code may read it. */
export type NameState =
  | { readonly state: 'default'; readonly value: PreferenceValue; readonly lockedTo?: PreferenceValue }
  | { readonly state: 'hidden'; readonly lockedTo?: PreferenceValue }
  /** Code may put it together as it runs, from this begin and what it is asked for. */
  | { readonly state: 'joined'; readonly branch: string }
  /** None of the build's own preferences begins so: a style sheet, a script or an extension of the person's may read it. */
  | { readonly state: 'foreign' }
  /** No part of the build could read it. */
  | { readonly state: 'absent' }
  /** Nobody knows: the catalogue does not have it. */
  | { readonly state: 'unknown'; readonly lockedTo?: PreferenceValue };

/** The platforms of desktop builds, and what the catalogue stands for where there is no build. */
export type BuildPlatform = 'linux' | 'mac' | 'windows' | 'desktop' | 'android';

/** What is known of the names of one list. */
export interface BuildFacts {
  /** `build`: read out of an installed Firefox; `catalogue`: out of the catalogue alone. */
  readonly source: 'build' | 'catalogue';
  /** Such as `153.7.0`; of the catalogue the newest version it was read from. */
  readonly version: string;
  readonly platform: BuildPlatform;
  /** A policy of the machine is in force, so that the values of its own are the catalogue's, and other values are not known. */
  readonly underPolicy?: boolean;
  readonly stateOf: (name: string) => NameState;
  /** Names with a default value, in which a misspelt one is looked for. */
  readonly knownNames: readonly string[];
}

/** The newest version that the catalogue was read from. */
export const CATALOGUE_MAJOR = 153;

/**
 * The catalogue in place of a Firefox, with the names about the network that builds have: of any other nothing is known.
 * @param running - The Firefox to judge for, where its version is known.
 */
export function catalogueFacts(running: { readonly major: number; readonly platform: DefaultPlatform } = DESKTOP): BuildFacts {
  const { major, platform } = running;
  const at = platform === 'android' ? 'android' : 'desktop';
  const catalogued = CATALOGUE.filter(({ defaults }) => defaults[at] !== undefined).map(({ preference }) => preference);
  return {
    source: 'catalogue',
    version: String(major),
    platform,
    // The builds that were read are the desktop's.
    stateOf: (name) => {
      const known = catalogueState(knobAt(name, major, platform));
      return known.state === 'unknown' && at === 'desktop' ? (networkState(name, major) ?? known) : known;
    },
    knownNames: at === 'android' ? catalogued : [...new Set([...catalogued, ...networkNames(major)])],
  };
}

const DESKTOP = { major: CATALOGUE_MAJOR, platform: 'desktop' } as const;

/** What the catalogue has in place of a value that a build may not have of its own. */
export function catalogueState(known: KnobAt): NameState {
  if (known.state === 'absent') return { state: 'absent' };
  if (known.state !== 'present') return { state: 'unknown' };
  return known.default === undefined ? { state: 'hidden' } : { state: 'default', value: known.default };
}

/** The major version of `153.7.0`. */
export const majorOf = (version: string): number => Number.parseInt(version, 10);
