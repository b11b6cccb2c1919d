/** `plumbfox policy`: a profile as an enterprise policy: printed, merged, installed into Firefox's own file and removed. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import { mergePolicies } from '../../core/profiles/merge-policies.ts';
import { priceLine, pricesOf } from '../../core/profiles/profile-price.ts';
import { printable } from '../../core/text/text-table.ts';
import {
  backupOf,
  inFile,
  installPolicy,
  type PolicyTarget,
  packageOf,
  type UninstalledPolicy,
  uninstallPolicy,
} from '../../helper/policy/policies-json.ts';
import { SYSTEM_POLICIES } from '../../helper/policy/preferences.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import { acceptPrice } from '../accept-price.ts';
import { EXIT_CODES } from '../errors.ts';
import { rootCommand, rootlessCommand } from '../output/own-command.ts';
import { jsonText, printNotices } from '../output/terminal.ts';
import { POLICY_HELP, type PolicyArguments, policyArguments } from './arguments.ts';
import { checkGuardedPlace, checkNotInUse, givenFile, guardedPackage, packagePath, policyContent, switchedOffLines } from './content.ts';

export async function policy(args: readonly string[]): Promise<number> {
  const asked = policyArguments(args);
  switch (asked.action) {
    case 'help':
      process.stdout.write(POLICY_HELP);
      break;
    case 'print':
      printNotices(asked.content.notices);
      await printPolicy(asked, args);
      break;
    case 'install':
      printNotices(asked.content.notices);
      await install(asked, args);
      break;
    case 'uninstall':
      await uninstall(asked, args);
      break;
    default:
      assertNever(asked);
  }
  return EXIT_CODES.done;
}

async function printPolicy({ content, merge }: Extract<PolicyArguments, { action: 'print' }>, args: readonly string[]): Promise<void> {
  const ours = await policyContent(content);
  const foreign = merge === undefined ? undefined : await givenFile('--merge', merge);
  printNotices(pricesOf(content.profile.preferences).map(priceLine));
  process.stdout.write(inFile(merge === undefined ? 'policy' : `--merge: ${merge}`, () => mergePolicies(foreign, ours, EXTENSION_ID)));
  const others =
    merge === undefined ? 'It replaces an existing file; --merge FILE keeps the content of one.' : `It includes the content of ${merge}.`;
  const lines = [
    'Where it goes:',
    ...POLICY_PLACES.map((line) => `  ${line}`),
    `${others} Firefox reads it when it starts.`,
    ...(content.extension === undefined
      ? []
      : [`Firefox then installs the package ${packagePath(content.extension)}: keep it where only root can write.`]),
    'To install it on this machine and keep everything else:',
    `  ${commandLine([...withoutOption(args, '--merge'), '--install'], ownTarget())}`,
  ];
  process.stderr.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

async function install(asked: Extract<PolicyArguments, { action: 'install' }>, args: readonly string[]): Promise<void> {
  const target = targetOf(asked.file, args);
  const { profile, extension } = asked.content;
  await acceptPrice(profile, asked.acceptPrice);
  const undo = commandLine(['--uninstall', ...fileOption(asked.file)], target.path);
  const found = extension && guardedPackage(extension);
  const ours = await policyContent(asked.content, found && packageOf(target.path));
  if (found !== undefined) {
    checkGuardedPlace(dirname(target.path), target.uid);
    if (!asked.yesUnsigned) checkNotInUse();
    process.stderr.write(
      switchedOffLines(target.path, undo)
        .map((line) => `${printable(line)}\n`)
        .join(''),
    );
  }
  const { hash, backup } = await installPolicy({ ...target, extension: found?.content }, (before) =>
    mergePolicies(before, ours, EXTENSION_ID),
  );
  const copy = found && { path: packageOf(target.path), sha256: found.hash };
  const words = [
    `${target.path} contains ${profile.id}; Firefox reads it when it starts.`,
    ...(copy === undefined ? [] : [`The extension is installed from ${copy.path} (SHA-256 ${copy.sha256}).`]),
    backup === undefined ? 'There was no such file before.' : `The former file is kept in ${backup}.`,
    `To undo this: ${undo}`,
  ];
  print(asked.json, { path: target.path, profile: profile.id, hash, backup: backup ?? null, package: copy ?? null }, words);
}

async function uninstall(asked: Extract<PolicyArguments, { action: 'uninstall' }>, args: readonly string[]): Promise<void> {
  const target = targetOf(asked.file, args);
  const done = await uninstallPolicy(target);
  print(asked.json, { path: target.path, ...done }, [outcomeLine(target.path, done), ...remainingLines(done)]);
}

function outcomeLine(path: string, { outcome }: UninstalledPolicy): string {
  switch (outcome) {
    case 'restored':
      return `${path} is restored, to the byte.`;
    case 'removed':
      return `${path} is removed: there was no such file before.`;
    case 'taken-out':
      return `${path} has been changed since, so only what Plumbfox had added was removed.`;
    case 'gone':
      return `${path} no longer exists. Its content before Plumbfox is kept in ${backupOf(path)}`;
    case 'nothing':
      return `Plumbfox had written nothing into ${path}.`;
    default:
      return assertNever(outcome);
  }
}

const remainingLines = ({ leftAlone, extensionStays }: UninstalledPolicy): readonly string[] => [
  ...(leftAlone.length === 0 ? [] : [`Changed outside Plumbfox since, and left unchanged: ${leftAlone.join(', ')}`]),
  ...(extensionStays
    ? [
        'Firefox keeps the extension that the policy had installed, and disables it at its next daily check of signatures; users can remove it in about:addons now.',
      ]
    : []),
];

const print = (json: boolean, result: object, lines: readonly string[]): void => {
  process.stdout.write(json ? jsonText(result) : lines.map((line) => `${printable(line)}\n`).join(''));
};

/** @throws PlumbfoxError `environment`, with the exact command, where only root may write there, or only another person. */
function targetOf(file: string | undefined, args: readonly string[]): PolicyTarget {
  const path = policyTarget(file);
  const uid = process.getuid?.() ?? 0;
  const owner = process.platform === 'win32' ? uid : ownerOf(path);
  if (uid !== 0 && owner === 0) throw new PlumbfoxError('environment', `Only root may change ${path}: ${commandLine(args, path)}`);
  // A Firefox.app that a person has dragged to its place: root would write where that person can exchange what it writes.
  if (uid === 0 && owner !== 0 && ownerOf(dirname(path)) === owner) {
    const message = `Only user ${owner} may change ${path}; as that user, without sudo: ${commandLine(args, path)}`;
    throw new PlumbfoxError('environment', message);
  }
  return { path, uid, extensionId: EXTENSION_ID };
}

