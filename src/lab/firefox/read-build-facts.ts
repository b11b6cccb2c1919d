/** Reads out of an installed Firefox what an audit asks of a build: default values, what is locked, and names that occur in its files. */
import * as v from 'valibot';
import { type BuildFacts, type BuildPlatform, catalogueState, majorOf, type NameState } from '../../core/audit/build-facts.ts';
import { preferenceValueSchema } from '../../core/profiles/knob.ts';
import { knobAt } from '../../core/profiles/knob-at.ts';
import { buildNames } from './build-preferences.ts';
import { type ChromeContext, chromeContext } from './chrome-context.ts';
import { joinedNames } from './joined-names.ts';
import { launchFirefox } from './launch-firefox.ts';
import { lastSeenIn } from './names-gone.ts';
import { ownNetwork } from './own-network.ts';

const runningSchema = v.object({
  os: v.string(),
  version: v.string(),
  library: v.string(),
  /** The folders of its omni.ja files. */
  folders: v.array(v.string()),
  /** Those of the names asked for with a default value, and below those that a policy or a configuration locks, with the value in force. */
  defaults: v.array(v.tuple([v.string(), preferenceValueSchema])),
  locked: v.array(v.tuple([v.string(), preferenceValueSchema])),
  /** Every name with a default value. */
  known: v.array(v.string()),
});

/** Runs in Firefox's parent process. */
const READ_RUNNING = `(names) => {
  const read = (branch, name) => {
    try {
      switch (branch.getPrefType(name)) {
        case branch.PREF_INT: return branch.getIntPref(name);
        case branch.PREF_BOOL: return branch.getBoolPref(name);
        case branch.PREF_STRING: return branch.getStringPref(name);
      }
    } catch {}
    return null;
  };
  const defaults = Services.prefs.getDefaultBranch('');
  const values = (branch, some) => some.map((name) => [name, read(branch, name)]).filter(([, value]) => value !== null);
  return {
    os: Services.appinfo.OS,
    version: Services.appinfo.version,
    library: Services.dirsvc.get('XpcomLib', Ci.nsIFile).path,
    folders: [...new Set(['GreD', 'XCurProcD'].map((key) => Services.dirsvc.get(key, Ci.nsIFile).path))],
    defaults: values(defaults, names),
    locked: values(Services.prefs, names.filter((name) => Services.prefs.prefIsLocked(name))),
    known: defaults.getChildList('').filter((name) => read(defaults, name) !== null),
  };
}`;

/**
 * Starts the Firefox, headless and with a profile of its own, and reads what it has of the names.
 * @throws PlumbfoxError `environment` where it does not start, or its parent process cannot be reached.
 */
export async function readBuildFacts(program: string, names: readonly string[]): Promise<BuildFacts> {
  const firefox = await launchFirefox({ program, network: await ownNetwork() });
  try {
    return await buildFacts(await chromeContext(firefox.browser), names);
  } finally {
    await firefox.close();
  }
}

/** The same of a Firefox that runs already. */
export async function buildFacts(chrome: ChromeContext, names: readonly string[]): Promise<BuildFacts> {
  const asked = [...new Set(names)];
  const { os, version, library, folders, defaults, locked, known } = await chrome.ask(READ_RUNNING, asked, runningSchema);
  const [values, lockedTo] = [new Map(defaults), new Map(locked)];
  // Files are searched for the others alone.
  const without = asked.filter((name) => !values.has(name));
  const { names: searched, underPolicy } = await buildNames(chrome, without);
  // Where it is only a part of longer text, that may be a text of Rust, which has no end mark: it is not called dead.
  const nowhere = searched.filter(({ occurs }) => occurs === 'nowhere').map(({ name }) => name);
  const joined = await joinedNames(nowhere, { library, folders, known: new Set(known) });
  const roots = new Set(known.flatMap(rootsOf));
  const stateWithout = (name: string): NameState => {
    const isOwn = rootsOf(name).every((root) => roots.has(root)) || lastSeenIn(name, majorOf(version)) !== undefined;
    const branch = joined.get(name);
    if (!isOwn) return { state: 'foreign' };
    return branch === undefined ? { state: 'absent' } : { state: 'joined', branch };
  };
  const states = new Map(nowhere.map((name) => [name, stateWithout(name)]));
  const platform = PLATFORMS[os] ?? 'desktop';
  return {
    source: 'build',
    version,
    platform,
    ...(underPolicy && { underPolicy }),
    stateOf: (name) => {
      const value = values.get(name);
      const lock = lockedTo.get(name);
      // A policy writes on the branch of Firefox's own values, and may give one to a name that has none.
      if (underPolicy && value !== undefined) {
        const own = catalogueState(knobAt(name, majorOf(version), platform === 'windows' ? platform : 'desktop'));
        return lock === undefined || own.state === 'absent' ? own : { ...own, lockedTo: lock };
      }
      if (value !== undefined) return { state: 'default', value, ...(lock !== undefined && { lockedTo: lock }) };
      return states.get(name) ?? { state: 'hidden' };
    },
    knownNames: known,
  };
}

/** What a name of Firefox begins with: its first part, and of `extensions.` the second too where that is no preference but may be an extension. */
function rootsOf(name: string): readonly string[] {
  const [first = '', second = '', ...rest] = name.split('.');
  return first === 'extensions' && rest.length > 0 ? [first, `${first}.${second}`] : [first];
}

/** `nsIXULRuntime.OS`. */
const PLATFORMS: Readonly<Record<string, BuildPlatform>> = { Linux: 'linux', Darwin: 'mac', WINNT: 'windows' };
