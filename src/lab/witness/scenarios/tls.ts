/** Scenarios over TLS: what the first message of a connection offers, and whether an earlier session is resumed. */
import { type ClientHello, EXTENSION, keyShares } from '../client-hello.ts';
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

const bytesOf = (extension: keyof typeof EXTENSION) => offered(({ extensions }) => extensions.get(EXTENSION[extension])?.length ?? 0);
const has = (extension: keyof typeof EXTENSION) => offered(({ extensions }) => (extensions.has(EXTENSION[extension]) ? 1 : 0));

export const helloBytes = offered(({ bytes }) => bytes);
export const keyShareCount = offered((hello) => keyShares(hello).length);
/** One byte of length, then two for each algorithm (RFC 8879, section 3). */
export const compressions = offered(({ extensions }) => ((extensions.get(EXTENSION.compressCertificate)?.length ?? 1) - 1) / 2);
export const encryptedHelloBytes = bytesOf('encryptedClientHello');
export const stapling = has('statusRequest');
export const delegated = has('delegatedCredentials');

/** How long a handshake that gets no answer may last, and some more, ms. */
const GIVEN_UP_MS = 3500;
export const unansweredHandshake: Scenario = {
  run: async ({ browser, certificate, label }) => {
    const server = await countingServer({ certificate, mute: true, respond: () => page('') });
    try {
      await browser.open(`https://${label}.witness.test:${server.port}/`);
      await server.until(() => server.connections.length > 0, 'the connection');
      await Promise.race([
        server.until(() => server.connections.some(({ open }) => !open), 'giving up').catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, GIVEN_UP_MS)),
      ]);
      return server.connections.filter(({ open }) => !open).length > 0 ? 1 : 0;
    } finally {
      await server.close();
    }
  },
};

const PRUNE = `() => { Services.obs.notifyObservers(null, 'net:prune-all-connections'); }`;

/** A page, then all connections closed, then a page with pictures on six connections: how many of them resume a session. */
const secondVisit = (): Scenario => ({
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
      await server.quiet(400);
      return resumedSince(server, before);
    } finally {
      await server.close();
    }
  },
});

const resumedSince = ({ connections }: CountingServer, first: number): number =>
  connections.slice(first).filter(({ resumed }) => resumed === true).length;

export const resumedConnections = secondVisit();
