/** Scenarios over TLS: what the first message of a connection offers, and whether an earlier session is resumed. */
import { type ClientHello, keyShares } from '../client-hello.ts';
import { type CountingServer, countingServer } from '../counting-server.ts';
import type { Scenario } from '../scenario.ts';
import { heldPicture, numbered, page, pictures } from './html.ts';
import { overTls } from './http2.ts';

/** Something of the first ClientHello of a page load. */
const offered = (count: (hello: ClientHello) => number): Scenario => ({
  run: (deps) =>
    overTls(deps, {
      respond: () => page('one'),
      until: (server) => server.until(() => server.requests.length > 0, 'the page'),
      count: ({ requests }) => {
        const hello = requests[0]?.connection.hello;
        return hello ? count(hello) : 0;
      },
    }),
});

export const keySharesOffered = offered((hello) => keyShares(hello).length);

/** How long a handshake that gets no answer may last, and some more, ms. */
const GIVEN_UP_MS = 12_000;
export const unansweredHandshake: Scenario = {
  run: async ({ browser, certificate, label }) => {
    const server = await countingServer({ certificate, mute: true, respond: () => page('') });
    try {
      await browser.open(`https://${label}.witness.test:${server.port}/`);
      await server.until(() => server.connections.length > 0, 'the connection');
      await server.until(() => server.connections.some(({ open }) => !open), 'giving up', GIVEN_UP_MS).catch(() => {});
      return server.connections.some(({ open }) => !open) ? 1 : 0;
    } finally {
      await server.close();
    }
  },
};

const PRUNE = `() => { Services.obs.notifyObservers(null, 'net:prune-all-connections'); }`;

/** A page, then all connections closed, then a page with pictures on six connections: how many of them resume a session. */
export const resumedConnections: Scenario = {
  preferences: {
    'network.http.http2.enabled': false,
    'network.http.speculative-parallel-limit': 0,
    'network.http.pacing.requests.enabled': false,
  },
  run: async ({ browser, certificate, label }) => {
    const server = await countingServer({
      certificate,
      respond: ({ path }) =>
        path === '/second' ? page(pictures(numbered('/picture', 12))) : path === '/first' ? page('first') : heldPicture,
    });
    const origin = `https://${label}.witness.test:${server.port}`;
    try {
      await browser.open(`${origin}/first`);
      await server.until(() => server.requests.length > 0, 'the first page');
      await server.quiet(100);
      await browser.chrome.run<null>(PRUNE, null);
      await server.until(() => server.connections.every(({ open }) => !open), 'the end of the connections');
      const before = server.connections.length;
      await browser.open(`${origin}/second`);
      await server.until(() => server.requests.filter(({ path }) => path.startsWith('/picture')).length >= 6, 'the pictures');
      return resumedSince(server, before);
    } finally {
      await server.close();
    }
  },
};

const resumedSince = ({ connections }: CountingServer, first: number): number =>
  connections.slice(first).filter(({ resumed }) => resumed === true).length;
