/** The same request sent direct and through a gateway: what arrives has to be the same in everything but the framing between two hops. */
import { createHash } from 'node:crypto';
import { Agent, type ClientRequest, request as httpRequest, type InformationEvent, type RequestOptions } from 'node:http';
import type { GatewayRoute } from '../../../../src/core/profiles/profile.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { type CorpusRequest, corpus } from './corpus.ts';
import { type RealServers, SERVER_NAMES, type ServerName } from './real-servers.ts';
import { basic } from './through-gateway.ts';

/** What a client is given, as text that is the same where it is the same. */
interface Given {
  readonly status: number;
  readonly message: string;
  readonly fields: readonly string[];
  readonly trailers: readonly string[];
  readonly hints: readonly string[];
  readonly bytes: number;
  readonly sha256: string;
}

/** RFC 9110, 7.6.1; the clock, which goes on between two requests; and what caches keep by, which nothing pipelined has. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection', 'date'];
const NOT_COMPARED = new Set([...HOP_BY_HOP, 'cache-control', 'expires', 'pragma', 'age', 'etag', 'last-modified']);

function fieldsOf(raw: readonly string[]): readonly string[] {
  const fields: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (!NOT_COMPARED.has((raw[at] ?? '').toLowerCase())) fields.push(`${raw[at]}: ${raw[at + 1]}`);
  return fields;
}

function send(options: RequestOptions, body: CorpusRequest['body']): Promise<Given> {
  return new Promise((resolve, reject) => {
    const hints: string[] = [];
    const request = httpRequest(options, (response) => {
      const hash = createHash('sha256');
      let bytes = 0;
      response
        .on('data', (chunk: Buffer) => {
          hash.update(chunk);
          bytes += chunk.length;
        })
        .on('error', reject)
        .on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            message: response.statusMessage ?? '',
            fields: fieldsOf(response.rawHeaders),
            trailers: response.rawTrailers,
            hints,
            bytes,
            sha256: hash.digest('hex'),
          }),
        );
    });
    request.on('information', (interim: InformationEvent) => {
      if (interim.statusCode === 103) hints.push(...fieldsOf(interim.rawHeaders));
    });
    request.on('error', reject);
    sendBody(request, body);
  });
}

function sendBody(request: ClientRequest, body: CorpusRequest['body']): void {
  if (body?.framing === 'expecting') {
    request.once('continue', () => request.end(body.bytes));
    request.flushHeaders();
  } else request.end(body?.bytes);
}

function optionsOf({ method, path, headers, body }: CorpusRequest, origin: string): RequestOptions {
  const length = body === undefined || body.framing === 'chunked' ? {} : { 'content-length': String(body.bytes.length) };
  const chunked = body?.framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : {};
  const expecting = body?.framing === 'expecting' ? { expect: '100-continue' } : {};
  return { method, path, headers: { host: new URL(origin).host, ...headers, ...length, ...chunked, ...expecting } };
}

export interface Identity {
  readonly requests: number;
  /** How many of each status came, the first digit. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The first few that were not the same, in words. */
  readonly differences: readonly string[];
  readonly differed: number;
}

/** Firefox sends a proxy as many at once (`network.http.max-persistent-connections-per-proxy`). */
const AT_ONCE = 32;
const SHOWN = 5;
/** In a row to one server: more than Firefox has under way, so that the pipelines are filled. */
const PAGE_REQUESTS = 100;

/** Draws `count` requests from the corpora of all servers and compares each with what the server gives directly. */
export async function compareThroughGateway(
  servers: RealServers,
  route: GatewayRoute,
  { count, seed }: { count: number; seed: number },
): Promise<Identity> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const drawn = await drawer(servers, seed);
  const direct = new Map<string, Promise<Given>>();
  const statuses: Record<string, number> = {};
  const differences: string[] = [];
  let [left, differed] = [count, 0];
  const worker = async () => {
    while (left > 0) {
      left--;
      const { server, request, key } = drawn();
      const origin = servers.origins[server];
      const options = optionsOf(request, origin);
      let expected = direct.get(key);
      if (expected === undefined) {
        const { hostname, port } = new URL(origin);
        expected = send({ ...options, host: hostname, port, agent: false }, request.body).catch((error: Error) => {
          throw new Error(`${key}: ${error.message}`);
        });
        direct.set(key, expected);
      }
      const headers = { ...(options.headers as Record<string, string>), 'proxy-authorization': basic(route.secret) };
      const through = send({ ...options, host: route.host, port: route.port, path: origin + request.path, headers, agent }, request.body);
      const [wanted, found] = await Promise.all([expected, through.catch((error: Error) => error.message)]);
      const status = typeof found === 'string' ? 'failed' : `${Math.floor(found.status / 100)}xx`;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (JSON.stringify(found) === JSON.stringify(wanted)) continue;
      differed++;
      if (differences.length < SHOWN) differences.push(`${key}\n  direct  ${JSON.stringify(wanted)}\n  gateway ${JSON.stringify(found)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    agent.destroy();
  }
  return { requests: count, statuses, differences, differed };
}

async function drawer(servers: RealServers, seed: number) {
  const random = seededRandom(seed);
  const all = (
    await Promise.all(
      SERVER_NAMES.map(async (server) =>
        corpus({ files: servers.files, etags: await etagsOf(servers, server), server }).map((request) => ({ server, request })),
      ),
    )
  ).flat();
  const keyed = all.map((one, at) => ({
    ...one,
    key: `${at} ${one.server} ${one.request.method} ${one.request.path} ${JSON.stringify(one.request.headers)}`,
  }));
  const byServer = SERVER_NAMES.map((server) => keyed.filter((one) => one.server === server));
  let [page, left] = [keyed, 0];
  // A page is of one server.
  return () => {
    if (left-- === 0) [page, left] = [byServer[random.integer(byServer.length)] ?? [], PAGE_REQUESTS - 1];
    return page[random.integer(page.length)] as (typeof keyed)[number];
  };
}

async function etagsOf(servers: RealServers, server: ServerName): Promise<ReadonlyMap<string, string>> {
  const { hostname, port } = new URL(servers.origins[server]);
  const found = await Promise.all(
    servers.files.map(async (name) => {
      const { fields } = await send({ method: 'HEAD', host: hostname, port, path: `/${name}`, agent: false }, undefined);
      return [name, /^etag: (.*)$/i.exec(fields.find((field) => /^etag:/i.test(field)) ?? '')?.[1] ?? ''] as const;
    }),
  );
  return new Map(found);
}
