/** Scenarios about what Firefox does before it must: connections, hints, and responses that may never be wanted. */
import { type CountingServer, countingServer, type Reply, type SeenRequest } from '../counting-server.ts';
import { fullBacklog } from '../full-backlog.ts';
import { steadyAttempts } from '../kernel-sockets.ts';
import type { Scenario } from '../scenario.ts';
import { page } from './html.ts';
import { overTls } from './http2.ts';

/** A hint acts soon or not at all; a busy machine has taken more than 2 s. Waited out only where the hint does not act. */
const HINTS_MS = 5000;
const isHinted = ({ path }: SeenRequest) => path.startsWith('/hinted');
/** Hosts of this machine that no page of the scenario is on. */
const HOSTS = Array.from({ length: 12 }, (_, index) => `127.0.0.${20 + index}`);

/** A page that names twelve servers, of which it asks for nothing: connections to them. */
const hinted = (preferences: Scenario['preferences'], reply: (port: number) => Reply): Scenario => ({
  ...(preferences && { preferences }),
  run: async ({ browser }) => {
    const server: CountingServer = await countingServer({ host: '0.0.0.0', respond: () => reply(server.port) });
    const named = () => server.connections.filter(({ serverAddress }) => HOSTS.includes(serverAddress)).length;
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.length > 0, 'the page');
      await server.until(() => named() === HOSTS.length, 'the connections', HINTS_MS).catch(() => {});
      return named();
    } finally {
      await server.close();
    }
  },
});
export const preconnects = hinted({}, (port) => page(HOSTS.map((host) => `<link rel=preconnect href="http://${host}:${port}">`).join('')));

/** A page with a hint in its head: requests for what the hint names. */
const followed = (hint: string): Scenario => ({
  run: (deps) =>
    overTls(deps, {
      respond: ({ path }) => (path === '/' ? page(hint) : { type: 'text/javascript', body: '1' }),
      until: async (server) => {
        await server.until(() => server.requests.length > 0, 'the page');
        await server.until(() => server.requests.some(isHinted), 'what is hinted at', HINTS_MS).catch(() => {});
      },
      count: ({ requests }) => requests.filter(isHinted).length,
    }),
});
export const prefetched = followed('<link rel=prefetch href="/hinted">');
export const preloadedModules = followed('<link rel=modulepreload href="/hinted.mjs">');

/** Early Hints (RFC 8297) of a page that itself is held back: what is asked for meanwhile. */
const LINKS = ['</hinted.css>; rel=preload; as=style'];
const early = (alpn: readonly string[]): Scenario => ({
  run: async ({ browser, certificate, label }) => {
    const respond = ({ path }: SeenRequest): Reply =>
      path === '/' ? { ...page('late'), hold: true, earlyHints: LINKS } : { type: 'text/css', body: 'a {}' };
    const server = await countingServer({ certificate, alpn, respond });
    try {
      await browser.open(`https://${label}.witness.test:${server.port}/`);
      await server.until(() => server.requests.length > 0, 'the page');
      await server.until(() => server.requests.some(isHinted), 'what is hinted at', HINTS_MS).catch(() => {});
      return server.requests.filter(isHinted).length;
    } finally {
      await server.close();
    }
  },
});
export const earlyHints = early(['h2']);
export const earlyHintsHttp1 = early(['http/1.1']);

/** The same with the names of twelve servers to connect to, none of which answers. */
export const earlyPreconnects: Scenario = {
  preferences: { 'network.http.connection-retry-timeout': 0 },
  run: async ({ browser, certificate, label }) => {
    const nobody = await fullBacklog({ host: '127.0.0.1' });
    const links = HOSTS.map((_, index) => `<https://early${index}-${label}.witness.test:${nobody.port}>; rel=preconnect`);
    const server = await countingServer({ certificate, respond: () => ({ ...page('late'), hold: true, earlyHints: links }) });
    try {
      await browser.open(`https://${label}.witness.test:${server.port}/`);
      await server.until(() => server.requests.length > 0, 'the page');
      return await steadyAttempts(nobody.port);
    } finally {
      await server.close();
      await nobody.close();
    }
  },
};
