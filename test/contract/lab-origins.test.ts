/** The servers in front of the embedded one, over an emulated link: each must serve exactly what the embedded server serves. Needs root. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { originCountsAnswer } from '../../src/lab/lane/lane-protocol.ts';
import { type EmulatedLink, emulatedLink, SERVER_ADDRESSES } from '../../src/lab/link/emulated-link.ts';
import { type NamespaceProcess, namespaceProcess } from '../../src/lab/link/namespace-process.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import { type ReverseProxies, startReverseProxies } from '../../src/lab/origin/reverse-proxies.ts';
import { documentContent, type PageAddress, resourceContent, resourceUrl } from '../../src/lab/pages/page-content.ts';
import type { PageRecipe } from '../../src/lab/pages/page-recipe.ts';
import { findPage } from '../../src/lab/pages/pages.ts';
import { originsOf, SERVED_BY, type ServedBy } from '../../src/lab/pages/served-by.ts';
import { buildOnce } from '../support/build-once.ts';
import { holdNetwork, releaseNetworks } from '../support/held-networks.ts';
import { besideIn, inNetwork } from '../support/processes.ts';

const FETCH_ALL = fileURLToPath(new URL('../support/fetch-all.mjs', import.meta.url));

interface Fetched {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly sha256: string;
  readonly opened?: number;
  readonly tls?: string;
  readonly settings?: Readonly<Record<string, number>>;
}

/** A page of a study's own: data of a size that no buffer of a server holds. */
const BULKY: PageRecipe = {
  name: 'bulky',
  title: 'Data of 3 MB',
  documentBytes: 1000,
  resources: [
    { name: 'ask.js', kind: 'script', bytes: 400, origin: 0, from: 'head' },
    { name: 'data.json', kind: 'fetch', bytes: 3_000_000, origin: 0, from: { script: 'ask.js' } },
  ],
};

/** Those that are found by their addresses, without a name server. */
const BY_ADDRESS = SERVED_BY.filter((kind) => kind !== 'negotiated');

/** Two ends and a link between them. */
async function openEnds() {
  const prefix = (await ensurePrograms({ emulator: true, servers: BY_ADDRESS, install: false, onInstall: () => {} })).prefix ?? [];
  const server = await namespaceProcess('origin-process', { prefix });
  const client = await namespaceProcess('lane-worker', { prefix });
  const link = await emulatedLink({ prefix, client, server });
  await server.call('public-origins', originsOf('embedded', SERVER_ADDRESSES));
  await server.call('listen', { hosts: SERVER_ADDRESSES, port: 80 });
  await link.setLink(parseLink('rtt=4,down=50000,up=50000'));
  return { server, client, link };
}

