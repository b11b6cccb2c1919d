/**
 * Where the helper is installed and where Firefox looks for it, for one user
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests). The paths on macOS follow the documentation and were not tried.
 */
import { join } from 'node:path';
import { MANIFEST_NAME } from './registration.ts';

export interface HelperPlaces {
  readonly home: string;
  readonly dataFolder: string;
  /** The helper's one file. */
  readonly program: string;
  /** The script that Firefox starts, which finds Node and runs the program. */
  readonly launcher: string;
  /** The list of what was installed, so that uninstalling leaves nothing. */
  readonly receipt: string;
  /** The list of profile folders in which the helper has written, since some are in no profiles.ini. */
  readonly notedProfiles: string;
  /** The path at which Firefox reads the manifest. */
  readonly manifest: string;
  /**
   * Where later versions may read it, since new profiles are kept there since 147; written only if that folder exists already. Firefox 153 does not
   * read it (measured; https://bugzilla.mozilla.org/show_bug.cgi?id=2005167).
   */
  readonly laterManifest: { readonly path: string; readonly whereThereIs: string } | undefined;
}

interface HelperUser {
  readonly home: string;
  /** XDG_DATA_HOME and XDG_CONFIG_HOME are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function helperPlaces(system: 'linux' | 'darwin', user: HelperUser): HelperPlaces {
  return system === 'darwin' ? placesOnMac(user) : placesOnLinux(user);
}

function placesOnLinux({ home, env }: HelperUser): HelperPlaces {
  const mozilla = join(absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'mozilla');
  return {
    home,
    ...dataPlaces(join(absolute(env.XDG_DATA_HOME) ?? join(home, '.local/share'), 'plumbfox')),
    manifest: join(home, '.mozilla/native-messaging-hosts', MANIFEST_NAME),
    laterManifest: { path: join(mozilla, 'native-messaging-hosts', MANIFEST_NAME), whereThereIs: mozilla },
  };
}

function placesOnMac({ home }: HelperUser): HelperPlaces {
  const support = join(home, 'Library/Application Support');
  return {
    home,
    ...dataPlaces(join(support, 'Plumbfox')),
    manifest: join(support, 'Mozilla/NativeMessagingHosts', MANIFEST_NAME),
    laterManifest: undefined,
  };
}

function dataPlaces(dataFolder: string) {
  return {
    dataFolder,
    program: join(dataFolder, 'plumbfox-helper.mjs'),
    launcher: join(dataFolder, 'plumbfox-helper'),
    receipt: join(dataFolder, RECEIPT_NAME),
    notedProfiles: join(dataFolder, NOTED_PROFILES_NAME),
  };
}

/** Files in the helper's own folder: what was installed, and which Firefox profiles have been written. */
export const RECEIPT_NAME = 'installed.json';
export const NOTED_PROFILES_NAME = 'profiles.json';

/** Relative paths are ignored: https://specifications.freedesktop.org/basedir-spec/latest/ */
const absolute = (path: string | undefined): string | undefined => (path?.startsWith('/') ? path : undefined);
