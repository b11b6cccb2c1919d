/**
 * The behaviour probe: a small HTTP/1.1 server that counts how many connections a browser uses for one server, and how many requests it, or a gateway
 * between, has outstanding on one of them. It exists only while a count is wanted, answers no request without its token, and learns nothing about what a
 * person browses.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { type HoldTimes, ProbeHold, type ProbeResult, ProbeTally } from './requests.ts';

export type { ProbeResult } from './requests.ts';

export interface ProbeOptions {
  /** Connections (1..255) and depth (1..64) of the profile; there are more pieces than it can have outstanding. */
  readonly connections: number;
  readonly depth: number;
  /** The address of this machine to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Port; 0, the default, takes a free one. */
  readonly port?: number;
  /** It closes by itself after this long, ms; absent: it does not. */
  readonly lifetimeMs?: number;
  /** Default: LOOPBACK_HOLD or NETWORK_HOLD, by the address. */
  readonly hold?: HoldTimes;
  /** Called when the last piece of a round has been sent. */
  readonly onRound?: (result: ProbeResult) => void;
}

export interface Probe {
  readonly host: string;
  readonly port: number;
  /** Prefix of every path: `/TOKEN/` is a page of all pieces, `/TOKEN/0` to `/TOKEN/(pieces-1)` are the pieces. */
  readonly token: string;
  readonly pieces: number;
  /** The counts since the probe was opened, or its page last requested. */
  result(): ProbeResult;
  close(): Promise<void>;
}

/** Firefox starts at most 80 requests a second beyond the first 10 (`network.http.pacing.requests.hz`): 13 ms apart; a busy machine, longer. */
const LOOPBACK_HOLD: HoldTimes = { idleMs: 300, maxMs: 5_000 };
/** A connection over a busy wireless network takes some 100 ms; a lost first packet is repeated after 1 s (RFC 6298). */
const NETWORK_HOLD: HoldTimes = { idleMs: 1_500, maxMs: 10_000 };

/** A GIF of one transparent pixel, https://www.w3.org/Graphics/GIF/spec-gif89a.txt: 43 bytes, one packet with its head. */
const PIECE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The page may use only its own pictures, its own script by its nonce, and its own figures. */
const pagePolicy = (nonce: string): string =>
  `default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;

/**
 * The pictures have new addresses in every round, and are in the page from the beginning: a script would add them later than a browser fetches ahead.
 */
function probePage({ pieces, round, nonce }: { pieces: number; round: number; nonce: string }): string {
  const pictures = Array.from({ length: pieces }, (_, at) => `<img src="${at}?${round}" width="1" height="1" alt="">`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plumbfox probe</title><link rel="icon" href="data:,">
<style nonce="${nonce}">body{font:1.2rem/1.5 sans-serif;margin:1rem;overflow-wrap:break-word}output{display:block;font-size:1.5rem}</style></head>
<body><h1>Connections to one server</h1><output id="shown">Counting ...</output><p>Reload the page to count again.</p>${pictures}
<script nonce="${nonce}">addEventListener('load', async () => {
  const { connections, depth } = await (await fetch('result')).json();
  document.getElementById('shown').textContent = connections + (connections === 1 ? ' connection' : ' connections') + ' at once, ' +
    (depth === 1 ? 'one request' : 'up to ' + depth + ' requests') + ' on each';
});</script></body></html>
`;
}

const optionsSchema = v.object({
  connections: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255)),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
  host: v.optional(v.pipe(v.string(), v.ip()), '127.0.0.1'),
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)), 0),
});

/** Enough to show that a browser uses more connections than the profile: Firefox has 6 by default, tuned ones up to 32. */
const MIN_PIECES = 48;
/** The highest number that the extension accepts (see helper-messages.ts). */
const MAX_PIECES = 1024;

/** Twice what can be outstanding: the second half shows whether the first was all. */
export const piecesFor = ({ connections, depth }: { readonly connections: number; readonly depth: number }): number =>
  Math.min(MAX_PIECES, Math.max(MIN_PIECES, 2 * connections * depth));

/** Opens a probe. @throws PlumbfoxError `bad-input` for options out of range, `environment` when it cannot listen there. */
export async function openProbe(options: ProbeOptions): Promise<Probe> {
  const parsed = v.safeParse(optionsSchema, options);
  if (!parsed.success)
    throw new PlumbfoxError('bad-input', `Probe ${v.getDotPath(parsed.issues[0]) ?? 'options'}: ${parsed.issues[0].message}`);
  const probe = new ProbeServer({ ...options, host: parsed.output.host });
  await probe.listen(parsed.output.port);
  return probe;
}

