/** What a version of Firefox on a platform has of a preference of the catalogue, and what it makes of a value. */
import { assertNever } from '../errors.ts';
import { findKnob } from './catalogue.ts';
import { type DefaultPlatform, type Knob, type PreferenceValue, READ_VERSIONS, type ReadVersion } from './knob.ts';

/**
 * `uncatalogued`: nothing is known of it. `not-read`: of this version or platform nothing is. `absent`: its name is in none of the build's
 * files; `in`: versions that have it. `present` without a default: a hidden preference.
 */
export type KnobAt =
  | { readonly state: 'uncatalogued' }
  | { readonly state: 'not-read'; readonly knob: Knob }
  | { readonly state: 'absent'; readonly knob: Knob; readonly in: readonly ReadVersion[] }
  | { readonly state: 'present'; readonly knob: Knob; readonly default: PreferenceValue | undefined };

/** @param major - Such as 153. What holds in every version read is taken to hold in those between them. */
export function knobAt(preference: string, major: number, platform: DefaultPlatform): KnobAt {
  const knob = findKnob(preference);
  if (knob === undefined) return { state: 'uncatalogued' };
  if (platform === 'android' && knob.android.state !== 'as-desktop') return knobOnAndroid(knob, major);
  const known = knobInBuilds(knob, major);
  if (platform !== 'windows' || knob.windows === undefined || known.state !== 'present') return known;
  return { ...known, default: knob.windows };
}

function knobInBuilds(knob: Knob, major: number): KnobAt {
  const around = buildsAround(major);
  if (around.length === 0) return { state: 'not-read', knob };
  const held = around.map((version) => knob.builds[version]);
  const [first] = held;
  if (first === undefined || held.some((build) => !isSameBuild(build, first))) return { state: 'not-read', knob };
  if (first.state === 'absent') return { state: 'absent', knob, in: READ_VERSIONS.filter((each) => knob.builds[each].state !== 'absent') };
  return { state: 'present', knob, default: first.state === 'default' ? first.value : undefined };
}

function knobOnAndroid(knob: Knob, major: number): KnobAt {
  const { android } = knob;
  if (android.state !== 'value' || (android.until !== undefined && major > Number(android.until))) return { state: 'not-read', knob };
  return { state: 'present', knob, default: android.value };
}

/** The version itself, or the two that were read on either side of it; none for a version before or after all of them. */
function buildsAround(major: number): readonly ReadVersion[] {
  const exact = READ_VERSIONS.find((version) => Number(version) === major);
  if (exact !== undefined) return [exact];
  const [before, after] = [
    READ_VERSIONS.findLast((version) => Number(version) < major),
    READ_VERSIONS.find((version) => Number(version) > major),
  ];
  return before === undefined || after === undefined ? [] : [before, after];
}

const isSameBuild = (a: Knob['builds'][ReadVersion], b: Knob['builds'][ReadVersion]): boolean =>
  a.state === b.state && (a.state !== 'default' || b.state !== 'default' || a.value === b.value);

/** `taken`: as it is. `clamped`: acts as another. `ignored`: acts as if it had not been set. `wrong-type`: Firefox keeps its own. */
export type ActingValue =
  | { readonly state: 'taken' }
  | { readonly state: 'clamped'; readonly actsAs: number }
  | { readonly state: 'ignored' }
  | { readonly state: 'wrong-type' };

/** What Firefox makes of any value under the knob's name. */
export function actingValue({ bounds }: Pick<Knob, 'bounds'>, value: PreferenceValue): ActingValue {
  switch (bounds.type) {
    case 'boolean':
      return { state: typeof value === 'boolean' ? 'taken' : 'wrong-type' };
    case 'decimal': {
      if (typeof value !== 'string') return { state: 'wrong-type' };
      // Firefox takes all that lies between 0 and 1; the catalogue's own limits, a hundredth within, are for what a profile may hold.
      return { state: Number(value) > 0 && Number(value) < 1 ? 'taken' : 'ignored' };
    }
    case 'integer': {
      if (typeof value !== 'number' || !Number.isInteger(value)) return { state: 'wrong-type' };
      const { clamp } = bounds;
      if (clamp === undefined || (value >= clamp.min && value <= clamp.max)) return { state: 'taken' };
      if ((value < clamp.min && clamp.below === 'ignored') || clamp.beyond === 'ignored') return { state: 'ignored' };
      return { state: 'clamped', actsAs: Math.min(clamp.max, Math.max(clamp.min, value)) };
    }
    default:
      return assertNever(bounds);
  }
}
