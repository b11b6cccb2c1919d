/** Scenarios of HTTP/3: what Firefox's first QUIC packets say, and what it does when nobody answers them. */

import { keyShares } from '../client-hello.ts';
import { type CountingServer, countingServer } from '../counting-server.ts';
import { boundTo } from '../kernel-sockets.ts';
import { PARAMETER, parameterIn } from '../quic-initial.ts';
import { type QuicServer, type SeenQuic, silentQuicServer } from '../quic-server.ts';
import type { Scenario, ScenarioDeps } from '../scenario.ts';
import { page } from './html.ts';

/** So that a scenario about QUIC does not end as one about TCP. */
const PATIENT = { 'network.http.http3.backup_timer_delay': 30_000 };
const MAPPING = 'network.http.http3.alt-svc-mapping-for-testing';

interface Visit {
  readonly deps: ScenarioDeps;
  readonly tcp: CountingServer;
  readonly quic: QuicServer;
  readonly origin: string;
}

/** A page of a server that is known to have HTTP/3, at the same port. */
async function overQuic(deps: ScenarioDeps, visit: (visit: Visit) => Promise<number>): Promise<number> {
  const { browser, certificate, label } = deps;
  const tcp = await countingServer({ certificate, respond: () => page('one') });
  const quic = await silentQuicServer(tcp.port);
  try {
    await browser.set({ [MAPPING]: `${label}.witness.test;h3=:${tcp.port}` });
    const origin = `https://${label}.witness.test:${tcp.port}`;
    await browser.open(`${origin}/`);
    return await visit({ deps, tcp, quic, origin });
  } finally {
    await tcp.close();
    await quic.close();
  }
}

/** Something of the first connection whose ClientHello has come whole. */
const ofFirst = (count: (seen: SeenQuic & Required<Pick<SeenQuic, 'hello'>>) => number): Scenario => ({
  preferences: PATIENT,
  run: (deps) =>
    overQuic(deps, async ({ quic }) => {
      await quic.until(() => quic.connections.some(({ hello }) => hello !== undefined), 'a ClientHello over QUIC');
      const seen = quic.connections.find(({ hello }) => hello !== undefined);
      return seen?.hello ? count({ ...seen, hello: seen.hello }) : 0;
    }),
});

const parameter = (name: keyof typeof PARAMETER) => ofFirst(({ hello }) => parameterIn(hello, PARAMETER[name]) ?? 0);
export const quicMaxData = parameter('maxData');
export const quicMaxStreamData = parameter('maxStreamDataLocal');
export const quicIdleTimeout = parameter('maxIdleTimeout');
export const quicKeyShares = ofFirst(({ hello }) => keyShares(hello).length);

/** The receive buffer of the socket that the packets came from. */
export const quicReceiveBuffer: Scenario = {
  preferences: PATIENT,
  run: (deps) =>
    overQuic(deps, async ({ quic }) => {
      await quic.until(() => quic.connections.length > 0, 'a QUIC connection');
      const sockets = await boundTo(quic.connections[0]?.clientPort ?? 0);
      return Math.max(0, ...sockets.map(({ receiveBufferBytes }) => receiveBufferBytes));
    }),
};

/** Connections that are begun over QUIC by a page that needs none but the one over TCP. */
export const quicConnections: Scenario = {
  run: (deps) =>
    overQuic(deps, async ({ tcp, quic }) => {
      await tcp.until(() => tcp.requests.length > 0, 'the page');
      return Math.min(1, quic.connections.length);
    }),
};

/** Whether a page comes over TCP within this time when nobody answers over QUIC, ms. */
const WITHIN_MS = 1500;
export const withoutAnswer: Scenario = {
  preferences: { 'network.dns.httpssvc.http3_fast_fallback_timeout': 30_000, 'network.http.speculative-parallel-limit': 0 },
  run: (deps) =>
    overQuic(deps, async ({ tcp, quic }) => {
      await quic.until(() => quic.connections.length > 0, 'a QUIC connection');
      await tcp.until(() => tcp.requests.length > 0, 'the page', WITHIN_MS).catch(() => {});
      return tcp.requests.length > 0 ? 1 : 0;
    }),
};

/** A page that says where HTTP/3 is (RFC 7838), then another of the same server: whether Firefox looks there. */
export const announcedService: Scenario = {
  run: async ({ browser, certificate, label }) => {
    const tcp = await countingServer({
      certificate,
      respond: () => ({ ...page('one'), headers: { 'alt-svc': `h3=":${tcp.port}"; ma=3600` } }),
    });
    const quic = await silentQuicServer(tcp.port);
    const origin = `https://${label}.witness.test:${tcp.port}`;
    try {
      await browser.open(`${origin}/first`);
      await tcp.until(() => tcp.requests.length > 0, 'the first page');
      await tcp.quiet(200);
      await browser.chrome.run<null>(`() => { Services.obs.notifyObservers(null, 'net:prune-all-connections'); }`, null);
      await tcp.until(() => tcp.connections.every(({ open }) => !open), 'the end of the connections');
      await browser.open(`${origin}/second`);
      await tcp.until(() => tcp.requests.some(({ path }) => path === '/second'), 'the second page');
      return Math.min(1, quic.connections.length);
    } finally {
      await tcp.close();
      await quic.close();
    }
  },
};
