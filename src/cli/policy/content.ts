/** The policy that `plumbfox policy` makes of its files, and the extension's package that it installs, read where only root can exchange it. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PlumbfoxError } from '../../core/errors.ts';
import { readJsonObject } from '../../core/profiles/json-text.ts';
import { type PolicyDocument, policyDocument } from '../../core/profiles/merge-policies.ts';
import { CONTROL_ID, readProfile, SHIPPED_ID } from '../../core/profiles/presets.ts';
import { BASELINE_ID } from '../../core/profiles/profile.ts';
import { checkPriceAccepted, priceLine, pricesOf } from '../../core/profiles/profile-price.ts';
import { fileError } from '../../helper/errors.ts';
import { type CheckedFile, readGuardedFile } from '../../helper/files/checked-file.ts';
import { callerId, openGuardedFolder } from '../../helper/files/checked-path.ts';
import { plainText } from '../../helper/files/plain-text.ts';
import { inFile, utf8Of } from '../../helper/policy/policies-json.ts';
import { profileRoots } from '../../helper/profile/firefox-profiles.ts';
import { projectRoot } from '../../lab/process/own-process.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import { type ManagedTrial, parseTrialDefinition } from '../../protocol/trial-state.ts';
import { readInput } from '../files.ts';
import { shellWord } from '../output/own-command.ts';
import { printNotices } from '../output/terminal.ts';
import type { PolicyContent } from './arguments.ts';

/**
 * @param copied - Where the extension's package is going to lie, if it is copied.
 * @throws PlumbfoxError `bad-input`, PreferenceRefused: what Firefox would ignore without a word is refused here.
 */
export async function policyContent(content: PolicyContent, copied?: string): Promise<PolicyDocument> {
  const { profile, status, carrier, extension } = content;
  const trial = content.trial === undefined ? undefined : await trialOf(content.trial);
  const document = policyDocument(profile, {
    extensionId: EXTENSION_ID,
    carrier,
    status,
    trial,
    extensionUrl: extension && pathToFileURL(copied ?? reachablePackage(extension)).href,
  });
  if (trial !== undefined && status === 'locked' && Object.keys(profile.preferences).length > 0) {
    throw new PlumbfoxError('bad-input', `A trial cannot switch what the policy locks: use --status default, or --profile ${BASELINE_ID}`);
  }
  return document;
}

/** The whole text of a file given on the command line. @throws PlumbfoxError `bad-input` */
export async function givenFile(option: string, path: string): Promise<string> {
  const bytes = inFile(option, () => readInput(path));
  return inFile(`${option}: ${path}`, () => utf8Of(bytes));
}

/** Two definitions that differ are two trials. The prices of its candidates are printed, as no user of the policy is asked. */
async function trialOf(path: string): Promise<ManagedTrial> {
  const text = await givenFile('--trial', path);
  return inFile(`--trial: ${path}`, () => {
    const definition = parseTrialDefinition(readJsonObject(text));
    const prices = definition.candidates.flatMap((id) => checkCandidate(id, definition.accepts ?? []));
    printNotices([...new Set(prices)]);
    const id = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16);
    return { ...definition, id: `policy-${id}` };
  });
}

/** Refuses what the extension would refuse later. @returns a line for each value that costs something. */
function checkCandidate(id: string, accepts: readonly string[]): readonly string[] {
  const profile = readProfile(id);
  if (profile === undefined) throw new PlumbfoxError('bad-input', `There is no profile "${id}"`);
  if (profile.depth > 1) throw new PlumbfoxError('bad-input', `"${id}" cannot be tried: a depth above 1 needs the gateway`);
  if ([BASELINE_ID, CONTROL_ID, SHIPPED_ID].includes(id)) {
    throw new PlumbfoxError('bad-input', `"${id}" cannot be tried: it changes nothing`);
  }
  checkPriceAccepted(profile.preferences, accepts);
  return pricesOf(profile.preferences).map(priceLine);
}

const READABLE_BY_ALL = 0o004;
const PASSABLE_BY_ALL = 0o001;

/** The package that the policy names in its own place. Everybody must be able to reach it, as Firefox does not run as the administrator. */
function reachablePackage(extension: Exclude<PolicyContent['extension'], undefined>): string {
  const path = packagePath(extension);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new PlumbfoxError('bad-input', notThere(path));
  if (process.platform === 'win32') return path;
  if ((statSync(path).mode & READABLE_BY_ALL) === 0) {
    throw new PlumbfoxError('bad-input', `--extension: ${path} cannot be read by everybody, so Firefox could not install it: chmod o+r`);
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & PASSABLE_BY_ALL) !== 0) continue;
    throw new PlumbfoxError(
      'bad-input',
      `--extension: not everybody can enter ${folder}; copy the file to a place such as /opt/plumbfox, and name it there`,
    );
  }
  return path;
}

type Package = Exclude<PolicyContent['extension'], undefined>;

const BUILT = 'dist/plumbfox-lab.xpi';

export const packagePath = (extension: Package): string => (extension === 'built' ? join(projectRoot(), BUILT) : resolve(extension.path));

/**
 * The bytes that are installed, which only root could exchange while they were read. The package of this installation may belong to whoever
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
    throw new PlumbfoxError(kind, `--extension: ${message}. Put a copy where only root can write: ${way}`, { cause: error });
  }
  throw new PlumbfoxError('bad-input', notThere(path));
}

/** Checks the folder of the copy, or the nearest one above it that exists. @throws PlumbfoxError as `guardedPackage`. */
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

const notThere = (path: string): string => `--extension: ${path} is not there; build it with npm run build, or name one`;

/** The lines about what else a policy with the extension does. @param path - Path of the policies.json. */
export function switchedOffLines(path: string, undo: string): readonly string[] {
  return [
    `For every user of the Firefox that reads ${path}, this switches`,
    '  off  the check that add-ons are signed (xpinstall.signatures.required)',
    '  on   Experiments, add-ons with the rights of Firefox itself (extensions.experiments.enabled)',
    `Add-ons that are installed stay as they are. To undo it: ${undo}`,
  ];
}

/** @throws PlumbfoxError `bad-input` where a user has Firefox in use here. */
export function checkNotInUse(): void {
  const [used] = usedProfiles();
  if (used === undefined) return;
  throw new PlumbfoxError(
    'bad-input',
    `Firefox is in everyday use here (${used}), and --extension switches signature checks off for all its users: add --yes-unsigned to accept that, or use a separate Firefox profile: ${ownProfile()}`,
  );
}

/** The extension in a separate Firefox; web-ext, which starts that, is only in the clone. */
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

/** Home folders that passwd(5) lists, and those that it does not (LDAP, systemd-homed, macOS). */
function homes(): readonly string[] {
  const listed = (plainText('/etc/passwd') ?? '').split('\n').flatMap((line) => line.split(':')[5] ?? []);
  return [...new Set([homedir(), ...listed, ...foldersIn('/home'), ...foldersIn('/Users')])].filter((home) => home.length > 1);
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}
