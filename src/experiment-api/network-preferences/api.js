// @ts-check
// Privileged side of the lab build: reads and sets the network preferences of an allow-list, and nothing else. It keeps what was there
// before, and puts that back by itself when the extension is disabled or removed: nothing of the extension runs then.
// Runs in Firefox's parent process as a classic script. Refusals are answered as data, because only the message of an
// exception would reach the extension.

/**
 * @typedef {{ type: 'integer', min: number, max: number } | { type: 'boolean' }} NumberOrFlag
 * @typedef {NumberOrFlag | { type: 'decimal', min: number, max: number } | { type: 'string', oneOf: readonly string[] }} Bounds
 * @typedef {'not-in-catalogue' | 'wrong-type' | 'out-of-range' | 'locked' | 'changed-by-someone-else' | 'did-not-hold'} Reason
 * @typedef {{ preference: string, reason: Reason, detail: string }} Refusal
 * @typedef {number | boolean | string} Value
 * @typedef {{ preference: string, userSet: boolean, value?: Value }} Former
 * @typedef {Former & { setTo: Value, due?: true }} Entry One preference of ours: what was there, and what we set. `due`: it was to be put back
 *   while it was locked, and is as soon as it is not.
 */

/** @type {Readonly<Record<string, Bounds>>} Preference name to type and bounds; the build writes it from the catalogue. */
const ALLOWED = PLUMBFOX_ALLOWED_PREFERENCES;

/**
 * Where the journal lies, as JSON: beside the values themselves, in the same file, so that neither outlives the other. It is written and read
 * here only: no value in it comes from the extension, except for what `set` has let through. It has an entry for each allowed name at most.
 */
const JOURNAL = 'extensions.plumbfox.former';

/**
 * Characters of a former value. Firefox says of a preference of more than 4 kB that it is long (MAX_ADVISABLE_PREF_LENGTH), and takes 1 MB:
 * even with each character escaped in JSON (six bytes), those of all allowed names that hold text fit in a tenth of that.
 */
const MAX_FORMER_LENGTH = 4096;

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

/** @type {(branch: any, name: string) => Value | undefined} */
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

/** @type {(name: string, value: Value) => void} */
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

/** @type {(bounds: Bounds) => 'integer' | 'boolean' | 'string'} Firefox holds a decimal as text. */
const heldType = ({ type }) => (type === 'decimal' ? 'string' : type);

/** @type {(name: string, value: unknown) => Refusal | undefined} */
function refusalOf(name, value) {
  if (!Object.hasOwn(ALLOWED, name)) {
    return { preference: name, reason: 'not-in-catalogue', detail: 'it is not one of the preferences that may be set' };
  }
  const bounds = ALLOWED[name];
  const held = typeOf(name);
  if (kindOf(value) !== heldType(bounds) || (held !== 'none' && held !== heldType(bounds))) {
    return { preference: name, reason: 'wrong-type', detail: `it takes ${bounds.type} and was given ${JSON.stringify(value)}` };
  }
  if (bounds.type === 'integer' && (Number(value) < bounds.min || Number(value) > bounds.max)) {
    return { preference: name, reason: 'out-of-range', detail: `${value} is not between ${bounds.min} and ${bounds.max}` };
  }
  if (bounds.type === 'decimal' && !isWithin(String(value), bounds)) {
    return { preference: name, reason: 'out-of-range', detail: `${JSON.stringify(value)} is not between ${bounds.min} and ${bounds.max}` };
  }
  if (bounds.type === 'string' && !bounds.oneOf.includes(String(value))) {
    return { preference: name, reason: 'out-of-range', detail: `${JSON.stringify(value)} is not one of ${JSON.stringify(bounds.oneOf)}` };
  }
  if (Services.prefs.prefIsLocked(name)) {
    return { preference: name, reason: 'locked', detail: 'an enterprise policy or a configuration file has locked it' };
  }
  return undefined;
}

/** @type {(value: string, bounds: { min: number, max: number }) => boolean} */
const isWithin = (value, { min, max }) => /^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) >= min && Number(value) <= max;