describe('servers in front of the embedded one', () => {
  let server: NamespaceProcess;
  let client: NamespaceProcess;
  let link: EmulatedLink;
  let fronts: ReverseProxies;
  let folder: string;
  beforeAll(async () => {
    buildOnce();
    ({ server, client, link } = await openEnds());
    fronts = await startReverseProxies({ kinds: BY_ADDRESS, server, addresses: SERVER_ADDRESSES });
    await server.call('serve-pages', [BULKY]);
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-test-'));
    const lines = (fronts.authority ?? '').replace(/.{64}/g, '$&\n');
    writeFileSync(join(folder, 'authority.pem'), `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`);
  });
  afterAll(async () => {
    await fronts?.close();
    await link?.close();
    await client?.stop();
    await server?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const fetchAll = async (version: 'h1' | 'h2', addresses: readonly string[]): Promise<readonly Fetched[]> => {
    const printed = await client.run([process.execPath, FETCH_ALL, version, join(folder, 'authority.pem'), ...addresses]);
    return printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  /** What a server of the page must answer, by address. */
  const expected = (kind: ServedBy, page: PageRecipe, index: number) => {
    const address: PageAddress = { origins: originsOf(kind, SERVER_ADDRESSES), prefix: `/${page.name}/t0/` };
    const resources = page.resources
      .filter(({ origin }) => origin === index)
      .map((resource) => [resourceUrl(resource, address), resourceContent(resource, page, address)] as const);
    const document = [`${address.origins[0]}${address.prefix}`, documentContent(page, address)] as const;
    return (index === 0 ? [document, ...resources] : resources).map(([url, { body, contentType }]) => ({
      url,
      answer: { status: 200, type: contentType, length: String(body.length), bytes: body.length, sha256: sha256(body) },
    }));
  };

  const served = ({ status, headers, bytes, sha256: hash }: Fetched) => ({
    status,
    type: headers['content-type'],
    length: headers['content-length'],
    bytes,
    sha256: hash,
  });

  test.each([
    ['embedded', 'h1'],
    ['nginx', 'h1'],
    ['https', 'h1'],
    ['http2', 'h2'],
    ['http2', 'h1'],
    ['http3', 'h2'],
    ['http3', 'h1'],
  ] as const)('%s serves the wiki and a page of a study byte by byte, asked over %s', async (kind, version) => {
    await server.call('reset');
    const wiki = findPage('wiki');
    for (const [page, index] of [
      [wiki, 0],
      [wiki, 1],
      [BULKY, 0],
    ] as const) {
      const wanted = expected(kind, page, index);
      const answers = await fetchAll(
        version,
        wanted.map(({ url }) => url),
      );
      expect(answers.map(served)).toEqual(wanted.map(({ answer }) => answer));
      // One connection does for a whole page.
      expect(answers.at(-1)?.opened ?? 1).toBe(1);
      expect(answers.every(({ headers }) => headers['content-encoding'] === undefined)).toBe(true);
      const tls = kind === 'embedded' || kind === 'nginx' || version === 'h2' ? undefined : 'TLSv1.3';
      expect(answers.at(-1)?.tls).toBe(tls);
    }
    // What the embedded server counts is the browser's: 2 connections to the first server (a process each), 1 to the second.
    const counts = await server.ask('counters', {}, { answer: originCountsAnswer });
    const [first, second] = originsOf(kind, SERVER_ADDRESSES) as [string, string];
    expect([counts[first]?.requests, counts[first]?.connections]).toEqual([20 + 3, 2]);
    expect([counts[second]?.requests, counts[second]?.connections]).toEqual([25, 1]);
  });

  test('HAProxy and Caddy send the limit of streams that they are known for', async () => {
    const settings = async (kind: ServedBy) =>
      (await fetchAll('h2', [`${originsOf(kind, SERVER_ADDRESSES)[0]}/wiki/t1/`]))[0]?.settings ?? {};
    expect((await settings('http2')).maxConcurrentStreams).toBe(100);
    expect((await settings('http3')).maxConcurrentStreams).toBe(250);
  });

  test.each(['https', 'http2', 'http3'] as const)('%s: every visit is a first one, no TLS session is taken up again', async (kind) => {
    const address = `${originsOf(kind, SERVER_ADDRESSES)[0]}/wiki/t1/`;
    const printed = await client.run([process.execPath, FETCH_ALL, 'resume', join(folder, 'authority.pem'), address]);
    const { bytes, reused } = JSON.parse(printed);
    // Both visits got the document of 24,000 bytes.
    expect(Math.min(...bytes)).toBeGreaterThan(24_000);
    expect(reused).toBe(false);
  });

  test('every server address answers, in its own name', async () => {
    for (const kind of BY_ADDRESS) {
      const asked = originsOf(kind, SERVER_ADDRESSES).map((origin) => `${origin}/wiki/t2/`);
      const answers = await fetchAll('h1', asked);
      expect(new Set(answers.map(({ status, sha256: hash }) => `${status} ${hash}`)).size).toBe(1);
      const counts = await server.ask('counters', {}, { answer: originCountsAnswer });
      expect(originsOf(kind, SERVER_ADDRESSES).every((origin) => (counts[origin]?.requests ?? 0) > 0)).toBe(true);
    }
  });

  test('versions are told, and keys are for nobody else', () => {
    expect(Object.keys(fronts.versions).sort()).toEqual(['caddy', 'haproxy', 'nginx']);
    for (const version of Object.values(fronts.versions)) expect(version).toMatch(/^\d+\.\d+/);
    const keys = readdirSync(fronts.folder).filter((name) => name.includes('key'));
    expect(keys.sort()).toEqual(['server-with-key.pem', 'server.key']);
    for (const key of keys) expect(statSync(join(fronts.folder, key)).mode & 0o777).toBe(0o600);
    expect(statSync(fronts.folder).mode & 0o777).toBe(0o700);
  });

  test('closed, none of them is left, nor what they wrote', async () => {
    const names = () =>
      besideIn(server.pid)
        .map(({ name }) => name)
        .sort();
    expect(names()).toEqual(['caddy', 'haproxy', 'nginx', 'nginx']);
    await fronts.close();
    expect(names()).toEqual([]);
    expect(existsSync(fronts.folder)).toBe(false);
  });
});

describe('servers whose command ends without a word', () => {
  afterEach(releaseNetworks);

  test.each([
    // What the kernel does when the command is killed.
    ['its end of the pipe closes', ({ child }: NamespaceProcess) => child.stdin?.destroy()],
    ['the origin process is killed', ({ pid }: NamespaceProcess) => process.kill(pid, 'SIGKILL')],
  ])('are gone when %s', async (_what, end) => {
    buildOnce();
    const server = await namespaceProcess('origin-process', { prefix: [] });
    for (const address of SERVER_ADDRESSES) await server.run(['ip', 'addr', 'add', `${address}/24`, 'dev', 'lo']);
    const fronts = await startReverseProxies({ kinds: BY_ADDRESS, server, addresses: SERVER_ADDRESSES });
    const network = holdNetwork(server.pid);
    expect(inNetwork(network).length).toBe(5);
    end(server);
    await server.exited;
    await Promise.all(fronts.parts.map(({ ended }) => ended));
    await expect.poll(() => inNetwork(network)).toEqual([]);
    await fronts.close();
    expect(existsSync(fronts.folder)).toBe(false);
  });

  test('one that cannot start is told with its own reason', async () => {
    const server = await namespaceProcess('origin-process', { prefix: [] });
    // None of the addresses is there.
    await expect(startReverseProxies({ kinds: ['nginx'], server, addresses: SERVER_ADDRESSES })).rejects.toThrow(
      /^nginx \(nginx\) did not start: .*198\.18\.0\.2:8080 failed/,
    );
    expect(besideIn(server.pid)).toEqual([]);
    await server.stop();
  });
});

const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
