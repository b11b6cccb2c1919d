/** The programs behind the kinds of servers: what they are called, where Debian has them, how they tell their version. */
import { PlumbfoxError } from '../../core/errors.ts';
import { overTls, type ReverseProxyKind, reverseProxyKinds, type ServedBy } from '../pages/served-by.ts';
import { tryCommand } from '../process/run-command.ts';

/** As the executable is called. */
export type ReverseProxyProgram = 'nginx' | 'haproxy' | 'caddy';

/** nginx stands for plain HTTP/1.1 and for HTTP/1.1 over TLS. */
export const PROGRAM_OF: Readonly<Record<ReverseProxyKind, ReverseProxyProgram>> = {
  nginx: 'nginx',
  https: 'nginx',
  http2: 'haproxy',
  http3: 'caddy',
};

/** Each prints its version in its own way, nginx on stderr. */
const TELL_VERSION: Readonly<Record<ReverseProxyProgram, { readonly args: readonly string[]; readonly pattern: RegExp }>> = {
  nginx: { args: ['-v'], pattern: /nginx\/(\S+)/ },
  haproxy: { args: ['-v'], pattern: /version (\S+)/ },
  caddy: { args: ['version'], pattern: /^v?(\S+)/ },
};

/** Debian keeps servers in sbin, which is not on everybody's path. */
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
  const { args, pattern } = TELL_VERSION[program];
  const { stdout, stderr } = await tryCommand([path, ...args]);
  return { path, version: pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown' };
}