/** @type {(values: Record<string, unknown>) => Refusal | undefined} */
function firstRefusal(values) {
  for (const [name, value] of Object.entries(values)) {
    const refusal = refusalOf(name, value);
    if (refusal) return refusal;
  }
  return undefined;
}

/** @type {(value: unknown, type: string) => boolean} A former value may lie outside the bounds: it was there before us. */
const canBeFormer = (value, type) => kindOf(value) === type && String(value).length <= MAX_FORMER_LENGTH;

/** @type {(entry: any) => boolean} */
function isEntry(entry) {
  if (typeof entry?.preference !== 'string' || !Object.hasOwn(ALLOWED, entry.preference)) return false;
  const type = heldType(ALLOWED[entry.preference]);
  return kindOf(entry.setTo) === type && (entry.userSet === true ? canBeFormer(entry.value, type) : entry.userSet === false);
}

/** @returns {any[] | undefined} In the order in which they were set; `undefined`: something else is written there. */
function readJournal() {
  try {
    const entries = JSON.parse(Services.prefs.getStringPref(JOURNAL, '[]'));
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry?.preference === 'string') : undefined;
  } catch {
    return undefined;
  }
}

/** @type {(entries: Entry[]) => void} */
function writeJournal(entries) {
  if (entries.length > 0) Services.prefs.setStringPref(JOURNAL, JSON.stringify(entries));
  else Services.prefs.clearUserPref(JOURNAL);
}

/** @type {(preference: string) => Former} */
function presentState(preference) {
  const userSet = Services.prefs.prefHasUserValue(preference);
  return { preference, userSet, ...(userSet && { value: valueOn(Services.prefs, preference) }) };
}

/** @type {(former: Former) => void} */
function putBackOne({ preference, userSet, value }) {
  if (userSet && value !== undefined) setUserValue(preference, value);
  else Services.prefs.clearUserPref(preference);
}

/** @type {(entry: Entry) => boolean} What something else has changed or locked since is not ours any more. */
const isOurs = (entry) =>
  isEntry(entry) && !Services.prefs.prefIsLocked(entry.preference) && valueOn(Services.prefs, entry.preference) === entry.setTo;

/** @type {(entry: Entry) => boolean} Its own value cannot be read now, and one that is set shows only when the lock is lifted. */
const isKeptByLock = (entry) => isEntry(entry) && Services.prefs.prefIsLocked(entry.preference);

/**
 * The latest first, and what is due from before. The journal forgets what is put back, and what something else has changed.
 * @type {(names: readonly string[]) => { restored: string[], locked: string[] }}
 */
function restore(names) {
  const entries = readJournal();
  if (entries === undefined) return { restored: [], locked: [] };
  const asked = entries.filter(({ preference, due }) => due || names.includes(preference));
  const ours = asked.filter(isOurs).reverse();
  for (const entry of ours) putBackOne(entry);
  const locked = asked.filter(isKeptByLock);
  const next = entries.filter((entry) => !asked.includes(entry) || locked.includes(entry));
  if (asked.length > 0) writeJournal(next.map((entry) => (locked.includes(entry) ? { ...entry, due: true } : entry)));
  return { restored: namesOf(ours), locked: namesOf(locked) };
}

/** @type {(entries: readonly Entry[]) => string[]} */
const namesOf = (entries) => entries.map(({ preference }) => preference);

