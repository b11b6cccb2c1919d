import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { GatewayRoute } from '../../../../src/core/profiles/profile.ts';

export interface Answer {
  readonly status: number;
  readonly message: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: readonly string[];
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
  /** Instead of the route's own; null: none. */
  readonly authorization?: string | null;
}

export const basic = (secret: string, user = 'plumbfox') => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

/** A client of the gateway with as many keep-alive connections as Firefox may have to a proxy. */
export class GatewayClient {
  readonly #route: GatewayRoute;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 255 });

  constructor(route: GatewayRoute) {
    this.#route = route;
  }

  get openSockets(): number {
    return [...Object.values(this.#agent.sockets), ...Object.values(this.#agent.freeSockets)].flat().length;
  }

  /** `target` is put on the request line as it is. */
  ask(target: string, ask: Ask = {}): Promise<Answer> {
    const authorization = ask.authorization === undefined ? basic(this.#route.secret) : ask.authorization;
    const host = URL.canParse(target) ? new URL(target).host : 'nowhere';
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: this.#route.host,
          port: this.#route.port,
          path: target,
          agent: this.#agent,
          method: ask.method ?? 'GET',
          headers: { host, ...ask.headers, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
          ...(ask.signal === undefined ? {} : { signal: ask.signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', reject)
            .on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                message: response.statusMessage ?? '',
                headers: response.headers,
                rawHeaders: response.rawHeaders,
                rawTrailers: response.rawTrailers,
                body: Buffer.concat(chunks),
              }),
            );
        },
      );
      request.on('error', reject).end(ask.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
