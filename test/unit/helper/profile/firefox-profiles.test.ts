import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onlyFirefoxProfile } from '../../../../src/cli/arguments.ts';
import { policyPreferences } from '../../../../src/helper/policy/preferences.ts';
import { firefoxProfiles, profileRoots, profilesIn } from '../../../../src/helper/profile/firefox-profiles.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plumbfox-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const INSTALLED = `[Install4F96D1932A9F858E]
Default=abc.default-release
Locked=1

[Profile1]
Name=default
IsRelative=1
Path=old.default
Default=1

[Profile0]
Name=default-release
IsRelative=1
Path=abc.default-release

[General]
StartWithLastProfile=1
`;

describe('profiles.ini', () => {
  it('names the profile that an installed Firefox takes', () => {
    expect(profilesIn(INSTALLED, '/r')).toEqual([
      { directory: '/r/old.default', name: 'default', isDefault: false },
      { directory: '/r/abc.default-release', name: 'default-release', isDefault: true },
    ]);
  });

  it('of an older Firefox marks it, anywhere on the disk, with line ends of Windows', () => {
    expect(
      profilesIn('[Profile0]\r\nName=my own\r\nIsRelative=0\r\nPath=/else/where\r\nDefault=1\r\n[Profile1]\r\nIsRelative=1\r\n', '/r'),
    ).toEqual([{ directory: '/else/where', name: 'my own', isDefault: true }]);
  });
});

describe('the profiles of a user', () => {
  const put = (root: string, name: string) => {
    mkdirSync(join(home, root, name), { recursive: true });
    writeFileSync(
      join(home, root, 'profiles.ini'),
      `[Profile0]\nName=${name}\nIsRelative=1\nPath=${name}\nDefault=1\n[Profile1]\nPath=gone\nIsRelative=1\n`,
    );
  };

  it('lie in both roots, in snap and in flatpak, where their folders are there', async () => {
    const roots = [
      '.mozilla/firefox',
      'own-config/mozilla/firefox',
      'snap/firefox/common/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/.mozilla/firefox',
    ];
    for (const [at, root] of roots.entries()) put(root, `p${at}`);
    const found = await firefoxProfiles({ home, env: { XDG_CONFIG_HOME: join(home, 'own-config') }, platform: 'linux' });
    expect(found.map(({ directory }) => directory)).toEqual(roots.map((root, at) => join(home, root, `p${at}`)));
  });

  it('have other roots on other systems', () => {
    expect(profileRoots({ home: '/u', env: {}, platform: 'darwin' })).toEqual(['/u/Library/Application Support/Firefox']);
    expect(profileRoots({ home: '/u', env: { APPDATA: '/a' }, platform: 'win32' })).toEqual(['/a/Mozilla/Firefox']);
    expect(profileRoots({ home: '/u', env: { XDG_CONFIG_HOME: 'not absolute' }, platform: 'linux' })).toContain(
      '/u/.config/mozilla/firefox',
    );
  });
});

describe('without a word which one', () => {
  const profile = (directory: string, isDefault: boolean) => ({ directory, name: `name of ${directory}`, isDefault });
  it('it is the only one, or the only default', () => {
    expect(onlyFirefoxProfile([profile('/a', false)])).toBe('/a');
    expect(onlyFirefoxProfile([profile('/a', false), profile('/b', true)])).toBe('/b');
  });
  it('a person has to choose between several', () => {
    expect(() => onlyFirefoxProfile([])).toThrow('No Firefox profile was found; name its folder');
    expect(() => onlyFirefoxProfile([profile('/a', true), profile('/b', true)])).toThrow(
      'name one with --firefox-profile: /a (name of /a, a default), /b (name of /b, a default)',
    );
  });
});

describe.skipIf(process.platform === 'win32')('a FIFO, which nobody writes to,', () => {
  const fifo = (...path: readonly string[]) => {
    mkdirSync(join(home, ...path, '..'), { recursive: true });
    execFileSync('mkfifo', [join(home, ...path)]);
    return join(home, ...path);
  };

  it('in the place of profiles.ini is not waited for', async () => {
    fifo('.mozilla', 'firefox', 'profiles.ini');
    expect(await firefoxProfiles({ home, env: {}, platform: 'linux' })).toEqual([]);
  });

  it('in the place of policies.json and compatibility.ini is not waited for either', async () => {
    fifo('profile', 'compatibility.ini');
    expect(await policyPreferences(join(home, 'profile'), fifo('policies.json'))).toEqual({ path: undefined, preferences: new Map() });
  });
});
