/** What the embedded server must know of a request that a server in front of it passes on. */
import type { IncomingMessage } from 'node:http';
import { type FrontKind, originsOf } from '../pages/served-by.ts';

/** Set by every server in front: address and port of the browser's end, so that its connections are counted, not the front's own. */
export const CONNECTION_HEADER = 'x-plumbfox-connection';

export interface FrontRequest {
  /** The servers of the page as this browser names them, all by the same front. */
  readonly origins: readonly string[];
  /** The one that was asked. */
  readonly origin: string;
  /** One object for all requests of one connection of the browser's. */
  readonly connection: object;
}

export interface BehindFronts {
  /** `undefined` where the Host header names none of the servers. */
  identify(request: Pick<IncomingMessage, 'headers'>): FrontRequest | undefined;
  /** Connections are told apart from here on only. */
  reset(): void;
}

/** @param addresses - All server addresses, in the order of their indices. */
export function behindFronts(kinds: readonly FrontKind[], addresses: readonly string[]): BehindFronts {
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
