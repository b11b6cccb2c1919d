/** Installs the helper where Firefox finds it, for one user, and removes it again with everything that it has done. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import type { UserEnvironment } from '../profile/firefox-profiles.ts';
import { openProfile } from '../profile/profile-changes.ts';
import {
  checkHome,
  installFile,
  makeInstallFolder,
  missingFolders,
  readInstalled,
  removeInstallFolders,
  removeLeftovers,
  uninstallFile,
} from './files.ts';
import type { HelperPlaces } from './places.ts';
import { hostManifest, launcherScript } from './registration.ts';
import { type TouchedProfile, touchedProfiles } from './touched-profiles.ts';

const receiptSchema = v.object({
  /** Version of the helper. */
  version: v.string(),
  /** Folders that were created, outermost first. */
  madeFolders: v.array(v.pipe(v.string(), v.check(isAbsolute))),
});
type Receipt = v.InferOutput<typeof receiptSchema>;

interface Installation {
  readonly version: string;
  /** Content of plumbfox-helper.mjs. */
  readonly program: Buffer;
  /** Absolute path of the Node that runs it. */
  readonly node: string;
}

const RUNNABLE = 0o755;
const READABLE = 0o644;

/**
 * Installs the helper, and writes only what is missing or differs. @returns the files that were written.
 * @throws PlumbfoxError `bad-input` for a home or a file that is not the caller's, `environment` where it cannot be written.
 */
export async function install(places: HelperPlaces, { version, program, node }: Installation): Promise<readonly string[]> {
  checkHome(places.home);
  const manifests = manifestsOf(places);
  const folders = [places.dataFolder, ...manifests.map(dirname)];
  const before = await receiptOf(places);
  const madeFolders = [...new Set([...(before?.madeFolders ?? []), ...folders.flatMap(missingFolders)])];
  const receipt: Receipt = { version, madeFolders };
  const manifest = `${JSON.stringify(hostManifest(places.launcher), null, 2)}\n`;
  const files = [
    // The receipt comes first, so that whatever happens next can be undone.
    { path: places.receipt, content: `${JSON.stringify(receipt, null, 1)}\n`, mode: READABLE },
    { path: places.program, content: program, mode: READABLE },
    { path: places.launcher, content: launcherScript({ node, program: places.program }), mode: RUNNABLE },
    // The manifests come last: from then on Firefox starts what must be there.
    ...manifests.map((path) => ({ path, content: manifest, mode: READABLE })),
  ];
  const written: string[] = [];
  for (const file of files) {
    makeInstallFolder(dirname(file.path));
    if (await installFile(file)) written.push(file.path);
  }
  return written;
}

function manifestsOf({ manifest, laterManifest }: HelperPlaces): readonly string[] {
  return laterManifest !== undefined && existsSync(laterManifest.whereThereIs) ? [manifest, laterManifest.path] : [manifest];
}

/** The receipt of the installation; `undefined` if there is none of ours. */
export async function receiptOf({ receipt }: HelperPlaces): Promise<Receipt | undefined> {
  try {
    const text = await readInstalled(receipt);
    return text === undefined ? undefined : v.parse(receiptSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

interface Uninstallation {
  readonly around: UserEnvironment;
  /** Whether to keep what is written into Firefox profiles. */
  readonly keepProfile: boolean;
}

export interface UninstalledHelper {
  readonly removed: readonly string[];
  /** Profiles that are now as they were before the helper. */
  readonly reverted: readonly TouchedProfile[];
  /** Preferences that something else had changed since, by folder. */
  readonly leftAlone: readonly { readonly directory: string; readonly preferences: readonly string[] }[];
  readonly kept: readonly TouchedProfile[];
}

/**
 * Removes the helper, after undoing what is written into profiles, which nothing would do without it.
 * @throws PlumbfoxError `environment` while a Firefox has such a profile open; nothing is changed then.
 */
export async function uninstall(places: HelperPlaces, { around, keepProfile }: Uninstallation): Promise<UninstalledHelper> {
  checkHome(places.home);
  const touched = await touchedProfiles(around, places.notedProfiles);
  const open = touched.filter(({ inUse }) => inUse);
  if (!keepProfile && open[0] !== undefined) {
    throw new PlumbfoxError(
      'environment',
      `A running Firefox has ${open[0].directory} open, which contains ${open[0].status?.profileId ?? 'a profile'}: close it, or keep the profile with --keep-profile`,
    );
  }
  const leftAlone: { directory: string; preferences: readonly string[] }[] = [];
  for (const { directory } of keepProfile ? [] : touched) {
    const undone = await (await openProfile(directory, { now: Date.now })).revert();
    if (undone.leftAlone.length > 0) leftAlone.push({ directory, preferences: undone.leftAlone });
  }
  const removed = await removeAll(places);
  return { removed, leftAlone, reverted: keepProfile ? [] : touched, kept: keepProfile ? touched : [] };
}

/** The manifest goes first, as Firefox must not start what is gone. The receipt goes last, so that an interrupted removal can be resumed. */
async function removeAll(places: HelperPlaces): Promise<readonly string[]> {
  const { dataFolder, manifest, laterManifest, launcher, program, notedProfiles, receipt } = places;
  const manifests = [manifest, ...(laterManifest ? [laterManifest.path] : [])];
  const made = (await receiptOf(places))?.madeFolders ?? [];
  const wayToReceipt = made.filter((folder) => `${dataFolder}/`.startsWith(`${folder}/`));
  const removed: string[] = [];
  for (const path of [...manifests, launcher, program, notedProfiles]) if (await uninstallFile(path)) removed.push(path);
  for (const folder of [dataFolder, ...manifests.map(dirname)]) await removeLeftovers(folder);
  removeInstallFolders(made.filter((folder) => !wayToReceipt.includes(folder)));
  if (await uninstallFile(receipt)) removed.push(receipt);
  removeInstallFolders([...new Set([...wayToReceipt, dataFolder])]);
  return removed;
}
