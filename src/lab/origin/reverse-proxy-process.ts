/** A server program as a child of the origin process: in its namespace, and gone when it is gone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { PlumbfoxError } from '../../core/errors.ts';

export interface ReverseProxyOrder {
  /** Its name in messages. */
  readonly name: string;
  /** Must stay in the foreground. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it must accept connections before it counts as started. */
  readonly hosts: readonly string[];
  readonly port: number;
}

export interface ReverseProxyProcess {
  /** Settles when it has gone, with what ended it. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
const RETRY_MS = 20;

/**
 * The kernel kills it when the process that started it ends, however that ends (prctl(2), PR_SET_PDEATHSIG). Its own group: Ctrl-C is
 * for the command, which ends its servers after the browser.
 */
const TIED = ['setpriv', '--pdeathsig', 'KILL', '--'];

/** @throws PlumbfoxError `environment` with the last line that it printed when it does not start. */
export async function startReverseProxy({ name, command, env, hosts, port }: ReverseProxyOrder): Promise<ReverseProxyProcess> {
  const [program, ...rest] = [...TIED, ...command];
  const child = spawn(program as string, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  let stderrTail = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const close = () => kill(child);
  const failed = ended.then((why) => {
    const last = stderrTail.trim().split('\n').at(-1);
    throw new PlumbfoxError('environment', `${name} did not start: it ended with ${why}${last ? ` (${last})` : ''}`);
  });
  // It ends in good order too.
  failed.catch(() => {});
  try {
    await Promise.race([failed, Promise.all(hosts.map((host) => accepts({ host, port, name })))]);
  } catch (error) {
    await close();
    throw error;
  }
  return { ended, close };
}

/** There is no event for a port of another process that begins to accept: asked again until it does. */
async function accepts({ host, port, name }: { host: string; port: number; name: string }): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const socket = connect({ host, port });
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new PlumbfoxError('environment', `${name} did not start: nothing accepts at ${host}:${port} after ${START_TIMEOUT_MS / 1000} s`);
}

/** It has nothing to put in order: whatever it writes is in the lane's temporary folder. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The origin process's handlers for the reverse proxies in front of it. */
interface ReverseProxiesRpc {
  readonly handlers: {
    'start-reverse-proxy': (order: ReverseProxyOrder) => Promise<void>;
    /** Answers when it has gone, with what ended it. */
    'reverse-proxy-ended': (name: string) => Promise<string>;
    'stop-reverse-proxies': () => Promise<void>;
    /** Removed with everything in it when this process ends, however the command ends. */
    'reverse-proxy-folder': (path: string) => void;
  };
  close(): Promise<void>;
}

export function reverseProxiesRpc(): ReverseProxiesRpc {
  const running = new Map<string, ReverseProxyProcess>();
  const folders: string[] = [];
  const close = async () => {
    const stopping = [...running.values()].map((proxy) => proxy.close());
    running.clear();
    await Promise.all(stopping);
    // As whoever this process is: programs that root started may have left files of root's.
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return {
    handlers: {
      'start-reverse-proxy': async (order) => {
        running.set(order.name, await startReverseProxy(order));
      },
      'reverse-proxy-ended': (name) => {
        const proxy = running.get(name);
        if (!proxy) throw new PlumbfoxError('internal', `No server ${name} was started`);
        return proxy.ended;
      },
      'stop-reverse-proxies': close,
      'reverse-proxy-folder': (path) => {
        folders.push(path);
      },
    },
    close,
  };
}
