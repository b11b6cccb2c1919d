/** `plumbfox helper`: installs the native messaging host for this user, removes it, and shows its state. */

import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import { PLUMBFOX_VERSION } from '../core/version.ts';
import { firefoxFindings, statusLabel } from '../helper/doctor/firefox.ts';
import { type DoctorFinding, installationFindings } from '../helper/doctor/installation.ts';
import { install, receiptOf, type UninstalledHelper, uninstall } from '../helper/install/install.ts';
import { type HelperPlaces, helperPlaces } from '../helper/install/places.ts';
import { hostManifest, MANIFEST_NAME } from '../helper/install/registration.ts';
import { touchedProfiles } from '../helper/install/touched-profiles.ts';
import type { UserEnvironment } from '../helper/profile/firefox-profiles.ts';
import { projectRoot } from '../lab/process/own-process.ts';
import { HELPER_HOST } from '../protocol/helper-messages.ts';
import { readArguments } from './arguments.ts';
import { EXIT_CODES } from './errors.ts';
import { runnable } from './output/own-command.ts';
import { jsonText, print } from './output/terminal.ts';

const HELPER_ACTIONS = ['install', 'uninstall', 'status', 'doctor'] as const;
type HelperAction = (typeof HELPER_ACTIONS)[number];

export const HELPER_HELP = `plumbfox helper: installs the helper app, which writes profiles into Firefox for the extension

  plumbfox helper install     install it for this user, without administrator rights; run this again after an update
  plumbfox helper uninstall   undo what it wrote into Firefox profiles, and remove it
  plumbfox helper status      show whether it is installed, and which profiles are written
  plumbfox helper doctor      check each link between the extension and Firefox, and say what to do

  --home DIR         use this home folder instead of the user's own, such as one on a mounted disk
  --keep-profile     uninstall: keep what is written into Firefox profiles; plumbfox revert undoes it later
  --json             print one JSON document

doctor exits with 3 when it finds a problem.
`;

interface HelperArguments {
  readonly action: HelperAction;
  /** An absolute path; if absent, the user's own home with the folders that the environment names. */
  readonly home: string | undefined;
  readonly keepProfile: boolean;
  readonly json: boolean;
}

function parseHelperArguments(args: readonly string[]): HelperArguments | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [name, ...others] = positionals;
  const action = HELPER_ACTIONS.find((each) => each === name);
  if (action === undefined || others.length > 0) {
    throw new PlumbfoxError('bad-input', `Name one of ${HELPER_ACTIONS.join(', ')}. See plumbfox helper --help`);
  }
  if (values['keep-profile'] && action !== 'uninstall') throw new PlumbfoxError('bad-input', '--keep-profile is for uninstall');
  if (values.home === '') throw new PlumbfoxError('bad-input', '--home: name a folder');
  const home = values.home === undefined || isAbsolute(values.home) ? values.home : resolve(values.home);
  return { action, home, keepProfile: values['keep-profile'] ?? false, json: values.json ?? false };
}

