/** Which policies.json the Firefox of this machine reads, and where it belongs elsewhere. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { SYSTEM_POLICIES } from '../helper/policy-preferences.ts';

const DARWIN_POLICIES = '/Applications/Firefox.app/Contents/Resources/distribution/policies.json';

/** Where Linux distributions and Mozilla's own archive put the program. */
const PROGRAM_FOLDERS: readonly string[] = [
  '/usr/lib/firefox-esr',
  '/usr/lib/firefox',
  '/usr/lib64/firefox',
  '/usr/lib/firefox-devedition',
  '/usr/lib/firefox-nightly',
  '/opt/firefox',
];

/**
 * The file to write: the one in /etc; but where there is none, and Firefox has policies beside its program, those, which a file in /etc
 * would put out of force.
 * @throws PlumbfoxError `bad-input` where that is not clear, or where policies are not given by a file.
 */
export function policyTarget(file: string | undefined): string {
  if (file !== undefined) return resolve(file);
  switch (process.platform) {
    case 'linux':
      return linuxTarget();
    case 'darwin':
      return DARWIN_POLICIES;
    default:
      throw new PlumbfoxError('bad-input', 'Name the policies.json with --file: there is no one place for it on this system');
  }
}

function linuxTarget(): string {
  if (lstatSync(SYSTEM_POLICIES, { throwIfNoEntry: false })) return SYSTEM_POLICIES;
  const [beside, ...others] = [...new Set(besideProgram())];
  if (others.length > 0) {
    const all = [beside, ...others].join(', ');
    throw new PlumbfoxError('bad-input', `Several Firefoxes have policies of their own (${all}): name one with --file`);
  }
  return beside ?? SYSTEM_POLICIES;
}

function besideProgram(): readonly string[] {
  const named = process.env.PLUMBFOX_FIREFOX;
  const folders = [...(named && existsSync(named) ? [dirname(realpathSync(named))] : []), ...PROGRAM_FOLDERS];
  // Debian's folder is a symbolic link of root's own into /usr/share.
  return folders
    .map((folder) => join(folder, 'distribution', 'policies.json'))
    .flatMap((path) => (existsSync(path) ? [realpathSync(path)] : []));
}

/** For a person: where the printed file goes, per system and package. One line each. */
export const POLICY_PLACES: readonly string[] = [
  `Linux, .deb, .rpm, Mozilla's archive, Snap   ${SYSTEM_POLICIES}`,
  'Linux, Flatpak       /var/lib/flatpak/extension/org.mozilla.firefox.systemconfig/x86_64/stable/policies/policies.json',
  'Windows, MSI or EXE  distribution\\policies.json beside firefox.exe',
  'Windows, GPO         the same under Software\\Policies\\Mozilla\\Firefox; Preferences and 3rdparty are values with JSON text',
  'macOS                /Applications/Firefox.app/Contents/Resources/distribution/policies.json',
  'macOS, MDM           the same as a plist of org.mozilla.firefox, with EnterprisePoliciesEnabled true',
];
