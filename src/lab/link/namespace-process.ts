/**
 * A process of ours in a separate network and mount namespace. The namespaces have no name: they vanish with the last
 * process in them, so that even a command killed with SIGKILL leaves none behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import * as v from 'valibot';
import { ownProcess } from '../process/own-process.ts';
import { type RpcClient, rpcClient } from '../process/rpc.ts';
import { runCommand, tryCommand } from '../process/run-command.ts';

export interface NamespaceProcess extends RpcClient {
  readonly child: ChildProcess;
  /** The process inside, as the root namespace numbers it. */
  readonly pid: number;
  /** Runs a program inside its network namespace. */
  run(command: readonly string[]): Promise<string>;
}

const pidAnswer = v.pipe(v.number(), v.integer(), v.minValue(1));

/**
 * Hides system policies: `/etc/firefox` overrides every other location; a leftover policy would make all profiles behave alike. The folder is
 * covered inside the mount namespace only; the install folder's `distribution` likewise.
 */
const HIDE_POLICIES = `for d in /etc/firefox /usr/lib/firefox-esr/distribution /usr/lib/firefox/distribution; do
  if [ -d "$d" ]; then mount -t tmpfs -o size=1m tmpfs "$d" || exit 1; fi
done
ip link set lo up || exit 1
exec "$@"`;

export async function namespaceProcess(
  name: 'origin-process' | 'lane-worker',
  options: { prefix: readonly string[]; env?: NodeJS.ProcessEnv },
): Promise<NamespaceProcess> {
  const user =
    options.prefix.length > 0 ? ['setpriv', `--reuid=${process.getuid?.()}`, `--regid=${process.getgid?.()}`, '--init-groups'] : [];
  // Only the origin needs port 80. It starts no browser, so it keeps its privileges.
  const dropRights = name === 'lane-worker' ? user : [];
  const environment = Object.entries(options.env ?? {}).map(([key, value]) => `${key}=${value}`);
  const [program, ...rest] = [
    ...options.prefix,
    'unshare',
    '--net',
    '--mount',
    'sh',
    '-c',
    HIDE_POLICIES,
    'sh',
    ...dropRights,
    'env',
    ...environment,
    ...ownProcess(name),
  ];
  const child = spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  const client = rpcClient(child, name);
  let pid: number;
  try {
    pid = await client.ask('pid', {}, { answer: pidAnswer });
  } catch (error) {
    await client.stop();
    throw error;
  }
  return {
    ...client,
    child,
    pid,
    run: (command) => runCommand([...options.prefix, 'nsenter', '--target', String(pid), '--net', ...command]),
  };
}

/** How this process may make network namespaces: as root, through password-less sudo, or not at all. */
type Privilege =
  | { readonly kind: 'root'; readonly prefix: readonly string[] }
  | { readonly kind: 'sudo'; readonly prefix: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string /** A sentence without its full stop. */; readonly whatToDo: string };

const SUDO = ['sudo', '-n'];

/** The command prefix for root without a prompt; `undefined`: none. */
export async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = await tryCommand([...SUDO, 'true']).catch(() => undefined);
  return sudo?.code === 0 ? SUDO : undefined;
}

/** Tries it for real, because containers often have root without the right to make namespaces or TUN devices. */
export async function findPrivilege(): Promise<Privilege> {
  if (process.platform !== 'linux')
    return { kind: 'none', reason: `${process.platform} has no network namespaces`, whatToDo: 'Run it on Linux' };
  const prefix = await rootPrefix();
  if (!prefix)
    return { kind: 'none', reason: 'neither root nor password-less sudo', whatToDo: 'Run it as root, or with sudo that asks nothing' };
  const preflight = await tryCommand([...prefix, 'unshare', '--net', '--mount', 'sh', '-c', PREFLIGHT]).catch((error: Error) => ({
    code: 1,
    stdout: '',
    stderr: error.message,
  }));
  if (preflight.code === 0) return { kind: prefix.length === 0 ? 'root' : 'sudo', prefix };
  return refusal(preflight);
}

/** An exit code that unshare(1), sh and ip(8) do not use. */
const NO_TUN = 77;
const PREFLIGHT = `test -c /dev/net/tun || exit ${NO_TUN}; ip link set lo up`;

/** Why there are no namespaces although there are root's rights, and what helps. */
export function refusal({ code, stderr }: { readonly code: number | null; readonly stderr: string }): Privilege & { kind: 'none' } {
  if (code === NO_TUN)
    return {
      kind: 'none',
      reason: 'no /dev/net/tun',
      whatToDo: 'Load it with: sudo modprobe tun; a container has to be given that device',
    };
  const why = stderr.trim().split('\n').at(-1) || `exit code ${code}`;
  const whatToDo = 'A container has to be allowed to make namespaces (CAP_SYS_ADMIN, CAP_NET_ADMIN); or run outside the container';
  return { kind: 'none', reason: `namespaces are refused here (${why})`, whatToDo };
}