/** The owner of the file, or of the nearest folder above it that exists. */
function ownerOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.uid ?? ownerOf(dirname(path));
}

/** The command as whoever may change the file has to type it. */
function commandLine(args: readonly string[], path: string | undefined): string {
  const isRoots = path === undefined || process.platform === 'win32' || ownerOf(path) === 0;
  return (isRoots ? rootCommand : rootlessCommand)(['policy', ...args]);
}

/** `undefined`: which one is meant is not clear here. */
function ownTarget(): string | undefined {
  try {
    return policyTarget(undefined);
  } catch {
    return undefined;
  }
}

const fileOption = (file: string | undefined): readonly string[] =>
  file === undefined || file === SYSTEM_POLICIES ? [] : ['--file', file];

function withoutOption(args: readonly string[], option: string): readonly string[] {
  const at = args.indexOf(option);
  return at < 0 ? args.filter((arg) => !arg.startsWith(`${option}=`)) : args.toSpliced(at, 2);
}

/** Which policies.json the Firefox of this machine reads, and where it belongs elsewhere. */
const DARWIN_POLICIES = '/Applications/Firefox.app/Contents/Resources/distribution/policies.json';

/** Places where Linux distributions and Mozilla's own archive put the program. */
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
function policyTarget(file: string | undefined): string {
  if (file !== undefined) return resolve(file);
  switch (process.platform) {
    case 'linux':
      return linuxTarget();
    case 'darwin':
      return DARWIN_POLICIES;
    default:
      throw new PlumbfoxError('bad-input', 'Name the policies.json with --file: this system has no single place for it');
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

/** Where the printed file goes, a line for each system and package. */
const POLICY_PLACES: readonly string[] = [
  `Linux, .deb, .rpm, Mozilla's archive, Snap   ${SYSTEM_POLICIES}`,
  'Linux, Flatpak       /var/lib/flatpak/extension/org.mozilla.firefox.systemconfig/x86_64/stable/policies/policies.json',
  'Windows, MSI or EXE  distribution\\policies.json beside firefox.exe',
  'Windows, GPO         the same under Software\\Policies\\Mozilla\\Firefox; Preferences and 3rdparty are values with JSON text',
  'macOS                /Applications/Firefox.app/Contents/Resources/distribution/policies.json',
  'macOS, MDM           the same as a plist of org.mozilla.firefox, with EnterprisePoliciesEnabled true',
];
