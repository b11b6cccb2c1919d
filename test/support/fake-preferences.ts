/** A browser's preferences in memory: default and user branch, locks; the same answers as the Experiment API, for tests without a browser. */

import type { JournalEntry, NetworkPreferences } from '../../src/adapters/network-preferences.ts';
import { PreferenceRefused } from '../../src/core/errors.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { checkPreference } from '../../src/core/profiles/check-value.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { ROUTE_BOUNDS, routePreferences } from '../../src/core/profiles/route-preferences.ts';

export class FakePreferences {
  readonly #defaults: ReadonlyMap<string, PreferenceValue>;
  readonly #user = new Map<string, PreferenceValue>();
  readonly #locked = new Set<string>();
  #journal: readonly JournalEntry[] = [];
  prunes = 0;

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

  /** The same over the port of the Experiment API. */
  asNetworkPreferences(): NetworkPreferences {
    const names = [...CATALOGUE.map(({ preference }) => preference), ...Object.keys(ROUTE_BOUNDS)];
    return {
      allowed: async () => names,
      readBack: async (wanted) =>
        wanted.filter((name) => names.includes(name)).map((name) => ({ ...this.held(name), defaultValue: this.#defaults.get(name) })),
      check: async (values) => this.check(values),
      set: async (values) => {
        this.check(values);
        for (const [name, value] of Object.entries(values)) this.setUser(name, value);
      },
      restore: async (former) => {
        const refused = former.filter(({ preference }) => this.#locked.has(preference));
        for (const one of former) if (!refused.includes(one)) this.setUser(one.preference, one.userSet ? one.value : undefined);
        return refused.map(({ preference }) => preference);
      },
      journal: async () => structuredClone(this.#journal),
      keepJournal: async (entries) => {
        this.#journal = structuredClone(entries);
      },
      pruneConnections: async () => {
        this.prunes++;
      },
      browserFacts: async () => ({
        name: 'Firefox',
        version: '153.0',
        buildId: '20261103151912',
        os: 'Linux',
        architecture: 'x86_64-gcc3',
        channel: 'esr',
        policies: 'inactive',
      }),
    };
  }
}

function defaultOf(name: string): PreferenceValue {
  const bounds = ROUTE_BOUNDS[name];
  // As Firefox 153 ships them: no proxy, type 5 (the system's), loopback direct, failing over to direct.
  if (name === 'network.proxy.type') return 5;
  if (bounds?.type === 'integer') return 0;
  return bounds?.type === 'boolean' ? name !== 'network.proxy.allow_hijacking_localhost' : '';
}