/** @type {(values: Record<string, any>) => Refusal | undefined} */
function set(values) {
  const refusal = firstRefusal(values);
  if (refusal) return refusal;
  // What is due is what was there before: it goes back first.
  restore([]);
  const all = readJournal();
  if (!all) return { preference: JOURNAL, reason: 'wrong-type', detail: 'it cannot be read' };
  const journal = all.filter(({ due }) => !due);
  const locked = all.filter(({ due }) => due);
  for (const { preference, setTo } of journal.filter((entry) => !isOurs(entry))) {
    const detail = `it was set to ${setTo} and is ${valueOn(Services.prefs, preference)} now: someone else changed it; go back to before first`;
    return { preference, reason: 'changed-by-someone-else', detail };
  }
  /** @type {Entry[]} */
  const next = Object.entries(values).map(([preference, setTo]) => {
    const { userSet, value } = journal.find((entry) => entry.preference === preference) ?? presentState(preference);
    return { preference, userSet, ...(userSet && { value }), setTo };
  });
  const long = next.find((entry) => !isEntry(entry));
  if (long) {
    const detail = `its value is too long to be kept (more than ${MAX_FORMER_LENGTH} characters): shorten it in about:config first`;
    return { preference: long.preference, reason: 'out-of-range', detail };
  }
  const dropped = journal.filter(({ preference }) => !Object.hasOwn(values, preference)).reverse();
  const present = namesOf([...dropped, ...next]).map(presentState);
  let preference = JOURNAL;
  try {
    writeJournal([...locked, ...next]);
    for (const entry of dropped) {
      ({ preference } = entry);
      putBackOne(entry);
    }
    for (const entry of next) {
      ({ preference } = entry);
      setUserValue(preference, entry.setTo);
    }
    return undefined;
  } catch (error) {
    for (const former of present) putBackOne(former);
    writeJournal(all);
    return { preference, reason: 'did-not-hold', detail: `Firefox did not take its value: ${error}` };
  }
}

/** Forgets what is as it was before us. */
function forgetLost() {
  /** @type {(entry: Entry) => boolean} */
  const isLost = (entry) => {
    const { userSet, value } = presentState(entry.preference);
    return isEntry(entry) && !isOurs(entry) && !isKeptByLock(entry) && userSet === entry.userSet && (!userSet || value === entry.value);
  };
  const entries = readJournal();
  if (entries?.some(isLost)) writeJournal(entries.filter((entry) => !isLost(entry)));
}

/** nsHttpHandler::Observe: closes idle connections and lets no active one be used again. */
function pruneConnections() {
  Services.obs.notifyObservers(null, 'net:prune-all-connections');
}

/**
 * What a switch can leave behind besides connections, by what clears it and nothing of the person's: no cookie, no cached page, no HSTS. The notifications
 * are handed to nsHttpHandler alone: to everybody, the one would announce a change of network, and the other delete the person's history.
 * @type {Readonly<Record<string, () => void>>}
 */
const CLEARING = {
  // nsHttpHandler::Observe, 140 and 153: mExcludedHttp3Origins; then ClearAltServiceMappings, and which servers took how many connections.
  'alt-svc': () => {
    const http = Cc['@mozilla.org/network/protocol;1?name=http'].getService(Ci.nsIObserver);
    http.observe(null, 'network:link-status-changed', 'changed');
    http.observe(null, 'browser:purge-session-history', '');
  },
  // As ClearDataService.sys.mjs does, TlsTokenCacheCleaner; also of QUIC.
  'tls-tickets': () => Cc['@mozilla.org/psm;1'].getService(Ci.nsINSSComponent).clearSSLExternalAndInternalSessionCache(),
  'dns-cache': () => Cc['@mozilla.org/network/dns-service;1'].getService(Ci.nsIDNSService).clearCache(true),
};

/** All of it, except for what is locked: that waits in the journal for the extension to be there again. */
function putBack() {
  const entries = readJournal();
  if (entries === undefined) writeJournal([]);
  if (!entries?.length) return;
  restore(namesOf(entries));
  pruneConnections();
  // Firefox would write it half a second later: the extension is gone by then, and nothing is left to mend what a crash leaves behind.
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
    // Policies have locked what they lock by now (EnterprisePoliciesParent.sys.mjs, `onBeforeAddons`).
    restore([]);
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
        /** All or nothing; what was set before and is not among them is put back. @param {Record<string, unknown>} values */
        async set(values) {
          return { refusal: set(values) };
        },
        /** @param {string[]} names */
        async restore(names) {
          return restore(names);
        },
        /** What is in effect of ours. `null`: it cannot be read. */
        async journal() {
          const entries = readJournal()?.filter(({ due }) => !due);
          return entries ? namesOf(entries) : null;
        },
        async forgetLost() {
          forgetLost();
        },
        async pruneConnections() {
          pruneConnections();
        },
        /** @param {string[]} kinds */
        async clearLeftBehind(kinds) {
          for (const [kind, clear] of Object.entries(CLEARING)) if (kinds.includes(kind)) clear();
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
