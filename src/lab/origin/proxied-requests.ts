/** What the embedded server must know of a request that a reverse proxy passes on. */
import type { IncomingMessage } from 'node:http';
import { originsOf, type ReverseProxyKind } from '../pages/served-by.ts';

/** Set by every reverse proxy: address and port of the browser's end, so that its connections are counted, not the proxy's own. */
export const CONNECTION_HEADER = 'x-plumbfox-connection';

export interface ProxiedRequest {
  /** The servers of the page as this browser names them, all by the same proxy. */
  readonly origins: readonly string[];
  /** The one that was asked. */
  readonly origin: string;
  /** One object for all requests of one connection of the browser's. */
  readonly connection: object;
}

export interface ProxiedRequests {
  /** `undefined` where the Host header names none of the servers. */
  identify(request: Pick<IncomingMessage, 'headers'>): ProxiedRequest | undefined;
  /** Connections are told apart from here on only. */
  reset(): void;
}

/** @param addresses - All server addresses, in the order of their indices. */
export function proxiedRequests(kinds: readonly ReverseProxyKind[], addresses: readonly string[]): ProxiedRequests {
  const byHost = new Map(
    kinds.flatMap((kind) => {
      const origins = originsOf(kind, addresses);
      return origins.map((origin) => [new URL(origin).host, { origin, origins }] as const);
    }),
  );
  let connections = new Map<string, object>();
  return {
    identify: ({ headers }) => {
      const asked = byHost.get(headers.host ?? '');
      if (!asked) return undefined;
      const key = `${asked.origin} ${headers[CONNECTION_HEADER]}`;
      const connection = connections.get(key) ?? {};
      connections.set(key, connection);
      return { ...asked, connection };
    },
    reset: () => {
      connections = new Map();
    },
  };
}
