/**
 * A network namespace for a Firefox that is driven: it listens for its driver on a loopback port, asks for no secret there, and whoever comes first has
 * it, any user of the machine. In the namespace there is loopback alone, which nobody else has. Firefox 153 has no other way to be driven: it listens
 * on no pipe and on no socket of a folder (RemoteAgent.sys.mjs).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tryCommand } from '../process/run-command.ts';

export interface OwnNetwork {
  /** What a program is started with to be in it: alone, and under the process id of the command. */
  readonly prefix: readonly string[];
  /** What another program is started with to join that process. */
  readonly join: (pid: number) => readonly string[];
}

const LOOPBACK = 'ip link set lo up && exec "$@"';
// Without root's rights in a user namespace too, where they are given up again: Firefox gets none of them.
const DROP = ['setpriv', '--ambient-caps=-all', '--inh-caps=-all'];

const AS_ROOT: OwnNetwork = {
  prefix: ['unshare', '--net', 'sh', '-c', LOOPBACK, 'sh'],
  join: (pid) => ['nsenter', '--target', String(pid), '--net'],
};
const AS_ANYBODY: OwnNetwork = {
  prefix: ['unshare', '--user', '--map-current-user', '--keep-caps', '--net', 'sh', '-c', LOOPBACK, 'sh', ...DROP],
  join: (pid) => ['nsenter', '--target', String(pid), '--user', '--net', '--preserve-credentials'],
};

let found: Promise<OwnNetwork | undefined> | undefined;

/** Tried for real, once. `undefined`: this machine gives no such namespace to this user. */
export function ownNetwork(): Promise<OwnNetwork | undefined> {
  found ??= findOwnNetwork();
  return found;
}

async function findOwnNetwork(): Promise<OwnNetwork | undefined> {
  if (process.platform !== 'linux') return undefined;
  const network = process.getuid?.() === 0 ? AS_ROOT : AS_ANYBODY;
  const tried = await tryCommand([...network.prefix, 'true']).catch(() => undefined);
  return tried?.code === 0 ? network : undefined;
}

interface Carried {
  /** Where a driver reaches it. */
  readonly endpoint: string;
  /** The name by which Firefox knows itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly close: () => void;
}

const CARRY = `const [host, port] = process.argv.slice(1);
const there = require('node:net').connect(port, host);
there.on('error', () => process.exit(1)).on('close', () => process.exit());
process.stdin.pipe(there).pipe(process.stdout);`;

/** Carries a WebSocket of the namespace to the socket `path`, in a folder that only this user can enter. */
export async function carryOut(endpoint: string, { join, path }: { join: readonly string[]; path: string }): Promise<Carried> {
  const { host, hostname, port } = new URL(endpoint);
  const server = createServer((socket) => {
    const [program = '', ...rest] = [...join, process.execPath, '-e', CARRY, hostname, port];
    const carrier = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore'] });
    const end = () => {
      socket.destroy();
      carrier.kill();
    };
    for (const part of [socket, carrier, carrier.stdin]) part.on('error', end);
    socket.on('close', end).pipe(carrier.stdin);
    carrier.once('exit', end).stdout.pipe(socket);
  });
  server.listen(path);
  await once(server, 'listening');
  return { endpoint: `ws+unix:${path}:`, headers: { Host: host }, close: () => server.close() };
}