class ProbeServer implements Probe {
  readonly host: string;
  readonly token = randomBytes(16).toString('base64url');
  readonly pieces: number;
  readonly #server: Server;
  readonly #tally = new ProbeTally();
  readonly #hold: ProbeHold;
  readonly #options: ProbeOptions;
  readonly #watched = new WeakSet<Socket>();
  #round = 0;
  #answeredInRound = 0;
  #port = 0;
  #lifetime: NodeJS.Timeout | undefined;

  constructor(options: ProbeOptions & { readonly host: string }) {
    this.#options = options;
    this.host = options.host;
    this.pieces = piecesFor(options);
    const times = options.hold ?? (options.host.startsWith('127.') || options.host === '::1' ? LOOPBACK_HOLD : NETWORK_HOLD);
    this.#hold = new ProbeHold(times, () => this.#tally.result().connections + this.#tally.result().depth);
    // A browser may take longer between two rounds than Node's 5 s: a connection that the server closes would be counted as one more.
    this.#server = createServer({ noDelay: true, keepAliveTimeout: 120_000 }, (request, response) => this.#answer(request, response));
    this.#server.maxConnections = MAX_PIECES;
  }

  get port(): number {
    return this.#port;
  }

  result(): ProbeResult {
    return this.#tally.result();
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('listening', resolve).once('error', (cause: NodeJS.ErrnoException) => {
        reject(new PlumbfoxError('environment', `The probe cannot listen at ${this.host}:${port}: ${reasonOf(cause)}`, { cause }));
      });
      this.#server.listen(port, this.host);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    const { lifetimeMs } = this.#options;
    if (lifetimeMs !== undefined) this.#lifetime = setTimeout(() => this.#end(), lifetimeMs);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#end(resolve));
  }

  #end(onClosed: () => void = () => {}): void {
    clearTimeout(this.#lifetime);
    this.#hold.stop();
    this.#server.close(() => onClosed());
    this.#server.closeAllConnections();
  }

  /** With DNS rebinding a page leads its own name to this address, and sends that name. */
  #named(request: IncomingMessage): boolean {
    const name = isIPv6(this.host) ? `[${this.host}]` : this.host;
    return request.headers.host === `${name}:${this.#port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const prefix = `/${this.token}/`;
    const name = path.slice(prefix.length);
    if (!this.#named(request) || !path.startsWith(prefix)) refuse(response, 403);
    else if (request.method === 'OPTIONS') preflight(response);
    else if (request.method !== 'GET') refuse(response, 405);
    else if (name === '') this.#page(response);
    else if (name === 'result') send(response, { type: 'application/json', body: Buffer.from(JSON.stringify(this.result())) });
    else if (this.#isPiece(name)) this.#piece(request.socket, response);
    else refuse(response, 404);
  }

  #isPiece(name: string): boolean {
    return /^(?:0|[1-9]\d{0,3})$/.test(name) && Number(name) < this.pieces;
  }

  #page(response: ServerResponse): void {
    this.#round += 1;
    this.#answeredInRound = 0;
    this.#tally.reset();
    this.#hold.restart();
    const nonce = randomBytes(16).toString('base64url');
    const body = Buffer.from(probePage({ pieces: this.pieces, round: this.#round, nonce }));
    send(response, { type: 'text/html; charset=utf-8', body, headers: { 'Content-Security-Policy': pagePolicy(nonce) } });
  }

  #piece(socket: Socket, response: ServerResponse): void {
    if (!this.#watched.has(socket)) {
      this.#watched.add(socket);
      socket.once('close', () => this.#tally.closed(socket));
    }
    this.#tally.arrived(socket);
    const round = this.#round;
    this.#hold.add(() => {
      if (!socket.destroyed) this.#tally.answered(socket);
      send(response, { type: 'image/gif', body: PIECE });
      if (round === this.#round && ++this.#answeredInRound === this.pieces) this.#options.onRound?.(this.result());
    });
  }
}

interface Answer {
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The token keeps others out: whoever has it may read the answer, even if the extension has lost its host permission. */
const READABLE = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin', 'Timing-Allow-Origin': '*' };

function send(response: ServerResponse, { type, body, headers }: Answer): void {
  response.writeHead(200, {
    ...READABLE,
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...headers,
  });
  response.end(body);
}

/** A page on the network has to send a preflight before it fetches from this machine: https://wicg.github.io/local-network-access/ */
function preflight(response: ServerResponse): void {
  const allowed = {
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Private-Network': 'true',
    'Access-Control-Max-Age': '600',
  };
  response.writeHead(204, { ...READABLE, ...allowed }).end();
}

function refuse(response: ServerResponse, status: 403 | 404 | 405): void {
  response.writeHead(status, { 'Content-Length': 0, 'Cache-Control': 'no-store', Connection: 'close' }).end();
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the port is in use';
  return code === 'EADDRNOTAVAIL' ? 'this machine does not have that address' : (code ?? message);
}
