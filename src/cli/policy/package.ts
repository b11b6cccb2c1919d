/**
 * The extension's package that `plumbfox policy --install` takes: read where nobody but root can exchange it, and not before it has been said
 * what such a policy switches off, and for whom.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { fileError } from '../../helper/errors.ts';
import { type CheckedFile, readGuardedFile } from '../../helper/files/checked-file.ts';
import { callerId, openGuardedFolder } from '../../helper/files/checked-path.ts';
import { profileRoots } from '../../helper/profile/firefox-profiles.ts';
import { projectRoot } from '../../lab/own-process.ts';
import { shellWord } from '../output/shell-word.ts';
import type { PolicyContent } from './arguments.ts';

type Package = Exclude<PolicyContent['extension'], undefined>;

const BUILT = 'dist/plumbfox-lab.xpi';

/** Where the package lies that is meant. */
export const packagePath = (extension: Package): string => (extension === 'built' ? join(projectRoot(), BUILT) : resolve(extension.path));

/**
 * The bytes that are installed, which nobody but root could exchange while they were read. The package of this installation may belong to whoever
 * owns the running program, too: root is running that already.
 * @throws PlumbfoxError `bad-input`, with a way that works.
 */
export function guardedPackage(extension: Package): CheckedFile {
  const path = packagePath(extension);
  try {
    const found = readGuarded(path, extension === 'built' ? programOwner() : callerId());
    if (found !== undefined) return found;
  } catch (error) {
    const { kind, message } = fileError(path, error);
    const safe = '/opt/plumbfox/plumbfox-lab.xpi';
    const way = `sudo install -D -m 644 ${shellWord(path)} ${safe}, then --extension ${safe}`;
    throw new PlumbfoxError(kind, `--extension: ${message}. Lay a copy where only root can write: ${way}`, { cause: error });
  }
  throw new PlumbfoxError('bad-input', notThere(path));
}

/** Where the copy is going to lie: as far as there is a folder yet. @throws PlumbfoxError as `guardedPackage`. */
export function checkGuardedPlace(path: string, uid: number): void {
  const folder = openGuardedFolder(path, uid);
  if (folder === undefined) checkGuardedPlace(dirname(path), uid);
  folder?.close();
}

function readGuarded(path: string, uid: number): CheckedFile | undefined {
  const folder = openGuardedFolder(dirname(path), uid);
  try {
    return folder && readGuardedFile(folder, basename(path), uid);
  } finally {
    folder?.close();
  }
}

const programOwner = (): number => (process.argv[1] === undefined ? callerId() : statSync(realpathSync(process.argv[1])).uid);

/** For a package that is named and cannot be found. */
export const notThere = (path: string): string => `--extension: ${path} is not there; build it with npm run build, or name one`;

/** What a policy with the extension does besides, in words. @param path - Of the policies.json. */
export function switchedOffLines(path: string, undo: string): readonly string[] {
  return [
    `For every user of the Firefox that reads ${path}, this switches`,
    '  off  the check that add-ons are signed (xpinstall.signatures.required)',
    '  on   Experiments, add-ons with the rights of Firefox itself (extensions.experiments.enabled)',
    `Add-ons that are installed stay as they are. To undo it: ${undo}`,
  ];
}

/** @throws PlumbfoxError `bad-input` where somebody uses Firefox here, and has not been told to go ahead. */
export function checkNotInUse(): void {
  const [used] = usedProfiles();
  if (used === undefined) return;
  throw new PlumbfoxError(
    'bad-input',
    `Firefox is in everyday use here (${used}), and --extension switches signature checks off for all its users: add --yes-unsigned if that is meant, or keep it to a Firefox profile of its own: ${ownProfile()}`,
  );
}

/** The extension in a Firefox apart from everybody's; web-ext, which starts that, is in the clone alone. */
function ownProfile(): string {
  const root = projectRoot();
  if (!existsSync(join(root, 'src'))) return 'npm start -- --profile DIR in a clone of Plumbfox';
  return `npm --prefix ${shellWord(root)} start -- --profile DIR`;
}

/** The first is written when a profile is started for the first time (ESR 153), the other when that session ends; both stay. */
const WRITTEN_BY_FIREFOX = ['compatibility.ini', 'prefs.js'];

/** Firefox profiles of this machine that have been started, whoever they belong to, as far as the caller may look. */
function usedProfiles(): readonly string[] {
  return homes()
    .flatMap((home) => profileRoots({ home, env: {}, platform: process.platform }))
    .flatMap((root) => [...foldersIn(root), ...foldersIn(join(root, 'Profiles'))])
    .filter((profile) => WRITTEN_BY_FIREFOX.some((name) => existsSync(join(profile, name))));
}

/** As passwd(5) lists them, and where systems keep those that it does not (LDAP, systemd-homed, macOS). */
function homes(): readonly string[] {
  const listed = textOf('/etc/passwd')
    .split('\n')
    .flatMap((line) => line.split(':')[5] ?? []);
  return [...new Set([homedir(), ...listed, ...foldersIn('/home'), ...foldersIn('/Users')])].filter((home) => home.length > 1);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}
