import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PlumbfoxError } from '../core/errors.ts';
import type { HandedBack } from '../protocol/gateway-sites.ts';
import { Exchange, hasBody, type NotCarried } from './exchange.ts';
import type { Sites } from './name-lookup.ts';
import type { OriginPools } from './origin-pools.ts';
import { endWithAnswer, handBack, plainAnswer } from './plain-answer.ts';
import { PROXY_CHALLENGE, proxyAuthorizationCheck } from './proxy-authorization.ts';
import type { Relays } from './relay.ts';
import { isListener, splitAbsoluteForm } from './request-target.ts';

/**
 * The gateway runs for weeks and can be reached by every program on this machine: connections with a longer or slower head, and too many without the
 * secret, are closed. Firefox then connects directly, if the extension is its client. 600 unfinished heads took 537 MB.
 */
const LIMITS = { headBytes: 16_384, headMs: 30_000, strangers: 64 } as const;
/**
 * Response bytes that may wait in the gateway for one slow client. Pausing and resuming an upstream connection takes time: with two upstream reads of
 * 64 KiB Firefox got files of 400 kB at .75 of its speed without a gateway, with these eight at .87 (`npm run bench:gateway`).
 */
const WRITE_AHEAD_BYTES = 512 * 1024;

interface Refusal {
  readonly status: 400 | 403 | 407;
  readonly sentence: string;
}

const ORIGIN_FORM: Refusal = { status: 400, sentence: 'this is a proxy; it has no pages of its own' };
const BAD_TARGET: Refusal = { status: 400, sentence: 'the request target is not an http URL' };
const UNAUTHORISED: Refusal = { status: 407, sentence: 'it serves only the Firefox that knows its secret' };
const LOOP: Refusal = { status: 403, sentence: 'it does not connect to itself' };
const NO_TUNNEL: Refusal = { status: 403, sentence: 'it takes plain http only' };
const NOT_SERVED: Refusal = {
  status: 403,
  sentence: 'it serves only the sites that it was given, and none of this machine or a private network',
};

/** `port`: on 127.0.0.1; 0 takes a free one. The caller owns the pools: `close` leaves them open. */
interface ProxyServerOptions {
  readonly port: number;
  readonly secret: string;
  readonly pools: OriginPools;
  readonly sites: Sites;
  /** Take what is not carried; absent: it is handed back to the extension. */
  readonly relays: Relays | undefined;
  /** Time limit for a request's head; default 30 s. */
  readonly headMs?: number | undefined;
}

/** The side that faces Firefox: it decides who may use the gateway, and parses their requests. */
export class ProxyServer {
  readonly #options: ProxyServerOptions;
  readonly #authorised: (header: string | undefined) => boolean;
  readonly #server: Server;
  /** Connections that have not shown the secret, oldest first. */
  readonly #strangers = new Set<Socket>();
  #listeningPort = 0;
  #unauthorised = 0;

  constructor(options: ProxyServerOptions) {
    this.#options = options;
    this.#authorised = proxyAuthorizationCheck(options.secret);
    const { headMs = LIMITS.headMs } = options;
    this.#server = createServer({
      noDelay: true,
      maxHeaderSize: LIMITS.headBytes,
      highWaterMark: WRITE_AHEAD_BYTES,
      // No other time limits: Firefox opens connections ahead of need, keeps them idle for 115 s (network.http.keep-alive.timeout) and uploads as
      // slowly as the link is. A connection closed by the gateway would be measured as an effect of the profile.
      keepAliveTimeout: 0,
      headersTimeout: headMs,
      connectionsCheckingInterval: headMs / 6,
      requestTimeout: 0,
    });
    this.#boundStrangers();
    this.#server.maxHeadersCount = 0;
    this.#server.on('request', (request, response) => this.#onRequest(request, response));
    this.#server.on('connect', (request, socket) => this.#onConnect(request, socket));
  }

  get counters(): { readonly unauthorised: number } {
    return { unauthorised: this.#unauthorised };
  }

  resetCounters(): void {
    this.#unauthorised = 0;
  }

  /** Starts listening. @returns the port. @throws PlumbfoxError `environment` when it cannot. */
  async listen(): Promise<number> {
    const { port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('listening', resolve).once('error', (cause: NodeJS.ErrnoException) => {
        const why = cause.code === 'EADDRINUSE' ? 'it is in use' : (cause.code ?? cause.message);
        reject(new PlumbfoxError('environment', `The gateway cannot listen on 127.0.0.1:${port}: ${why}`, { cause }));
      });
      this.#server.listen(port, '127.0.0.1');
    });
    this.#listeningPort = (this.#server.address() as AddressInfo).port;
    return this.#listeningPort;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#admit(request);
    if (refusal !== undefined) {
      this.#refuse(response, refusal);
      return;
    }
    const { pools, sites, relays } = this.#options;
    const target = splitAbsoluteForm(request.url ?? '');
    const origin = target === undefined ? undefined : pools.originOf(target.authority);
    if (target === undefined || origin === undefined) {
      this.#refuse(response, BAD_TARGET);
      return;
    }
    if (isListener(origin, this.#listeningPort)) {
      this.#refuse(response, LOOP);
      return;
    }
    const why = sites.whyNot(origin) ?? whyNotCarried(request);
    if (why === 'refused') {
      this.#refuse(response, NOT_SERVED);
      return;
    }
    const notCarried: NotCarried = (asked, answer, reason) => {
      if (relays === undefined) handBack(answer, reason);
      else relays.relay(asked, answer, { origin, path: target.path });
    };
    if (relays === undefined || why === undefined) request.resume();
    if (why !== undefined) notCarried(request, response, why);
    else pools.submit(origin, new Exchange(request, response, { target: { origin: origin.origin, path: target.path }, notCarried }));
  }

  #boundStrangers(): void {
    this.#server.on('connection', (socket) => {
      this.#strangers.add(socket);
      socket.once('close', () => this.#strangers.delete(socket));
      const [oldest] = this.#strangers;
      if (this.#strangers.size > LIMITS.strangers) oldest?.destroy();
    });
    // Node's own responses (408, 431) would be taken for the site's.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Plain http needs no tunnel, and https does not come here. */
  #onConnect(request: IncomingMessage, client: Duplex): void {
    // An unhandled error would end the process.
    client.on('error', () => client.destroy());
    const refusal = this.#admit(request) ?? NO_TUNNEL;
    endWithAnswer(client, refusal, { header: refusal === UNAUTHORISED ? `Proxy-Authenticate: ${PROXY_CHALLENGE}\r\n` : '' });
  }

  #admit(request: IncomingMessage): Refusal | undefined {
    const target = request.url ?? '';
    if (target.startsWith('/') || target === '*') return ORIGIN_FORM;
    if (this.#authorised(request.headers['proxy-authorization'])) {
      this.#strangers.delete(request.socket);
      return undefined;
    }
    this.#unauthorised++;
    return UNAUTHORISED;
  }

  #refuse(response: ServerResponse, refusal: Refusal): void {
    plainAnswer(response, refusal.status, refusal.sentence, refusal === UNAUTHORISED ? { 'proxy-authenticate': PROXY_CHALLENGE } : {});
  }
}

/** Why a request is handed back: it changes something, or identifies its sender. `undefined` if it may be carried. */
function whyNotCarried({ method, headers }: IncomingMessage): HandedBack | undefined {
  if (headers.authorization !== undefined) return 'authentication';
  return (method !== 'GET' && method !== 'HEAD') || hasBody(headers) || headers.upgrade !== undefined ? 'again' : undefined;
}
