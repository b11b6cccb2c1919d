// @ts-check
// Privileged side of the lab build: reads and sets the network preferences of an allow-list, and nothing else. It keeps what was there
// before, and puts that back by itself when the extension is disabled or removed: nothing of the extension runs then.
// Runs in Firefox's parent process as a classic script. Refusals are answered as data, because only the message of an
// exception would reach the extension.

/**
 * @typedef {{ type: 'integer', min: number, max: number } | { type: 'boolean' } | { type: 'string', oneOf: readonly string[] }} Bounds
 * @typedef {{ preference: string, reason: 'not-in-catalogue' | 'wrong-type' | 'out-of-range' | 'locked', detail: string }} Refusal
 * @typedef {{ preference: string, userSet: boolean, value?: number | boolean | string }} Former
 * @typedef {Former & { setTo: number | boolean | string }} Entry One preference of ours: what was there, and what we set.
 */

/** @type {Readonly<Record<string, Bounds>>} Preference name to type and bounds; the build writes it from the catalogue. */
const ALLOWED = PLUMBFOX_ALLOWED_PREFERENCES;

/**
 * Where the journal lies, as JSON: beside the values themselves, in the same file, so that neither outlives the other. Firefox says in its
 * console that a value of more than 4 kB is long (MAX_ADVISABLE_PREF_LENGTH); it takes 1 MB.
 */
const JOURNAL = 'extensions.plumbfox.former';

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

/** @returns {Entry[] | undefined} In the order in which they were set; `undefined`: somebody has written something else there. */
function readJournal() {
  try {
    const entries = JSON.parse(Services.prefs.getStringPref(JOURNAL, '[]'));
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}

/** @type {(entries: Entry[]) => void} */
function writeJournal(entries) {
  Services.prefs.clearUserPref(JOURNAL);
  // What is absent comes as null from Firefox's own check of the arguments.
  const present = entries.map(({ value, ...entry }) => (value === null ? entry : { ...entry, value }));
  if (entries.length > 0) Services.prefs.setStringPref(JOURNAL, JSON.stringify(present));
}

/** nsHttpHandler::Observe: closes idle connections and lets no active one be used again. */
function pruneConnections() {
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
}

/** What still holds the value that we set is as it was before; what somebody else has changed or locked since stays. */
function putBack() {
  const entries = readJournal() ?? [];
  const ours = entries.filter((entry) => entry?.setTo !== undefined && valueOn(Services.prefs, entry.preference) === entry.setTo);
  for (const entry of ours.reverse()) restoreOne(entry);
  writeJournal([]);
  if (entries.length === 0) return;
  pruneConnections();
  // Firefox would write it half a second later: the extension is gone by then, and nobody is left to mend what a crash leaves behind.
  Services.prefs.savePrefFile(null);
}

/** State of the policy engine: nsIEnterprisePolicies INACTIVE 0, ACTIVE 1, FAILED 2, UNINITIALIZED -1. */
function policyState() {
  const states = /** @type {Record<number, string>} */ ({ 0: 'inactive', 1: 'active', 2: 'failed' });
  return states[Services.policies?.status] ?? 'unknown';
}

/** @type {any} */ (this).plumbfoxNetwork = class extends ExtensionAPI {
  /**
   * Called whenever Firefox starts the extension, its event page or not, because the manifest asks for the event `startup`. Neither
   * `onShutdown` nor the extension says why it ends. Firefox's own API modules are told by the event `disable`, just before it ends for
   * having been disabled or removed (ExtensionParent.sys.mjs, shutdownExtension, read in 153); not when it is updated, nor when Firefox
   * itself ends. A temporary extension is removed then, and the event comes.
   */
  onStartup() {
    const { id } = this.extension;
    const { apiManager } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs').ExtensionParent;
    /** @type {(event: string, disabled: string) => void} */
    const onDisable = (_event, disabled) => {
      if (disabled === id) this.isLeaving = true;
    };
    apiManager.on('disable', onDisable);
    this.stopListening = () => apiManager.off('disable', onDisable);
  }

  /** No page of the extension can set anything any more. */
  onShutdown() {
    this.stopListening?.();
    if (this.isLeaving) putBack();
  }

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
        /** `null`: it cannot be read. */
        async journal() {
          return readJournal() ?? null;
        },
        /** @param {Entry[]} entries */
        async keepJournal(entries) {
          writeJournal(entries);
        },
        async pruneConnections() {
          pruneConnections();
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
