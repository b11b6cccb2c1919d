/** A real Firefox loads pages from every server of the lab: by the version of HTTP that each is there for, and whole. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTTP2_ENABLED, HTTP3_ENABLED } from '../../src/core/profiles/catalogue.ts';
import { FIREFOX_DEFAULT, profileOf } from '../../src/core/profiles/presets.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { type PacketLane, packetLane } from '../../src/lab/lane/packet-lane.ts';
import { relayLane } from '../../src/lab/lane/relay-lane.ts';
import { CLIENT_ADDRESS } from '../../src/lab/link/emulated-link.ts';
import { parseLink } from '../../src/lab/link/parse-link.ts';
import type { PageRecipe } from '../../src/lab/pages/page-recipe.ts';
import { originsOf, SERVED_BY, type ServedBy } from '../../src/lab/pages/served-by.ts';
import { descendantsOf } from '../support/processes.ts';

const TIMEOUT_MS = 60_000;
/** 25 round trips of the link: no page here is silent for longer. */
const QUIET_MS = 500;
const SERVERS = ['nginx', 'haproxy', 'caddy'];

/** A picture, which the load event waits for: of what a script fetches nothing is heard before all of it is there. */
const OBJECT: PageRecipe = {
  name: 'object',
  title: 'One object of 10 MB',
  documentBytes: 1000,
  resources: [{ name: 'object.png', kind: 'image', bytes: 10_000_000, origin: 0, from: 'body' }],
};

