/** `plumbfox helper`: installs the native messaging host for this user, takes it away, and says how it stands. */

import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import { PLUMBFOX_VERSION } from '../core/version.ts';
import { firefoxFindings, statusLabel } from '../helper/doctor/firefox.ts';
import { type Finding, installationFindings } from '../helper/doctor/installation.ts';
import { install, receiptOf, type UninstalledHelper, uninstall } from '../helper/install/install.ts';
import { type HelperPlaces, helperPlaces } from '../helper/install/places.ts';
import { touchedProfiles } from '../helper/install/touched-profiles.ts';
import type { UserEnvironment } from '../helper/profile/firefox-profiles.ts';
import { projectRoot } from '../lab/own-process.ts';
import { EXIT_CODES } from './errors.ts';
import { HELPER_HELP, type HelperArguments, parseHelperArguments } from './helper-arguments.ts';
import { windowsInstallation } from './helper-windows.ts';
import { runnable } from './output/own-command.ts';

interface Command {
  readonly places: HelperPlaces;
  readonly around: UserEnvironment;
  readonly program: Buffer;
}

/** What is printed: for people, and as JSON. */
interface Outcome {
  readonly text: string;
  readonly json: unknown;
  readonly code?: number;
}

/** Answers the exit code. @throws PlumbfoxError `bad-input` for arguments; what an action throws besides. */
export async function helper(args: readonly string[]): Promise<number> {
  const parsed = parseHelperArguments(args);
  if (parsed === 'help') {
    process.stdout.write(HELPER_HELP);
    return EXIT_CODES.done;
  }
  const { text, json, code = EXIT_CODES.done } = await outcomeOf(parsed);
  process.stdout.write(parsed.json ? `${JSON.stringify(json, null, 2)}\n` : runnable(text));
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
    throw new PlumbfoxError('environment', `The helper is for Linux, macOS and Windows; this is ${platform}`);
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
export function helperProgram(): string {
  const path = join(projectRoot(), 'dist', 'helper', 'plumbfox-helper.mjs');
  if (!existsSync(path)) throw new PlumbfoxError('environment', 'Plumbfox has not been built: run npm run build');
  return path;
}

async function realHome(home: string): Promise<string> {
  try {
    return await realpath(home);
  } catch (error) {
    throw new PlumbfoxError('bad-input', `The home folder ${home} is not there; name another with --home`, { cause: error });
  }
}

async function installed({ places, program }: Command): Promise<Outcome> {
  const written = await install(places, { version: PLUMBFOX_VERSION, program, node: process.execPath });
  const what =
    written.length === 0
      ? `The helper ${PLUMBFOX_VERSION} is installed already, and all is as it should be.\n`
      : `The helper ${PLUMBFOX_VERSION} is installed:\n${written.map((path) => `  ${path}\n`).join('')}`;
  const next = 'Open the popup of the Plumbfox extension in Firefox: it can apply profiles now. plumbfox helper doctor checks the chain.\n';
  return { text: what + next, json: { version: PLUMBFOX_VERSION, written } };
}

function uninstalled({ removed, reverted, leftAlone, kept }: UninstalledHelper): Outcome {
  const lines = [
    ...reverted.map(({ directory, status }) => `Taken back: ${status ? statusLabel(status) : 'what was written'} in ${directory}`),
    ...leftAlone.map(
      ({ directory, preferences }) => `Left alone, as somebody else had changed it: ${preferences.join(', ')} in ${directory}`,
    ),
    ...kept.map(({ directory, status }) => `Still written: ${status ? statusLabel(status) : 'a profile'} in ${directory}`),
    ...(kept.length > 0
      ? [
          'plumbfox revert --firefox-profile DIR takes it back; nothing does so by itself any more, and the extension takes that Firefox for unchanged.',
        ]
      : []),
    ...(removed.length === 0 ? ['The helper was not installed.'] : ['The helper is removed:', ...removed.map((path) => `  ${path}`)]),
  ];
  const folders = (list: UninstalledHelper['kept']) => list.map(({ directory }) => directory);
  return { text: `${lines.join('\n')}\n`, json: { removed, reverted: folders(reverted), leftAlone, kept: folders(kept) } };
}

async function status({ places, around }: Command): Promise<Outcome> {
  const receipt = await receiptOf(places);
  const profiles = await touchedProfiles(around, places.notedProfiles);
  const lines = [
    receipt === undefined
      ? 'The helper is not installed: plumbfox helper install'
      : `The helper ${receipt.version} is installed in ${places.dataFolder}`,
    ...profiles.map(({ directory, status, problem }) => `${directory}: ${status ? statusLabel(status) : problem}`),
    ...(profiles.length === 0 ? ['Nothing is written into a Firefox profile.'] : []),
  ];
  return { text: `${lines.join('\n')}\n`, json: { installed: receipt?.version ?? null, profiles } };
}

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'OK      ', note: 'note    ', problem: 'PROBLEM ' };

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
