/** Reverse proxies in front of the embedded server, and their programs: configured in the lane's folder, started in the server's namespace. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { assertNever, PlumbfoxError } from '../../core/errors.ts';
import { overTls, REVERSE_PROXY_PORTS, type ReverseProxyKind, reverseProxyKinds, type ServedBy } from '../pages/served-by.ts';
import { ALL_SERVER_NAMES } from '../pages/server-names.ts';
import type { WatchedProcess } from '../process/process-lifetimes.ts';
import type { RpcClient } from '../process/rpc.ts';
import { tryCommand } from '../process/run-command.ts';
import { type MadeCertificates, makeCertificates } from './certificates.ts';
import {
  caddyConfiguration,
  haproxyConfiguration,
  nginxConfiguration,
  type ReverseProxyConfiguration,
  type TlsConfiguration,
} from './reverse-proxy-configuration.ts';
import type { ReverseProxyOrder } from './reverse-proxy-process.ts';

export interface ReverseProxies {
  /** Versions by program, for provenance. */
  readonly versions: Readonly<Record<string, string>>;
  readonly parts: readonly WatchedProcess[];
  /** The authority that a browser must trust, base64 of DER; `undefined`: none of them speaks TLS. */
  readonly authority: string | undefined;
  /** Certificate and key of a name server over HTTPS at the browser's end; `undefined`: none of the servers has a name. */
  readonly nameServer: NameServerCertificate | undefined;
  /** Their configuration, keys and whatever they write; removed with them. */
  readonly folder: string;
  close(): Promise<void>;
}

/** PEM. */
export interface NameServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const portAnswer = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const START_PATIENCE_MS = 40_000;
/** The longest that a timer can wait (2^31 - 1 ms, 24 days): the answer comes when a server ends. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Starts them. Resolves once every proxy accepts connections.
 * @param options.server - The origin process, which holds them as its children: they end with it, however it ends.
 * @throws PlumbfoxError `environment` naming the one that is missing or does not start.
 */
export async function startReverseProxies(options: {
  readonly kinds: readonly ServedBy[];
  readonly server: RpcClient;
  readonly addresses: readonly string[];
}): Promise<ReverseProxies> {
  const { server, addresses } = options;
  const kinds = reverseProxyKinds(options.kinds);
  const folder = await temporaryFolder();
  const close = async () => {
    await server.call('stop-reverse-proxies').catch(() => {});
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await server.call('reverse-proxy-folder', folder);
    const certificates = kinds.some(overTls) ? await makeCertificates(folder, certified(kinds, addresses)) : undefined;
    const upstreamPort = await server.ask('listen-behind', { kinds, addresses }, { answer: portAnswer });
    const versions: Record<string, string> = {};
    for (const kind of kinds) {
      const { path, version } = await requireProgram(PROGRAM_OF[kind]);
      versions[PROGRAM_OF[kind]] = version;
      const order = await reverseProxyOrder(kind, path, { addresses, upstreamPort, folder: join(folder, kind), certificates });
      await server.call('start-reverse-proxy', order, { timeoutMs: START_PATIENCE_MS });
    }
    const parts = kinds.map((kind) => ({ name: reverseProxyName(kind), ended: endOf(server, reverseProxyName(kind)) }));
    const nameServer = certificates && kinds.includes('negotiated') ? await nameServerCertificate(certificates) : undefined;
    return { versions, parts, authority: certificates?.authority, nameServer, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Servers with names are found by a name server, which is at the browser's own address. */
const certified = (kinds: readonly ReverseProxyKind[], addresses: readonly string[]): readonly string[] =>
  kinds.includes('negotiated') ? [...addresses, ALL_SERVER_NAMES, '127.0.0.1'] : addresses;

async function nameServerCertificate({ files }: MadeCertificates): Promise<NameServerCertificate> {
  return { cert: await readFile(files.certificatePath, 'utf8'), key: await readFile(files.keyPath, 'utf8') };
}

/** Only its owner (and root) can look into it: the key is in there. */
async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'plumbfox-servers-'));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? error;
    throw new PlumbfoxError('environment', `The servers need a temporary folder, and ${tmpdir()} cannot be written (${why})`, {
      cause: error,
    });
  }
}

const reverseProxyName = (kind: ReverseProxyKind): string => `${PROGRAM_OF[kind]} (${kind})`;