describe('a browser and the servers of the lab', () => {
  let lane: PacketLane;
  let token = 0;
  beforeAll(async () => {
    const { firefox, prefix } = await ensurePrograms({ emulator: true, servers: SERVED_BY, install: true, onInstall: () => {} });
    lane = await packetLane({ prefix: prefix ?? [] });
    await lane.serve(SERVED_BY);
    await lane.servePages([OBJECT]);
    await lane.start({ program: firefox.path, variant: 'lab', quietMs: QUIET_MS });
    await lane.useLink(parseLink('rtt=20,down=50000,up=50000'));
  });
  afterAll(() => lane?.close());

  const load = (page: string, servedBy: ServedBy, warm = false, profile = FIREFOX_DEFAULT) =>
    lane.load({
      profile,
      carrier: 'none',
      url: lane.pageUrl(page, `t${token++}`, servedBy),
      ...(warm && { warmUrl: lane.pageUrl(page, `t${token++}`, servedBy) }),
      timeoutMs: TIMEOUT_MS,
    });

  test.each([
    ['embedded', 'http/1.1'],
    ['nginx', 'http/1.1'],
    ['https', 'http/1.1'],
    ['http2', 'http/2'],
    ['http3', 'http/3'],
    // Servers of one host are told apart by their ports: nothing of HTTP/3 stays behind.
    ['https', 'http/1.1'],
    ['http2', 'http/2'],
  ] as const)('%s: the wiki comes whole, every request by %s', async (servedBy, version) => {
    const outcome = await load('wiki', servedBy);
    const { requests } = outcome.load;
    expect(requests.map(({ wire }) => wire?.httpVersion)).toEqual(Array.from({ length: 45 }, () => version));
    expect(requests.filter(({ outcome: each }) => each.state !== 'completed')).toEqual([]);
    // 20 and 25 requests, as on the embedded server, and every byte of them: 130,620 and 123,180 (measured there).
    const counted = originsOf(servedBy, ['198.18.0.2', '198.18.0.3']).map((origin) => outcome.origins?.[origin]);
    expect(counted.map((count) => [count?.requests, count?.bodyBytes])).toEqual([
      [20, 130_620],
      [25, 123_180],
    ]);
    // Of HTTP/1.1 up to 6 connections carry the requests, fewer where the first are free before the last is open. Of HTTP/2 and 3 one does,
    // or two where a second was begun before the first had said what it speaks.
    for (const { connections = 0 } of counted.flatMap((count) => count ?? [])) {
      if (version === 'http/1.1') expect(connections).toBeGreaterThan(2);
      else expect(connections).toBeLessThanOrEqual(2);
    }
  });

  test.each([
    // As Firefox ships, but for TCP, which wins over a busy machine's QUIC: after 100 ms, and after 50 ms where a record has told of HTTP/3.
    [
      'HTTP/3, by an HTTPS record',
      { 'network.http.http3.backup_timer_delay': 30_000, 'network.dns.httpssvc.http3_fast_fallback_timeout': 30_000 },
      'http/3',
    ],
    ['without HTTP/3: HTTP/2', { [HTTP3_ENABLED]: false }, 'http/2'],
    ['without HTTP/3 and HTTP/2: HTTP/1.1', { [HTTP3_ENABLED]: false, [HTTP2_ENABLED]: false }, 'http/1.1'],
    ['without HTTPS records: HTTP/2, on a first visit', { 'network.dns.use_https_rr_as_altsvc': false }, 'http/2'],
  ] as const)('servers with names agree on a version with each profile, %s', async (_why, preferences, version) => {
    const { load: loaded, origins = {} } = await load('docs', 'negotiated', false, profileOf({ depth: 1, preferences }));
    expect(loaded.requests[0]?.wire?.httpVersion).toBe(version);
    expect(loaded.requests.filter(({ outcome: { state } }) => state !== 'completed')).toEqual([]);
    expect(Object.values(origins).map(({ requests }) => requests)).toEqual([25]);
  });

  test.each(SERVED_BY.filter((kind) => kind !== 'http3' && kind !== 'negotiated'))(
    '%s: sends with CUBIC, as every TCP server of the lab',
    async (servedBy) => {
      await load('wiki', servedBy);
      const [inside] = descendantsOf(process.pid).filter(({ name }) => name === 'haproxy');
      const port = new URL(lane.pageUrl('wiki', 't', servedBy)).port || '80';
      const ss = [
        '--target',
        String(inside?.pid),
        '--net',
        'ss',
        '-tinH',
        'state',
        'established',
        `sport = :${port} and dst ${CLIENT_ADDRESS}`,
      ];
      const { stdout } = await promisify(execFile)('nsenter', ss);
      // A line of addresses and a line of figures for each connection that the browser has left open.
      const figures = stdout.split('\n').filter((line) => line.startsWith('\t'));
      expect(figures).not.toEqual([]);
      expect(figures.filter((line) => !/\bcubic\b/.test(line))).toEqual([]);
    },
  );

  test.each(SERVED_BY)('%s: an object of 10 MB of a page that was sent comes whole', async (servedBy) => {
    const { load: made } = await load('object', servedBy);
    const object = made.requests.find(({ url }) => url.endsWith('object.png'));
    expect(object?.outcome.state).toBe('completed');
    expect(object?.wire?.responseBytes).toBeGreaterThanOrEqual(10_000_000);
  });

  test('a server that dies in the middle of a page is named', async () => {
    await lane.useLink(parseLink('rtt=20,down=2000,up=2000'));
    await lane.resetLinkCounters();
    const dying = load('object', 'https').then(
      () => 'it came to an end',
      (error: Error) => error.message,
    );
    // 10 MB take 40 s here: the page is under way once the link has carried some of it.
    await expect.poll(async () => (await lane.linkCounters()).down.admitted).toBeGreaterThan(500);
    const listener = descendantsOf(process.pid).filter(({ name }) => name === 'nginx');
    expect(listener).toHaveLength(2);
    for (const { pid } of listener) process.kill(pid, 'SIGKILL');
    expect(await dying).toMatch(/^nginx \((nginx|https)\) ended in the middle of the run \(SIGKILL\)$/);
  });

  test('closed, no server is left', async () => {
    expect(descendantsOf(process.pid).filter(({ name }) => SERVERS.includes(name))).not.toEqual([]);
    await lane.close();
    expect(descendantsOf(process.pid).filter(({ name }) => SERVERS.includes(name))).toEqual([]);
  });
});

test('without emulated packets there is the embedded server only, which is said', async () => {
  const lane = await relayLane();
  try {
    await lane.serve(['embedded']);
    await expect(lane.serve(['embedded', 'http2'])).rejects.toThrow(/^Pages served by http2 need a link emulated per packet/);
    expect(() => lane.pageUrl('wiki', 't0', 'http3')).toThrow(/^Pages served by http3 need a link emulated per packet/);
  } finally {
    await lane.close();
  }
});
