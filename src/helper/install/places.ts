/**
 * Where the helper lives and where Firefox looks for it, for one user
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests).
 * macOS is written by the book and not seen by us.
 */
import { join } from 'node:path';
import { MANIFEST_NAME } from './registration.ts';

export interface HelperPlaces {
  readonly home: string;
  readonly dataFolder: string;
  /** The helper's one file. */
  readonly program: string;
  /** What Firefox starts: finds Node and runs the program. */
  readonly launcher: string;
  /** What installing made, so that uninstalling leaves nothing of it. */
  readonly receipt: string;
  /** Profile folders in which the helper has written, for those that no profiles.ini names. */
  readonly notedProfiles: string;
  /** The path at which Firefox reads the manifest. */
  readonly manifest: string;
  /**
   * Where later ones may read it, as they keep new profiles there since 147; written only where that folder is there already. Firefox 153 does
   * not (measured; https://bugzilla.mozilla.org/show_bug.cgi?id=2005167).
   */
  readonly laterManifest: { readonly path: string; readonly whereThereIs: string } | undefined;
}

interface HelperUser {
  readonly home: string;
  /** XDG_DATA_HOME and XDG_CONFIG_HOME are looked at. */
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

/** https://specifications.freedesktop.org/basedir-spec/latest/: a path that is not absolute is to be ignored. */
const absolute = (path: string | undefined): string | undefined => (path?.startsWith('/') ? path : undefined);
