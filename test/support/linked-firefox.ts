/**
 * A Firefox of the extension's own tests behind a link emulated per packet: it runs in the namespace of the link's client, and is driven from
 * outside, through one socket that is carried in. Needs root, as `private-policy.ts` does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { originCountsAnswer, roundTripAnswer } from '../../src/lab/lane/lane-protocol.ts';
import { emulatedLink, SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { type NamespaceProcess, namespaceProcess } from '../../src/lab/link/namespace-process.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import type { OriginCount } from '../../src/lab/origin/origin-counters.ts';
import { runCommand } from '../../src/lab/process/run-command.ts';
import { type ExtensionFirefox, type FirefoxOptions, startExtensionFirefox } from './extension-firefox.ts';

const HTTP_PORT = 80;

export interface FirefoxLink {
  /** How a Firefox is started behind it, and reached; several, one after another. */
  readonly start: Required<Pick<FirefoxOptions, 'command' | 'carry'>>;
  /** Address of a page of the lab. Everyday pages have the same address whenever they are loaded: so may the token. */
  readonly pageUrl: (page: string, token: string) => string;
  /** What the page's server saw since it was asked last. */
  readonly takeCount: () => Promise<OriginCount | undefined>;
  readonly close: () => Promise<void>;
}

export interface LinkedFirefox extends Omit<FirefoxLink, 'start'> {
  readonly firefox: ExtensionFirefox;
}

/** The network is emulated: Firefox must neither think that it is offline nor try TLS first. */
export const LINK_PREFERENCES = {
  'network.manage-offline-status': false,
  'dom.security.https_first': false,
  'dom.security.https_first_schemeless': false,
} as const;

/** @param hosts - A hosts file that Firefox sees in the place of the machine's. */
export async function openFirefoxLink(link: string, { hosts }: { readonly hosts?: string } = {}): Promise<FirefoxLink> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of opened.toReversed()) await each();
  };
  try {
    const { client, server } = await linkedEnds(link, opened);
    const inside = ['nsenter', '--target', String(client.pid), '--net', '--mount', '--wd=.'];
    if (hosts !== undefined) await runCommand([...inside, 'mount', '--bind', hosts, '/etc/hosts']);
    return {
      start: {
        command: [...inside, 'firefox-esr'],
        carry: async (endpoint) => {
          const carried = await carriedIn(inside, endpoint);
          opened.push(carried.close);
          return carried;
        },
      },
      pageUrl: (page, token) => `http://${SERVER_ADDRESSES[0]}/${page}/${token}/`,
      takeCount: async () => {
        const counts = await server.ask('counters', {}, { answer: originCountsAnswer });
        await server.call('reset');
        return counts[`http://${SERVER_ADDRESSES[0]}`];
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function startLinkedFirefox(link: string, options: FirefoxOptions = {}): Promise<LinkedFirefox> {
  const { start, pageUrl, takeCount, close } = await openFirefoxLink(link);
  try {
    const firefox = await startExtensionFirefox({ ...options, ...start, preferences: { ...LINK_PREFERENCES, ...options.preferences } });
    return {
      ...{ firefox, pageUrl, takeCount },
      close: async () => {
        await firefox.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As `packetLane`, but that nothing runs in the client's namespace yet. */
async function linkedEnds(
  spec: string,
  opened: (() => Promise<unknown>)[],
): Promise<{ readonly client: NamespaceProcess; readonly server: NamespaceProcess }> {
  const begin = async (name: 'origin-process' | 'lane-worker') => {
    const process = await namespaceProcess(name, { prefix: [] });
    opened.push(() => process.stop());
    return process;
  };
  const server = await begin('origin-process');
  await server.call(
    'public-origins',
    SERVER_ADDRESSES.map((address) => `http://${address}`),
  );
  const client = await begin('lane-worker');
  const link = await emulatedLink({ prefix: [], client, server });
  // Before the client: socat must not outlive the device that it carries.
  opened.unshift(() => link.close());
  await server.call('listen', { hosts: SERVER_ADDRESSES, port: HTTP_PORT });
  const target = { host: SERVER_ADDRESSES[0], port: HTTP_PORT };
  await link.calibrate(() => client.ask('measure-rtt', target, { answer: roundTripAnswer, timeoutMs: 60_000 }));
  await link.setLink(parseLink(spec));
  return { client, server };
}

/** An address out here for a WebSocket that listens on the loopback in there: `endpoint`, and the name by which Firefox knows itself. */
async function carriedIn(inside: readonly string[], endpoint: string) {
  const { host, hostname, port } = new URL(endpoint);
  const carriers = new Set<ChildProcess>();
  const gate: Server = createServer((socket) => {
    const [program, ...rest] = [...inside, 'socat', '-', `TCP4:${hostname}:${port}`];
    const carrier = spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'ignore'] });
    carriers.add(carrier);
    carrier.stdin.on('error', () => {});
    socket.on('error', () => {});
    socket.pipe(carrier.stdin);
    carrier.stdout.pipe(socket);
    socket.once('close', () => carrier.kill());
    carrier.once('exit', () => {
      carriers.delete(carrier);
      socket.destroy();
    });
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return {
    endpoint: `ws://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    headers: { Host: host },
    close: async () => {
      for (const carrier of carriers) carrier.kill();
      gate.close();
    },
  };
}
