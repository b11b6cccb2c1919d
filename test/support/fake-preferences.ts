/** A browser's preferences in memory: default and user branch, locks; and the Experiment's own script over them, for tests without a browser. */

import { expect } from 'vitest';
import type { NetworkPreferences } from '../../src/adapters/applier-experiment-api.ts';
import { PreferenceRefused } from '../../src/core/errors.ts';
import { ROUTE_BOUNDS, routePreferences } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { checkPreference } from '../../src/core/profiles/check-profile.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { type ExperimentScript, experimentScript } from './experiment-script.ts';

/** nsIPrefBranch.idl. */
const PREFERENCE_TYPES = { PREF_STRING: 32, PREF_INT: 64, PREF_BOOL: 128 };

export class FakePreferences {
  readonly #defaults: ReadonlyMap<string, PreferenceValue>;
  readonly #user = new Map<string, PreferenceValue>();
  readonly #locked = new Set<string>();

  prunes = 0;
  readonly cleared: (readonly string[])[] = [];

  constructor() {
    const knobs = CATALOGUE.flatMap(({ preference, defaults }) =>
      defaults.desktop === undefined ? [] : [[preference, defaults.desktop] as const],
    );
    const route = Object.keys(routePreferences({ host: '127.0.0.1', port: 1 })).map((name) => [name, defaultOf(name)] as const);
    this.#defaults = new Map<string, PreferenceValue>([...route, ...knobs]);
  }

  effective(name: string): PreferenceValue | undefined {
    return this.#locked.has(name) ? this.#defaults.get(name) : (this.#user.get(name) ?? this.#defaults.get(name));
  }
  hasUserValue(name: string): boolean {
    return this.#user.has(name);
  }
  setUser(name: string, value: PreferenceValue | undefined): void {
    // As Firefox does: a user value equal to the default is none.
    if (value === undefined || value === this.#defaults.get(name)) this.#user.delete(name);
    else this.#user.set(name, value);
  }
  setLocked(name: string, locked: boolean): void {
    if (locked) this.#locked.add(name);
    else this.#locked.delete(name);
  }
  check(values: Readonly<Record<string, PreferenceValue>>): void {
    for (const [name, value] of Object.entries(values)) {
      if (!Object.hasOwn(ROUTE_BOUNDS, name)) checkPreference(name, value);
      if (this.#locked.has(name)) throw new PreferenceRefused(name, 'locked', 'it is locked');
    }
  }
  held(name: string) {
    const value = this.effective(name);
    const type =
      value === undefined ? ('none' as const) : typeof value === 'number' ? ('integer' as const) : (typeof value as 'boolean' | 'string');
    return { preference: name, value, type, locked: this.#locked.has(name), userSet: this.#user.has(name) };
  }

  /** The port of the Experiment API: the privileged script itself, over these preferences. */
  asNetworkPreferences(): NetworkPreferences {
    const script = experimentScript(this);
    const accept = ({ refusal }: Awaited<ReturnType<ExperimentScript['set']>>) => {
      if (refusal) throw new PreferenceRefused(refusal.preference, refusal.reason, refusal.detail);
    };
    return {
      ...script,
      check: async (values) => accept(await script.check(values)),
      set: async (values) => accept(await script.set(values)),
      journal: async () => (await script.journal()) ?? expect.fail('The journal cannot be read'),
      pruneConnections: async () => {
        this.prunes++;
      },
      clearLeftBehind: async (kinds) => {
        this.cleared.push(kinds);
      },
    };
  }

  /** What Firefox calls nsIPrefBranch. */
  asBranch(which: 'user' | 'default') {
    const of = (name: string) => (which === 'user' ? this.effective(name) : this.#defaults.get(name));
    const get = (name: string, fallback?: PreferenceValue) =>
      of(name) ??
      fallback ??
      (() => {
        throw new Error('NS_ERROR_UNEXPECTED');
      })();
    const set = (name: string, value: PreferenceValue) => this.setUser(name, value);
    return {
      ...PREFERENCE_TYPES,
      getPrefType: (name: string) => typeNumber(of(name)),
      getIntPref: get,
      getBoolPref: get,
      getStringPref: get,
      setIntPref: set,
      setBoolPref: set,
      setStringPref: set,
      clearUserPref: (name: string) => this.setUser(name, undefined),
      prefIsLocked: (name: string) => this.#locked.has(name),
      prefHasUserValue: (name: string) => this.#user.has(name),
      getDefaultBranch: () => this.asBranch('default'),
      savePrefFile: () => undefined,
    };
  }
}

function typeNumber(value: PreferenceValue | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return PREFERENCE_TYPES.PREF_INT;
  return typeof value === 'boolean' ? PREFERENCE_TYPES.PREF_BOOL : PREFERENCE_TYPES.PREF_STRING;
}

function defaultOf(name: string): PreferenceValue {
  const bounds = ROUTE_BOUNDS[name];
  // As Firefox 153 ships them: no proxy, type 5 (the system's), loopback direct, failing over to direct.
  if (name === 'network.proxy.type') return 5;
  if (bounds?.type === 'integer') return 0;
  return bounds?.type === 'boolean' ? name !== 'network.proxy.allow_hijacking_localhost' : '';
}
