/** Finds the Firefox to measure. `PLUMBFOX_FIREFOX` names one; else the usual places. */
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { tryCommand } from '../process/run-command.ts';

export interface FirefoxProgram {
  readonly path: string;
  /** Its own name, such as `Mozilla Firefox 153.7.0esr`. */
  readonly name: string;
}

/** ESR first: release and beta refuse Experiments, so that profiles must be switched from outside there. */
const PROGRAMS =
  process.platform === 'win32' ? ['firefox.exe'] : ['firefox-esr', 'firefox-developer-edition', 'firefox-nightly', 'firefox'];

function usualPlaces(): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
        ['Firefox ESR', 'Firefox Developer Edition', 'Firefox Nightly', 'Firefox'].map((name) =>
          join(folder, `${name}.app`, 'Contents', 'MacOS', 'firefox'),
        ),
      );
    case 'win32':
      return [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA].flatMap((folder) =>
        folder ? ['Firefox ESR', 'Firefox Developer Edition', 'Mozilla Firefox'].map((name) => join(folder, name, 'firefox.exe')) : [],
      );
    default:
      return ['/usr/lib/firefox-esr/firefox-esr', '/opt/firefox/firefox', '/snap/bin/firefox'];
  }
}

/** @returns the first Firefox found, or `undefined`. @throws PlumbfoxError `environment` when the one that was named does not run. */
export async function findFirefox(): Promise<FirefoxProgram | undefined> {
  const named = process.env.PLUMBFOX_FIREFOX;
  if (named) {
    const found = await runs(named);
    if (!found)
      throw new PlumbfoxError('environment', `PLUMBFOX_FIREFOX names ${named}, which does not run as Firefox: correct it or unset it`);
    return found;
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  for (const path of [...onPath, ...usualPlaces()]) {
    const found = await runs(path);
    if (found) return found;
  }
  return undefined;
}

/** A program that has not printed its version by then is no Firefox that could be measured. */
const VERSION_TIMEOUT_MS = 15_000;

async function runs(path: string): Promise<FirefoxProgram | undefined> {
  try {
    await access(path, constants.X_OK);
  } catch {
    return undefined;
  }
  const { code, stdout } = await tryCommand([path, '--version'], { timeoutMs: VERSION_TIMEOUT_MS }).catch(() => ({ code: 1, stdout: '' }));
  return code === 0 && /Firefox/.test(stdout) ? { path, name: stdout.trim().split('\n').at(-1) ?? '' } : undefined;
}