/** Never fails: the end of the origin process itself is for its own watcher to report. */
const endOf = (server: RpcClient, name: string): Promise<string> =>
  server.ask('reverse-proxy-ended', name, { answer: v.string(), timeoutMs: LONGEST_TIMER_MS }).catch(() => server.exited);

type Given = ReverseProxyConfiguration & { readonly certificates: MadeCertificates | undefined };

async function reverseProxyOrder(kind: ReverseProxyKind, path: string, given: Given): Promise<ReverseProxyOrder> {
  const { folder, addresses } = given;
  await mkdir(folder);
  const file = join(folder, 'configuration');
  await writeFile(file, configuration(kind, given));
  const common = { name: reverseProxyName(kind), hosts: addresses, port: REVERSE_PROXY_PORTS[kind] };
  switch (kind) {
    case 'nginx':
    case 'https':
      return { ...common, command: [path, '-p', folder, '-e', 'stderr', '-c', file], env: {} };
    case 'http2':
      // In the foreground, without the master that would restart it.
      return { ...common, command: [path, '-db', '-f', file], env: {} };
    case 'http3':
    case 'negotiated':
      return { ...common, command: [path, 'run', '--config', file], env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } };
    default:
      return assertNever(kind);
  }
}

function configuration(kind: ReverseProxyKind, given: Given): string {
  if (kind === 'nginx') return nginxConfiguration(given);
  const { certificates } = given;
  if (!certificates) throw new PlumbfoxError('internal', `${kind} has no certificate`);
  const secure: TlsConfiguration = { ...given, certificate: certificates.files };
  switch (kind) {
    case 'https':
      return nginxConfiguration(secure);
    case 'http2':
      return haproxyConfiguration(secure);
    case 'http3':
      return caddyConfiguration({ ...secure, port: REVERSE_PROXY_PORTS.http3, visits: 'first' });
    case 'negotiated':
      return caddyConfiguration({ ...secure, port: REVERSE_PROXY_PORTS.negotiated, visits: 'remembered' });
    default:
      return assertNever(kind);
  }
}

type ReverseProxyProgram = 'nginx' | 'haproxy' | 'caddy';

/** nginx stands for plain HTTP/1.1 and for HTTP/1.1 over TLS. */
const PROGRAM_OF: Readonly<Record<ReverseProxyKind, ReverseProxyProgram>> = {
  nginx: 'nginx',
  https: 'nginx',
  http2: 'haproxy',
  http3: 'caddy',
  negotiated: 'caddy',
};

/** Each prints its version in its own way, nginx on stderr. */
const PRINT_VERSION: Readonly<Record<ReverseProxyProgram, { readonly args: readonly string[]; readonly pattern: RegExp }>> = {
  nginx: { args: ['-v'], pattern: /nginx\/(\S+)/ },
  haproxy: { args: ['-v'], pattern: /version (\S+)/ },
  caddy: { args: ['version'], pattern: /^v?(\S+)/ },
};

/** Debian keeps servers in sbin, which is not on every user's path. */
const LOOK_UP = 'PATH="$PATH:/usr/sbin:/sbin" command -v "$1"';

/** Absolute path; `undefined`: it is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
  const { code, stdout } = await tryCommand(['sh', '-c', LOOK_UP, 'sh', name]);
  return code === 0 ? stdout.trim() : undefined;
}

/** @returns the packages whose programs are missing, as Debian names them. */
export async function missingServerPackages(servers: readonly ServedBy[]): Promise<readonly string[]> {
  const kinds = reverseProxyKinds(servers);
  const needed = new Set<string>(kinds.map((kind) => PROGRAM_OF[kind]));
  if (kinds.some(overTls)) needed.add('openssl');
  const found = await Promise.all([...needed].map(async (name) => ({ name, path: await findProgram(name) })));
  return found.filter(({ path }) => path === undefined).map(({ name }) => name);
}

/** @throws PlumbfoxError `environment` when it is missing. */
export async function requireProgram(program: ReverseProxyProgram): Promise<{ readonly path: string; readonly version: string }> {
  const path = await findProgram(program);
  if (path === undefined) throw new PlumbfoxError('environment', `${program} was not found. Install with: sudo apt-get install ${program}`);
  const { args, pattern } = PRINT_VERSION[program];
  const { stdout, stderr } = await tryCommand([path, ...args]);
  return { path, version: pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown' };
}
