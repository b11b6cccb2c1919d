/** The catalogue and the files made from it, against a real Firefox: its default branch, and what it reads back of a user.js. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preferencesFor } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE, PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import { BETTERFOX } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { userJs } from '../../src/core/profiles/user-js.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';
import { type DrivenFirefox, preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from '../support/firefox-process.ts';
import { heldType } from '../support/knob-values.ts';

/** The version whose defaults the catalogue records. */
const RECORDED_VERSION = '153';

type Value = number | boolean | string | null;
interface Branches {
  readonly version: string;
  /** `null`: the preference does not exist. */
  readonly defaults: Readonly<Record<string, Value>>;
  readonly user: Readonly<Record<string, Value>>;
}

/** Runs inside Firefox; `names` are preferences. */
const READ_BRANCHES = `(names) => {
  const read = (branch, name) => {
    try {
      switch (branch.getPrefType(name)) {
        case Services.prefs.PREF_INT: return branch.getIntPref(name);
        case Services.prefs.PREF_BOOL: return branch.getBoolPref(name);
        case Services.prefs.PREF_STRING: return branch.getStringPref(name);
      }
    } catch {}
    return null;
  };
  const of = (branch) => Object.fromEntries(names.map((name) => [name, read(branch, name)]));
  return { version: Services.appinfo.version, defaults: of(Services.prefs.getDefaultBranch('')), user: of(Services.prefs) };
}`;

/** Sets what Betterfox sets and nothing as Firefox ships it, so that a line that was not read shows. */
const WRITTEN: Profile = {
  ...BETTERFOX,
  depth: 6,
  preferences: { ...BETTERFOX.preferences, 'network.http.http2.pull-allowance': 2_147_483_647, 'network.http.tailing.enabled': false },
};

let home: string;
let firefox: DrivenFirefox | undefined;
let branches: Branches;

beforeAll(async () => {
  const found = await findFirefox();
  if (found === undefined) throw new Error('No Firefox was found');
  home = await mkdtemp(join(tmpdir(), 'plumbfox-catalogue-'));
  const profile = join(home, 'profile');
  await mkdir(profile);
  const notes = ['user_pref("network.http.tailing.enabled", true);', 'ends \u2028user_pref("network.http.tailing.enabled", true);'];
  await writeFile(join(profile, 'user.js'), preferenceLines(QUIET_PREFERENCES) + userJs(WRITTEN, { carrier: 'gateway', notes }));
  firefox = await startDrivenFirefox({ profile, home: join(home, 'home'), command: [found.path] });
  const chrome = await chromeContext(firefox.browser);
  branches = await chrome.run<Branches>(
    READ_BRANCHES,
    CATALOGUE.map(({ preference }) => preference),
  );
});

afterAll(async () => {
  await firefox?.stop();
  if (home !== undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

describe('the catalogue', () => {
  it('records the desktop defaults of this Firefox', (context) => {
    const major = branches.version.split('.')[0];
    if (major !== RECORDED_VERSION) context.skip(`This is Firefox ${major}; the catalogue records the defaults of ${RECORDED_VERSION}`);
    const recorded = Object.fromEntries(CATALOGUE.map(({ preference, defaults }) => [preference, defaults.desktop ?? null]));
    expect(branches.defaults).toEqual(recorded);
  });

  it('has the type of every preference right', () => {
    for (const knob of CATALOGUE) {
      const expected = knob.defaults.desktop === undefined ? 'undefined' : heldType(knob);
      expect(typeof (branches.defaults[knob.preference] ?? undefined), knob.preference).toBe(expected);
    }
  });
});

describe('user.js', () => {
  it('is read to the last line, and no note becomes a preference', () => {
    const set = preferencesFor(WRITTEN, 'gateway');
    expect(set[PER_SERVER]).toBe(10);
    expect(branches.user).toMatchObject(set);
    // The last line of the block: pipelining, which Firefox keeps although nothing in it reads the value.
    expect(branches.user['network.http.pipelining.max-optimistic-requests']).toBe(6);
  });
});
