/** Makes sure that Firefox, the emulator's programs and the servers are there: installs Debian packages where it may, else names them. */
import { PlumbfoxError } from '../core/errors.ts';
import { missingCapturePackages } from './capture/start-capture.ts';
import { type FirefoxProgram, findFirefox } from './firefox/find-firefox.ts';
import { rootPrefix } from './link/namespace-process.ts';
import { missingServerPackages } from './origin/reverse-proxies.ts';
import type { ServedBy } from './pages/served-by.ts';
import { tryCommand } from './process/run-command.ts';

/** Asks the user. `undefined`: they may be installed; else why not. */
export type MayInstall = (packages: readonly string[]) => Promise<string | undefined>;

interface EnsureOptions {
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

/**
 * Checks the programs that emulating links needs, where no page is loaded: no Firefox. @throws PlumbfoxError `environment` naming exactly what to
 * install.
 */
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
  // Old lists are good enough where they name the packages; a failed update shows in the install that follows.
  await tryCommand([...environment, 'apt-get', 'update', '-qq'], { timeoutMs: INSTALL_TIMEOUT_MS });
  const done = await tryCommand([...environment, ...installWithoutServices(packages)], { timeoutMs: INSTALL_TIMEOUT_MS });
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

/** Packages that bring a service of the same name, which Debian starts and enables when they are installed. */
const SERVICES: readonly string[] = ['nginx', 'haproxy', 'caddy'];

/** Asked before any service is started by a package (invoke-rc.d(8), deb-systemd-invoke(1p)): 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * A policy of the machine's own stays as it is. Ours forbids only while this very shell runs, so that it does no harm where the
 * shell is killed before it can remove it. What was started or enabled all the same is stopped and disabled afterwards: these
 * packages were not there before, so no program relies on them. Where another installation is in progress, as often soon after a machine has started,
 * apt waits for its end, two minutes at most (apt.conf(5); apt 1.9.11 and later).
 */
const SCRIPT = `policy=$1 services=$2
shift 2
if [ -n "$services" ] && [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\n# Plumbfox is installing packages: their services shall not start.\\n[ -d /proc/%s ] && exit 101\\nexit 0\\n' "$$" > "$policy"
  chmod 755 "$policy"
fi
apt-get -o DPkg::Lock::Timeout=120 install -y -qq --no-install-recommends "$@"
code=$?
for service in $services; do
  if command -v systemctl; then
    systemctl disable "$service"
    systemctl stop "$service"
  else
    update-rc.d "$service" disable
    service "$service" stop
  fi
done > /dev/null 2>&1
exit $code`;

/**
 * The command that installs Debian packages so that no service of theirs runs, now or at the next start of the machine: only their programs
 * are wanted. @param policy - Only for tests.
 */
export function installWithoutServices(packages: readonly string[], policy: string = POLICY): readonly string[] {
  const services = packages.filter((name) => SERVICES.includes(name));
  return ['sh', '-c', SCRIPT, 'sh', policy, services.join(' '), ...packages];
}

/** @returns the packages whose programs are missing, as Debian names them. */
async function missingEmulatorPackages(): Promise<readonly string[]> {
  const needed = { socat: 'socat', ip: 'iproute2', nsenter: 'util-linux', setpriv: 'util-linux' } as const;
  const missing = new Set<string>();
  for (const [program, debianPackage] of Object.entries(needed)) {
    const found = await tryCommand(['sh', '-c', 'command -v "$1"', 'sh', program]);
    if (found.code !== 0) missing.add(debianPackage);
  }
  return [...missing];
}
