/**
 * The Firefox profiles of a user in profiles.ini. On Linux Firefox keeps new ones below ~/.config/mozilla since 147, and still uses those below
 * ~/.mozilla; snap and flatpak have their own homes.
 * https://kb.mozillazine.org/Profiles.ini_file ; toolkit/profile/nsToolkitProfileService.cpp of ESR 140.
 */
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { plainText } from '../files/plain-text.ts';
import { resolveSystemSymlinks } from '../files/system-symlinks.ts';

export interface FirefoxProfile {
  readonly directory: string;
  /** The name that about:profiles shows. */
  readonly name: string;
  /** Whether Firefox uses this one by default. */
  readonly isDefault: boolean;
}

/** The environment that decides where profiles are; passed in, so that tests can have their own. */
export interface UserEnvironment {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Folders that may hold a profiles.ini. */
export function profileRoots({ home, env, platform }: UserEnvironment): readonly string[] {
  switch (platform) {
    case 'darwin':
      return [join(home, 'Library/Application Support/Firefox')];
    case 'win32':
      return [join(env.APPDATA ?? join(home, 'AppData/Roaming'), 'Mozilla/Firefox')];
    default:
      return [
        join(home, '.mozilla/firefox'),
        join(configHome({ home, env }), 'mozilla/firefox'),
        join(home, 'snap/firefox/common/.mozilla/firefox'),
        join(home, 'snap/firefox/common/.config/mozilla/firefox'),
        join(home, '.var/app/org.mozilla.firefox/.mozilla/firefox'),
        join(home, '.var/app/org.mozilla.firefox/config/mozilla/firefox'),
      ];
  }
}

/** Relative paths are ignored, by the XDG base directory specification. */
function configHome({ home, env }: Pick<UserEnvironment, 'home' | 'env'>): string {
  const named = env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(named) ? named : join(home, '.config');
}

/** The listed profiles whose folder exists, each once. */
export async function firefoxProfiles(around: UserEnvironment): Promise<readonly FirefoxProfile[]> {
  const found = new Map<string, FirefoxProfile>();
  for (const root of profileRoots(around)) {
    const ini = plainText(join(root, 'profiles.ini'));
    if (ini === undefined) continue;
    for (const listed of profilesIn(ini, root)) {
      const profile = { ...listed, directory: resolveSystemSymlinks(listed.directory) };
      const before = found.get(profile.directory);
      if (await isFolder(profile.directory))
        found.set(profile.directory, { ...profile, isDefault: profile.isDefault || before?.isDefault === true });
    }
  }
  return [...found.values()];
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/**
 * `[Profile0]` sections are profiles; `[Install…]` sections name the default of each installed Firefox. If there are any, `Default=1` of a profile,
 * which is older, has no meaning.
 */
export function profilesIn(ini: string, root: string): readonly FirefoxProfile[] {
  const sections = sectionsOf(ini);
  const defaults = sections.filter(({ title }) => title.startsWith('Install')).flatMap(({ values }) => values.get('Default') ?? []);
  return sections.flatMap(({ title, values }) => {
    const path = values.get('Path');
    if (!/^Profile\d+$/.test(title) || path === undefined || path === '') return [];
    return [
      {
        directory: values.get('IsRelative') === '0' ? path : join(root, path),
        name: values.get('Name') ?? path,
        isDefault: defaults.length > 0 ? defaults.includes(path) : values.get('Default') === '1',
      },
    ];
  });
}

interface Section {
  readonly title: string;
  readonly values: Map<string, string>;
}

function sectionsOf(ini: string): readonly Section[] {
  const sections: Section[] = [];
  for (const line of ini.split(/\r\n|\n|\r/)) {
    const title = /^\[(.+)\]$/.exec(line.trim())?.[1];
    if (title !== undefined) sections.push({ title, values: new Map() });
    const [, key, value] = /^([^=;#]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) sections.at(-1)?.values.set(key.trim(), value.trim());
  }
  return sections;
}