function parse(args: readonly string[]) {
  const options = {
    home: { type: 'string' },
    'keep-profile': { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  return readArguments('helper', args, options);
}

interface Command {
  readonly places: HelperPlaces;
  readonly around: UserEnvironment;
  readonly program: Buffer;
}

interface Outcome {
  readonly text: string;
  readonly json: unknown;
  readonly code?: number;
}

/** @returns the exit code. @throws PlumbfoxError `bad-input` for arguments, and what an action throws. */
export async function helper(args: readonly string[]): Promise<number> {
  const parsed = parseHelperArguments(args);
  if (parsed === 'help') return print(HELPER_HELP);
  const { text, json, code = EXIT_CODES.done } = await outcomeOf(parsed);
  print(parsed.json ? jsonText(json) : runnable(text));
  return code;
}

async function outcomeOf(parsed: HelperArguments): Promise<Outcome> {
  const programPath = helperProgram();
  const { platform } = process;
  if (platform === 'win32') {
    const text = windowsInstallation({ node: process.execPath, program: programPath });
    return { text, json: { steps: text } };
  }
  if (platform !== 'linux' && platform !== 'darwin') {
    throw new PlumbfoxError('environment', `The helper app runs on Linux, macOS and Windows, not on ${platform}`);
  }
  const home = await realHome(parsed.home ?? homedir());
  const env = parsed.home === undefined ? process.env : { PATH: process.env.PATH };
  const command: Command = {
    places: helperPlaces(platform, { home, env }),
    around: { home, env, platform },
    program: await readFile(programPath),
  };
  switch (parsed.action) {
    case 'install':
      return installed(command);
    case 'uninstall':
      return uninstalled(await uninstall(command.places, { around: command.around, keepProfile: parsed.keepProfile }));
    case 'status':
      return status(command);
    case 'doctor':
      return doctor(command);
    default:
      return assertNever(parsed.action);
  }
}

/** @throws PlumbfoxError `environment` when the project has not been built. */
function helperProgram(): string {
  const path = join(projectRoot(), 'dist', 'helper', 'plumbfox-helper.mjs');
  if (!existsSync(path)) throw new PlumbfoxError('environment', 'Plumbfox has not been built: run npm run build');
  return path;
}

async function realHome(home: string): Promise<string> {
  try {
    return await realpath(home);
  } catch (error) {
    throw new PlumbfoxError('bad-input', `The home folder ${home} does not exist; name another with --home`, { cause: error });
  }
}

async function installed({ places, program }: Command): Promise<Outcome> {
  const written = await install(places, { version: PLUMBFOX_VERSION, program, node: process.execPath });
  const what =
    written.length === 0
      ? `The helper app ${PLUMBFOX_VERSION} is installed already, and nothing had to be changed.\n`
      : `The helper app ${PLUMBFOX_VERSION} is installed:\n${written.map((path) => `  ${path}\n`).join('')}`;
  const next =
    'Open the popup of the Plumbfox extension in Firefox: it can apply profiles now. plumbfox helper doctor checks the connection.\n';
  return { text: what + next, json: { version: PLUMBFOX_VERSION, written } };
}

function uninstalled({ removed, reverted, leftAlone, kept }: UninstalledHelper): Outcome {
  const lines = [
    ...reverted.map(({ directory, status }) => `Undone: ${status ? statusLabel(status) : 'what was written'} in ${directory}`),
    ...leftAlone.map(
      ({ directory, preferences }) => `Left unchanged, because it was changed outside Plumbfox: ${preferences.join(', ')} in ${directory}`,
    ),
    ...kept.map(({ directory, status }) => `Still written: ${status ? statusLabel(status) : 'a profile'} in ${directory}`),
    ...(kept.length > 0
      ? ['plumbfox revert --firefox-profile DIR undoes it; nothing else will, and the extension regards that Firefox as unchanged.']
      : []),
    ...(removed.length === 0
      ? ['The helper app was not installed.']
      : ['The helper app is removed:', ...removed.map((path) => `  ${path}`)]),
  ];
  const folders = (list: UninstalledHelper['kept']) => list.map(({ directory }) => directory);
  return { text: `${lines.join('\n')}\n`, json: { removed, reverted: folders(reverted), leftAlone, kept: folders(kept) } };
}

async function status({ places, around }: Command): Promise<Outcome> {
  const receipt = await receiptOf(places);
  const profiles = await touchedProfiles(around, places.notedProfiles);
  const lines = [
    receipt === undefined
      ? 'The helper app is not installed; to install it: plumbfox helper install'
      : `The helper app ${receipt.version} is installed in ${places.dataFolder}`,
    ...profiles.map(({ directory, status, problem }) => `${directory}: ${status ? statusLabel(status) : problem}`),
    ...(profiles.length === 0 ? ['Nothing is written into any Firefox profile.'] : []),
  ];
  return { text: `${lines.join('\n')}\n`, json: { installed: receipt?.version ?? null, profiles } };
}

const MARKS: Readonly<Record<DoctorFinding['state'], string>> = { ok: 'OK      ', note: 'note    ', problem: 'PROBLEM ' };

async function doctor({ places, around, program }: Command): Promise<Outcome> {
  const findings = [
    ...(await installationFindings(places, { version: PLUMBFOX_VERSION, program })),
    ...(await firefoxFindings(around, places.notedProfiles)),
  ];
  const text = findings.map(({ check, state, found, todo }) => {
    const line = `${MARKS[state]} ${check}: ${found}\n`;
    return todo === undefined ? line : `${line}         -> ${todo}\n`;
  });
  const inTheWay = findings.some(({ state }) => state === 'problem');
  return { text: text.join(''), json: { findings }, code: inTheWay ? EXIT_CODES.environment : EXIT_CODES.done };
}

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Native_manifests#manifest_location */
const KEY = `HKCU:\\Software\\Mozilla\\NativeMessagingHosts\\${HELPER_HOST}`;

/** PowerShell, to be pasted as a whole. */
export function windowsInstallation({ node, program }: { readonly node: string; readonly program: string }): string {
  // The launcher lies beside its manifest, where Windows looks for a path without a folder.
  const manifest = JSON.stringify({ ...hostManifest('plumbfox-helper.bat') }, null, 2);
  return `Paste this into PowerShell; it needs no administrator:

$folder = "$env:LOCALAPPDATA\\Plumbfox"
New-Item -ItemType Directory -Force $folder | Out-Null
Copy-Item ${quoted(program)} "$folder\\plumbfox-helper.mjs"
Set-Content -Encoding ascii "$folder\\plumbfox-helper.bat" ${quoted(`@"${node}" "%~dp0plumbfox-helper.mjs" %*`)}
Set-Content -Encoding ascii "$folder\\${MANIFEST_NAME}" @'
${manifest}
'@
New-Item -Force '${KEY}' -Value "$folder\\${MANIFEST_NAME}" | Out-Null

To remove it again:

Remove-Item '${KEY}'
Remove-Item -Recurse "$env:LOCALAPPDATA\\Plumbfox"

On Windows the helper app provides the probe and the gateway, but cannot see which profile asks. To apply one, close Firefox and use
plumbfox apply --firefox-profile DIR.
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
