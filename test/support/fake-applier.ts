/** The simplest thing that is an applier: for tests of what uses one. It keeps the contract, as a test shows. */
import { PreferenceRefused } from '../../src/core/errors.ts';
import { preferencesFor, routePreferences } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import type { Applier } from '../../src/core/profiles/profile.ts';
import type { FakePreferences } from './fake-preferences.ts';

export function fakeApplier(preferences: FakePreferences): Applier {
  const ours = new Map<string, { former: PreferenceValue | undefined; setTo: PreferenceValue }>();
  const revert = () => {
    const names = [...ours.keys()].reverse();
    const isLocked = (name: string) => preferences.held(name).locked;
    const restored = names.filter((name) => !isLocked(name) && preferences.effective(name) === ours.get(name)?.setTo);
    for (const name of restored) preferences.setUser(name, ours.get(name)?.former);
    const locked = names.filter(isLocked);
    const leftAlone = names.filter((name) => !restored.includes(name) && !locked.includes(name));
    for (const name of [...restored, ...leftAlone]) ours.delete(name);
    return { restored, leftAlone, ...(locked.length > 0 && { locked }) };
  };
  return {
    kind: 'experiment-api',
    takesEffect: 'live',
    apply: async (profile, options) => {
      const carrier = options?.route ? 'gateway' : 'none';
      const intended = { ...preferencesFor(profile, carrier), ...(options?.route && routePreferences(options.route)) };
      for (const [name, { setTo }] of ours) {
        if (preferences.held(name).locked) continue;
        if (preferences.effective(name) !== setTo) throw new PreferenceRefused(name, 'changed-by-someone-else', 'it was changed since');
      }
      preferences.check(intended);
      revert();
      for (const [name, setTo] of Object.entries(intended)) {
        const former = preferences.hasUserValue(name) ? preferences.effective(name) : undefined;
        ours.set(name, { former, setTo });
        preferences.setUser(name, setTo);
      }
      const readBack = Object.keys(intended).map((name) => preferences.held(name));
      const mismatches = readBack.filter(({ preference, value }) => value !== intended[preference]).map(({ preference }) => preference);
      return { profileId: profile.id, applier: 'experiment-api', carrier, intended, readBack, mismatches };
    },
    readBack: async () => CATALOGUE.map(({ preference }) => preferences.held(preference)),
    revert: async () => revert(),
  };
}
