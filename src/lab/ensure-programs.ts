/** Makes sure that Firefox, the emulator's programs and the servers are there: installs Debian packages where it may, else names them. */
import { PlumbfoxError } from '../core/errors.ts';
import { missingCapturePackages } from './capture/start-capture.ts';
import { type FirefoxProgram, findFirefox } from './firefox/find-firefox.ts';
import { quietInstall } from './install-packages.ts';
import { missingEmulatorPackages } from './link/emulated-link.ts';
import { rootPrefix } from './link/privilege.ts';
import { missingServerPackages } from './origin/reverse-proxy-programs.ts';
import type { ServedBy } from './pages/served-by.ts';
import { tryCommand } from './run-command.ts';

/** Asks somebody. `undefined`: they may be installed; else why not. */
export type MayInstall = (packages: readonly string[]) => Promise<string | undefined>;

export interface EnsureOptions {
  /** Whether the emulator's programs are wanted too. */
  readonly emulator: boolean;
  /** What serves the pages besides the embedded server, in a lane over an emulated link; absent: nothing does. */
  readonly servers?: readonly ServedBy[];
  /** Whether packets are to be recorded; absent: they are not. */
  readonly capture?: boolean;
  /** Whether anything may be installed; or how that is found out, once it is known that something is missing. */
  readonly install: boolean | MayInstall;
  readonly onInstall: (packages: readonly string[]) => void;
}

export interface Programs {
  readonly firefox: FirefoxProgram;
  /** Rights to make namespaces with, where there are any. */
  readonly prefix: readonly string[] | undefined;
}

const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** @throws PlumbfoxError `environment` naming exactly what to install. */
export async function ensurePrograms(options: EnsureOptions): Promise<Programs> {
  const prefix = await rootPrefix();
  const missing = [...((await findFirefox()) ? [] : ['firefox-esr']), ...(await missingInLanes(prefix, options))];
  if (missing.length > 0) await install(missing, { prefix, allowed: options.install, onInstall: options.onInstall });
  const firefox = await findFirefox();
  if (!firefox) throw new PlumbfoxError('environment', howToInstall(['firefox-esr'], 'Firefox was not found'));
  return { firefox, prefix };
}

/** What emulating links needs, where no page is loaded: no Firefox. @throws PlumbfoxError `environment` naming exactly what to install. */
export async function ensureEmulator({ install: allowed, onInstall }: Pick<EnsureOptions, 'install' | 'onInstall'>): Promise<void> {
  const prefix = await rootPrefix();
  const missing = await missingInLanes(prefix, { emulator: true });
  if (missing.length > 0) await install(missing, { prefix, allowed, onInstall });
}

/** Without the right to make namespaces there will be no packet emulation, so its programs are not missed. */
async function missingInLanes(
  prefix: readonly string[] | undefined,
  { emulator, servers = [], capture = false }: Pick<EnsureOptions, 'emulator' | 'servers' | 'capture'>,
): Promise<readonly string[]> {
  if (!emulator || process.platform !== 'linux' || prefix === undefined) return [];
  return [
    ...(await missingEmulatorPackages()),
    ...(await missingServerPackages(servers)),
    ...(capture ? await missingCapturePackages() : []),
  ];
}

async function install(
  packages: readonly string[],
  {
    prefix,
    allowed,
    onInstall,
  }: { prefix: readonly string[] | undefined; allowed: EnsureOptions['install']; onInstall: EnsureOptions['onInstall'] },
): Promise<void> {
  if (allowed === false)
    throw new PlumbfoxError('environment', howToInstall(packages, 'Missing, and installing was not allowed (--no-install)'));
  const apt = await tryCommand(['sh', '-c', 'command -v apt-get']).catch(() => undefined);
  if (apt?.code !== 0) throw new PlumbfoxError('environment', howToInstall(packages, 'Missing, and there is no apt-get here'));
  if (!prefix)
    throw new PlumbfoxError('environment', howToInstall(packages, 'Missing, and neither root nor password-less sudo may install it'));
  const refusal = allowed === true ? undefined : await allowed(packages);
  if (refusal !== undefined) throw new PlumbfoxError('environment', howToInstall(packages, refusal));
  onInstall(packages);
  const environment = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  // Old lists are good enough where they name the packages; a failed update is told by the install that follows.
  await tryCommand([...environment, 'apt-get', 'update', '-qq'], { timeoutMs: INSTALL_TIMEOUT_MS });
  const done = await tryCommand([...environment, ...quietInstall(packages)], { timeoutMs: INSTALL_TIMEOUT_MS });
  if (done.code !== 0) {
    const why = done.stderr.trim().split('\n').at(-1) ?? '';
    throw new PlumbfoxError('environment', howToInstall(packages, `apt-get could not install them (${why})`));
  }
}

function howToInstall(packages: readonly string[], why: string): string {
  if (process.platform !== 'linux')
    return `${why}: install Firefox ESR from https://www.mozilla.org/firefox/enterprise/ or name one with PLUMBFOX_FIREFOX`;
  return `${why}: ${packages.join(', ')}. Install with: sudo apt-get install ${packages.join(' ')}`;
}
