/** Checks the Firefox side of the installation: which Firefoxes there are, their profiles, what is written into them, and policies in the way. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { assertNever } from '../../core/errors.ts';
import { CATALOGUE } from '../../core/profiles/catalogue.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { plainText } from '../files/plain-text.ts';
import { type TouchedProfile, touchedProfiles } from '../install/touched-profiles.ts';
import { policyPreferences } from '../policy/preferences.ts';
import { firefoxProfiles, type UserEnvironment } from '../profile/firefox-profiles.ts';
import type { DoctorFinding } from './installation.ts';

const NAMES = ['firefox', 'firefox-esr', 'firefox-developer-edition', 'firefox-nightly', 'firefox-beta', 'librewolf'];
const ON_MAC = ['/Applications/Firefox.app', '/Applications/Firefox Developer Edition.app', '/Applications/Firefox Nightly.app'];

type Packaging = 'plain' | 'snap' | 'flatpak';

/** The findings about Firefox, in the order of the chain. @param notedPath - Path of the list of profiles that Plumbfox has written. */
export async function firefoxFindings(around: UserEnvironment, notedPath: string): Promise<readonly DoctorFinding[]> {
  return [
    ...programFindings(around),
    await profilesFinding(around),
    ...(await touchedProfiles(around, notedPath)).map(writtenFinding),
    ...(await policyFindings(around)),
  ];
}

function programFindings(around: UserEnvironment): readonly DoctorFinding[] {
  const found = firefoxPrograms(around);
  const check = 'Firefox';
  if (found.length === 0) {
    return [
      {
        check,
        state: 'problem',
        found: 'none was found',
        todo: 'install Firefox; one installed elsewhere works too, if it runs as your user',
      },
    ];
  }
  return found.map(({ path, packaging }): DoctorFinding => {
    switch (packaging) {
      case 'plain':
        return { check, state: 'ok', found: path };
      case 'snap':
      case 'flatpak':
        return {
          check,
          state: 'note',
          found: `${path} is a ${packaging}: it asks for permission before it starts the helper app, which then cannot tell which profile is asking`,
          todo: `close Firefox and use plumbfox apply --firefox-profile DIR, or install Firefox as a package or from mozilla.org`,
        };
      default:
        return assertNever(packaging);
    }
  });
}

function firefoxPrograms({ home, env, platform }: UserEnvironment): readonly { path: string; packaging: Packaging }[] {
  if (platform === 'darwin') {
    return [...ON_MAC, join(home, 'Applications/Firefox.app')]
      .filter((path) => existsSync(path))
      .map((path) => ({ path, packaging: 'plain' }));
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const inPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).filter((path) => existsSync(path));
  // Two names of one program are one Firefox.
  const programs = new Map(inPath.toReversed().map((path) => [realpathSync(path), path]));
  const flatpaks = [join(home, '.local/share/flatpak'), '/var/lib/flatpak'].map((folder) => join(folder, 'app/org.mozilla.firefox'));
  return [
    ...[...programs].map(([real, path]) => ({ path, packaging: packagingOf(real) })),
    ...flatpaks.filter((path) => existsSync(path)).map((path) => ({ path, packaging: 'flatpak' as const })),
  ];
}

/** Longest script that is searched for the program it starts. */
const MAX_SCRIPT_BYTES = 4096;

/** Ubuntu's /usr/bin/firefox is a script that starts the snap. */
function packagingOf(path: string): Packaging {
  if (/\/snap(\/|$)/.test(path)) return 'snap';
  const text = plainText(path, 'latin1')?.slice(0, MAX_SCRIPT_BYTES) ?? '';
  if (!text.startsWith('#!')) return 'plain';
  return text.includes('/snap/') ? 'snap' : text.includes('flatpak run') ? 'flatpak' : 'plain';
}

async function profilesFinding(around: UserEnvironment): Promise<DoctorFinding> {
  const profiles = await firefoxProfiles(around);
  const check = 'profiles';
  if (profiles.length > 0) return { check, state: 'ok', found: profiles.map(({ directory }) => directory).join(', ') };
  return { check, state: 'note', found: 'Firefox lists none yet', todo: 'start Firefox once to create one' };
}

function writtenFinding({ directory, status, problem }: TouchedProfile): DoctorFinding {
  const check = 'applied profile';
  if (status === undefined) return { check, state: 'problem', found: problem ?? directory, todo: 'fix that, and run this again' };
  const others = status.changedByOthers;
  if (others.length > 0) {
    return { check, state: 'note', found: `${statusLabel(status)} in ${directory}; changed outside Plumbfox since: ${others.join(', ')}` };
  }
  return { check, state: 'ok', found: `${statusLabel(status)} in ${directory}` };
}

/** A state in a few words. */
export function statusLabel(status: HelperStatus): string {
  const { phase, profileId = 'a profile', starts, restoredBecause } = status;
  switch (phase) {
    case 'none':
      return restoredBecause === undefined ? 'nothing' : `nothing now: ${restoredBecause}`;
    case 'pending':
      return status.restartNeeded
        ? `${profileId}, from the next start of Firefox`
        : `${profileId}, not confirmed yet after ${starts === 1 ? '1 start' : `${starts} starts`}`;
    case 'confirmed':
      return `${profileId}, confirmed`;
    case 'restoring':
      return 'the previous settings, complete when Firefox exits';
    default:
      return assertNever(phase);
  }
}

async function policyFindings(around: UserEnvironment): Promise<readonly DoctorFinding[]> {
  const check = 'policies';
  const ours = new Set(CATALOGUE.map(({ preference }) => preference));
  const found = new Map<string, readonly string[]>();
  for (const { directory } of await firefoxProfiles(around)) {
    const { path, preferences } = await policyPreferences(directory);
    if (path === undefined) continue;
    found.set(
      path,
      [...preferences].filter(([name, { status }]) => ours.has(name) && status !== 'default').map(([name]) => name),
    );
  }
  if (found.size === 0) return [{ check, state: 'ok', found: 'none' }];
  return [...found].map(
    ([path, names]): DoctorFinding =>
      names.length === 0
        ? { check, state: 'ok', found: `${path} leaves our preferences alone` }
        : {
            check,
            state: 'note',
            found: `${path} sets ${names.join(', ')}, which then cannot be set here`,
            todo: 'ask whoever manages this Firefox',
          },
  );
}
