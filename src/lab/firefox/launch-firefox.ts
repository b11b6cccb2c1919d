/** Starts a real Firefox with its own profile and HOME and talks to it over WebDriver BiDi. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, connect } from 'puppeteer-core';
import { PlumbfoxError } from '../../core/errors.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { labPreferences } from './lab-preferences.ts';
import { carryOut, type OwnNetwork } from './own-network.ts';

interface LaunchOptions {
  readonly program: string;
  readonly preferences?: Readonly<Record<string, PreferenceValue>>;
  readonly headless?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Longest that it may take until it can be talked to; 60 s unless said otherwise. */
  readonly startTimeoutMs?: number;
  /** Where it runs alone. Absent: in the network of this process, which is a lane's own, or where any user of the machine may reach it. */
  readonly network?: OwnNetwork | undefined;
}

export interface RunningFirefox {
  readonly browser: Browser;
  readonly process: ChildProcess;
  /** Its HOME; the profile is `profile` in it. */
  readonly home: string;
  /** Settles when it has gone, with what ended it. */
  readonly ended: Promise<string>;
  /** Quits it and removes every file it wrote. */
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const QUIT_GRACE_MS = 5000;
const BIDI_LINE = /^WebDriver BiDi listening on (ws:\/\/\S+)$/;

/** @throws PlumbfoxError `environment` when Firefox does not start, with the last line that it printed. */
export async function launchFirefox(options: LaunchOptions): Promise<RunningFirefox> {
  const { home, profile } = await temporaryHome(userPreferences({ ...labPreferences(), ...options.preferences }));
  const [program = '', ...before] = [...(options.network?.prefix ?? []), options.program];
  const child = spawn(
    program,
    [
      ...before,
      ...(options.headless === false ? [] : ['--headless']),
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      '--remote-allow-system-access',
      'about:blank',
    ],
    // Its own process group, so that its content processes can be ended with it.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: {
        ...(options.env ?? process.env),
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_CACHE_HOME: join(home, '.cache'),
        XDG_RUNTIME_DIR: home,
        MOZ_CRASHREPORTER_DISABLE: '1',
      },
    },
  );
  const kill = () => killGroup(child);
  process.once('exit', kill);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const guard = child.pid === undefined ? undefined : guardBrowser({ group: child.pid, home });
  let carried: Awaited<ReturnType<typeof carryOut>> | undefined;
  const close = async (browser?: Browser) => {
    await browser?.close().catch(() => {});
    carried?.close();
    await quit(child);
    process.removeListener('exit', kill);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await guard?.dismiss();
  };
  try {
    const endpoint = await bidiEndpoint(child, { program: options.program, timeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS });
    if (options.network && child.pid !== undefined)
      carried = await carryOut(endpoint, { join: options.network.join(child.pid), path: join(home, 'driver') });
    const browser = await sessionAt(carried ?? { endpoint, headers: {} });
    return { browser, process: child, home, ended, close: () => close(browser) };
  } catch (error) {
    // Nothing was done in it that it would have to put in order.
    kill();
    await close();
    throw error;
  }
}

/** @throws PlumbfoxError `environment` where somebody else drives it already, who came first. */
async function sessionAt({ endpoint, headers }: { endpoint: string; headers: Readonly<Record<string, string>> }): Promise<Browser> {
  try {
    return await connect({
      browserWSEndpoint: `${endpoint}/session`,
      headers,
      protocol: 'webDriverBiDi',
      networkEnabled: false,
    });
  } catch (error) {
    if (!String(error).includes('session not created')) throw error;
    const why = 'Another program on this machine has taken over the Firefox that was just started: it was ended. See docs/security.md';
    throw new PlumbfoxError('environment', why, { cause: error });
  }
}

interface TemporaryHome {
  readonly home: string;
  readonly profile: string;
}

/** @throws PlumbfoxError `environment` when it cannot be written, as on a full disk; nothing is left of it then. */
async function temporaryHome(userJs: string): Promise<TemporaryHome> {
  let home: string | undefined;
  try {
    home = await mkdtemp(join(tmpdir(), 'plumbfox-firefox-'));
    const profile = join(home, 'profile');
    await mkdir(profile);
    await writeFile(join(profile, 'user.js'), userJs);
    return { home, profile };
  } catch (error) {
    if (home !== undefined) await rm(home, { recursive: true, force: true }).catch(() => {});
    const why = (error as NodeJS.ErrnoException).code ?? error;
    throw new PlumbfoxError('environment', `Firefox needs a temporary folder, and ${tmpdir()} cannot be written (${why})`, {
      cause: error,
    });
  }
}

function userPreferences(preferences: Readonly<Record<string, PreferenceValue>>): string {
  return Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

function bidiEndpoint(child: ChildProcess, { program, timeoutMs }: { program: string; timeoutMs: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    let lastLine = '';
    const fail = (why: string) =>
      reject(new PlumbfoxError('environment', `Firefox (${program}) did not start: ${why}${lastLine ? ` (${lastLine})` : ''}`));
    const timer = setTimeout(() => fail(`no answer in ${timeoutMs / 1000} s`), timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(error.message);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`it ended with ${signal ?? `exit code ${code}`}`);
    });
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = BIDI_LINE.exec(line.trim());
      if (line.trim() !== '') lastLine = line.trim().slice(0, 200);
      if (!found?.[1]) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
  });
}

async function quit(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const timer = setTimeout(() => killGroup(child), QUIT_GRACE_MS);
    await once(child, 'exit');
    clearTimeout(timer);
  }
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups; Firefox's own processes end with their parent there.
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has gone already.
  }
}

/**
 * A line on stdin dismisses it; the end of stdin, which the kernel brings about however its writer ended, calls it to work.
 * Processes that are being killed may still write for a moment, so removing is tried again.
 */
const SCRIPT = `read -r dismissed && exit 0
kill -KILL -"$1" 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$2" 2>/dev/null
  [ -e "$2" ] || exit 0
  sleep 0.2
done`;

/**
 * Outlives the process that started Firefox by a moment: when that one ends without having quit Firefox (SIGKILL, a crash), it ends Firefox
 * and removes its files. Firefox is in its own process group and would run on.
 */
interface BrowserGuard {
  /** Firefox has quit and its files are removed. */
  dismiss(): Promise<void>;
}

/** @param options.group - Process group of Firefox. @param options.home - Folder to remove. */
function guardBrowser({ group, home }: { group: number; home: string }): BrowserGuard {
  if (process.platform === 'win32') return { dismiss: async () => {} };
  // Its own group: Ctrl-C and hang-up are for the command.
  const guard = spawn('sh', ['-c', SCRIPT, 'sh', String(group), home], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const gone = once(guard, 'exit').catch(() => {});
  guard.stdin.on('error', () => {});
  return {
    dismiss: async () => {
      guard.stdin.end('dismissed\n');
      await gone;
    },
  };
}
