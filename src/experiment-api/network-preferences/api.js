// @ts-check
// Privileged side of the lab build: reads and sets the network preferences of an allow-list, and nothing else.
// Runs in Firefox's parent process as a classic script. Refusals are answered as data, because only the message of an
// exception would reach the extension.

/**
 * @typedef {{ type: 'integer', min: number, max: number } | { type: 'boolean' } | { type: 'string', oneOf: readonly string[] }} Bounds
 * @typedef {{ preference: string, reason: 'not-in-catalogue' | 'wrong-type' | 'out-of-range' | 'locked', detail: string }} Refusal
 * @typedef {{ preference: string, userSet: boolean, value?: number | boolean | string }} Former
 */

/** @type {Readonly<Record<string, Bounds>>} Preference name to type and bounds; the build writes it from the catalogue. */
const ALLOWED = PLUMBFOX_ALLOWED_PREFERENCES;

/** @type {(name: string) => 'integer' | 'boolean' | 'string' | 'none'} */
function typeOf(name) {
  switch (Services.prefs.getPrefType(name)) {
    case Services.prefs.PREF_INT:
      return 'integer';
    case Services.prefs.PREF_BOOL:
      return 'boolean';
    case Services.prefs.PREF_STRING:
      return 'string';
    default:
      return 'none';
  }
}

/** @type {(branch: any, name: string) => number | boolean | string | undefined} */
function valueOn(branch, name) {
  try {
    switch (typeOf(name)) {
      case 'integer':
        return branch.getIntPref(name);
      case 'boolean':
        return branch.getBoolPref(name);
      case 'string':
        return branch.getStringPref(name);
      default:
        return undefined;
    }
  } catch {
    // The branch holds no value under this name: that is the answer.
    return undefined;
  }
}

/** @type {(name: string, value: number | boolean | string) => void} */
function setUserValue(name, value) {
  if (typeof value === 'number') Services.prefs.setIntPref(name, value);
  else if (typeof value === 'boolean') Services.prefs.setBoolPref(name, value);
  else Services.prefs.setStringPref(name, value);
}

/** @type {(value: unknown) => 'integer' | 'boolean' | 'string' | 'none'} */
function kindOf(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'none';
  return typeof value === 'boolean' || typeof value === 'string' ? typeof value : 'none';
}

/** @type {(name: string) => Refusal} */
const lockedRefusal = (name) => ({
  preference: name,
  reason: 'locked',
  detail: 'an enterprise policy or a configuration file has locked it',
});

/** @type {(name: string, value: unknown) => Refusal | undefined} */
function refusalOf(name, value) {
  if (!Object.hasOwn(ALLOWED, name)) {
    return { preference: name, reason: 'not-in-catalogue', detail: 'it is not one of the preferences that may be set' };
  }
  const bounds = ALLOWED[name];
  const held = typeOf(name);
  if (kindOf(value) !== bounds.type || (held !== 'none' && held !== bounds.type)) {
    return { preference: name, reason: 'wrong-type', detail: `it takes ${bounds.type} and was given ${JSON.stringify(value)}` };
  }
  if (bounds.type === 'integer' && (Number(value) < bounds.min || Number(value) > bounds.max)) {
    return { preference: name, reason: 'out-of-range', detail: `${value} is not between ${bounds.min} and ${bounds.max}` };
  }
  if (bounds.type === 'string' && !bounds.oneOf.includes(String(value))) {
    return { preference: name, reason: 'out-of-range', detail: `${JSON.stringify(value)} is not one of ${JSON.stringify(bounds.oneOf)}` };
  }
  if (Services.prefs.prefIsLocked(name)) {
    return lockedRefusal(name);
  }
  return undefined;
}

/** @type {(values: Record<string, unknown>) => Refusal | undefined} */
function firstRefusal(values) {
  for (const [name, value] of Object.entries(values)) {
    const refusal = refusalOf(name, value);
    if (refusal) return refusal;
  }
  return undefined;
}

/** @type {(former: Former) => Refusal | undefined} A former value may lie outside the bounds: it was there before us. */
function restoreOne({ preference, userSet, value }) {
  if (!Object.hasOwn(ALLOWED, preference)) return refusalOf(preference, value);
  if (Services.prefs.prefIsLocked(preference)) return lockedRefusal(preference);
  if (userSet && kindOf(value) !== ALLOWED[preference].type) return refusalOf(preference, value);
  if (userSet && value !== undefined) setUserValue(preference, value);
  else Services.prefs.clearUserPref(preference);
  return undefined;
}

/** State of the policy engine: nsIEnterprisePolicies INACTIVE 0, ACTIVE 1, FAILED 2, UNINITIALIZED -1. */
function policyState() {
  const states = /** @type {Record<number, string>} */ ({ 0: 'inactive', 1: 'active', 2: 'failed' });
  return states[Services.policies?.status] ?? 'unknown';
}

/** @type {any} */ (this).plumbfoxNetwork = class extends ExtensionAPI {
  getAPI() {
    return {
      plumbfoxNetwork: {
        async allowed() {
          return Object.keys(ALLOWED);
        },
        /** @param {string[]} names */
        async readBack(names) {
          const defaults = Services.prefs.getDefaultBranch('');
          return names
            .filter((name) => Object.hasOwn(ALLOWED, name))
            .map((name) => ({
              preference: name,
              value: valueOn(Services.prefs, name),
              type: typeOf(name),
              locked: Services.prefs.prefIsLocked(name),
              userSet: Services.prefs.prefHasUserValue(name),
              defaultValue: valueOn(defaults, name),
            }));
        },
        /** @param {Record<string, unknown>} values */
        async check(values) {
          return { refusal: firstRefusal(values) };
        },
        /** All or nothing. @param {Record<string, any>} values */
        async set(values) {
          const refusal = firstRefusal(values);
          if (!refusal) for (const [name, value] of Object.entries(values)) setUserValue(name, value);
          return { refusal };
        },
        /** In the order given. @param {Former[]} former */
        async restore(former) {
          return { refusals: former.map(restoreOne).filter((refusal) => refusal !== undefined) };
        },
        async pruneConnections() {
          // nsHttpHandler::Observe: closes idle connections and lets no active one be used again.
          Services.obs.notifyObservers(null, 'net:prune-all-connections');
        },
        async browserFacts() {
          const { appinfo } = Services;
          return {
            name: appinfo.name,
            version: appinfo.version,
            buildId: appinfo.appBuildID,
            os: appinfo.OS,
            architecture: appinfo.XPCOMABI,
            channel: appinfo.defaultUpdateChannel,
            policies: policyState(),
          };
        },
      },
    };
  }
};
