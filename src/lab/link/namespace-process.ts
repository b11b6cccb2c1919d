/**
 * A process of ours in a network and mount namespace of its own. The namespaces have no name: they vanish with the last
 * process in them, so that even a command killed with SIGKILL leaves none behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import * as v from 'valibot';
import { ownProcess } from '../own-process.ts';
import { type RpcClient, rpcClient } from '../rpc.ts';
import { runCommand } from '../run-command.ts';

export interface NamespaceProcess extends RpcClient {
  readonly child: ChildProcess;
  /** The process inside, as the root namespace numbers it. */
  readonly pid: number;
  /** Runs a program inside its network namespace. */
  run(command: readonly string[]): Promise<string>;
}

const pidAnswer = v.pipe(v.number(), v.integer(), v.minValue(1));

/**
 * Hides system policies: `/etc/firefox` beats every other place, and a stray one makes all profiles equal. The folder is
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
  // Only the origin needs port 80 and no browser: it keeps the rights it was given.
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
