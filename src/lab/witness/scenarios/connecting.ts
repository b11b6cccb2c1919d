/** Scenarios about connections themselves, as the kernel and the servers see them: how they are tried, kept alive and given up. */

import { ASKS_SERVER } from '../../firefox/lab-preferences.ts';
import { countingServer } from '../counting-server.ts';
import { type Answer, IPV6_LOOPBACK, ipv4, RECORD } from '../dns-message.ts';
import { dnsServerFor } from '../dns-server.ts';
import { fullBacklog } from '../full-backlog.ts';
import { connectedTo } from '../kernel-sockets.ts';
import type { Scenario } from '../scenario.ts';
import { heldPicture, numbered, page, pictures } from './html.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Connections to a port at which nothing answers. */
const EVERY_MS = 50;
const attempts = (afterMs: number): Scenario => ({
  preferences: { 'network.http.speculative-parallel-limit': 0 },
  run: async ({ browser }) => {
    const nobody = await fullBacklog({ host: '127.0.0.1' });
    try {
      await browser.open(`http://127.0.0.1:${nobody.port}/`);
      const deadline = performance.now() + 10_000;
      while ((await connectedTo(nobody.port, 'syn-sent')).length === 0 && performance.now() < deadline) await pause(EVERY_MS);
      await pause(afterMs);
      return (await connectedTo(nobody.port, 'syn-sent')).length;
    } finally {
      await nobody.close();
    }
  },
});
/** Longer than the wait before a backup connection (250 ms), and shorter than the first repetition of a SYN (1 s). */
export const earlyAttempts = attempts(900);
/** Firefox looks at its limits once a second. */
export const lateAttempts = attempts(3200);

/** A request that is not answered: whether Firefox has closed its connection after some seconds. */
const PATIENCE_MS = 3500;
export const unansweredRequest: Scenario = {
  // Firefox leaves it to the kernel's probes where there are some.
  preferences: { 'network.http.tcp_keepalive.short_lived_connections': false, 'network.http.tcp_keepalive.long_lived_connections': false },
  run: async ({ browser }) => {
    const server = await countingServer({ respond: () => heldPicture });
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.length > 0, 'the request');
      const [first] = server.requests;
      await server.until(() => first?.connection.open === false, 'the end', PATIENCE_MS).catch(() => {});
      return first?.connection.open === false ? 1 : 0;
    } finally {
      await server.close();
    }
  },
};

/** Seconds until the kernel probes the connections of a page that waits for a picture, of those that it will probe. */
const probes = (count: (seconds: readonly number[]) => number): Scenario => ({
  run: async ({ browser }) => {
    const server = await countingServer({ respond: ({ path }) => (path === '/' ? page(pictures(['/held'])) : heldPicture) });
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.some(({ path }) => path === '/held'), 'the request');
      const ports = server.requests.map(({ connection }) => connection.clientPort);
      await pause(NEW_MS);
      const sockets = (await connectedTo(server.port, 'established')).filter(({ localPort }) => ports.includes(localPort));
      return count(sockets.flatMap(({ keepAliveS }) => (keepAliveS === undefined ? [] : [keepAliveS])));
    } finally {
      await server.close();
    }
  },
});
const NEW_MS = 200;
export const probesDue = probes((seconds) => Math.min(1, seconds.length));
export const nextProbe = probes((seconds) => Math.max(0, ...seconds));

/** Send buffer of the connection of an upload. */
const UPLOAD_BYTES = 3_000_000;
export const uploadBuffer: Scenario = {
  run: async ({ browser, certificate, label }) => {
    let buffer = 0;
    const server = await countingServer({
      certificate,
      respond: ({ path }) =>
        path === '/' ? page(`<script>fetch('/upload', { method: 'POST', body: new Uint8Array(${UPLOAD_BYTES}) });</script>`) : heldPicture,
    });
    try {
      await browser.open(`https://${label}.witness.test:${server.port}/`);
      await server.until(() => server.requests.some(({ bodyBytes }) => bodyBytes === UPLOAD_BYTES), 'the upload');
      const port = server.requests.find(({ path }) => path === '/upload')?.connection.clientPort;
      const socket = (await connectedTo(server.port, 'established')).find(({ localPort }) => localPort === port);
      buffer = socket?.sendBufferBytes ?? 0;
      return buffer;
    } finally {
      await server.close();
    }
  },
};

/** A page whose pictures take every connection, then a click that asks for more. */
export const pressedPictures: Scenario = {
  preferences: { 'network.http.max-persistent-connections-per-server': 2, 'network.http.pacing.requests.enabled': false },
  run: async ({ browser }) => {
    const more = `for (const n of [0,1,2,3,4,5,6,7,8,9]) new Image().src = '/pressed/' + n`;
    const server = await countingServer({
      respond: ({ path }) => {
        if (path === '/') return page(`<body onmousedown="${more}" style="height:100vh">${pictures(numbered('/held', 6))}`);
        return heldPicture;
      },
    });
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.filter(({ path }) => path.startsWith('/held')).length >= 2, 'the held pictures');
      await server.quiet(600);
      await browser.press();
      const pressed = () => server.requests.filter(({ path }) => path.startsWith('/pressed')).length;
      await server.until(() => pressed() > 0, 'what a click asks for');
      await server.quiet(500);
      return pressed();
    } finally {
      await server.close();
    }
  },
};

const LATE_MS = 5000;
const AFTER_MS = 60;

/** A name with an address of version 6 at which nothing answers, and one of version 4 that does: whether the page comes within `withinMs`. */
const twoFamilies = (options: {
  readonly withinMs: number;
  readonly version6: 'silent' | 'late';
  readonly preferences?: Scenario['preferences'];
}): Scenario => ({
  preferences: {
    ...ASKS_SERVER,
    'network.dns.use_https_rr_as_altsvc': false,
    'network.dns.upgrade_with_https_rr': false,
    'network.http.speculative-parallel-limit': 0,
    ...options.preferences,
  },
  run: async ({ browser, certificate, label }) => {
    const silent = await fullBacklog({ host: '::1' });
    const server = await countingServer({ port: silent.port, respond: () => page('one') });
    const answer = ({ type }: { readonly type: number }): readonly Answer[] => {
      if (type === RECORD.a) return [{ type, ttlS: 60, data: ipv4('127.0.0.1') }];
      return type === RECORD.aaaa && options.version6 === 'silent' ? [{ type, ttlS: 60, data: IPV6_LOOPBACK }] : [];
    };
    const dns = await dnsServerFor(browser, {
      certificate,
      answer,
      // The address of version 6 comes first where there is one.
      delayMs: ({ type }) => (options.version6 === 'late' ? (type === RECORD.aaaa ? LATE_MS : 0) : type === RECORD.a ? AFTER_MS : 0),
    });
    try {
      await browser.open(`http://${label}.witness.test:${server.port}/`);
      await dns.until(() => dns.about(label).some(({ type }) => type === RECORD.a), 'the question');
      await server.until(() => server.requests.length > 0, 'the page', options.withinMs).catch(() => {});
      return server.requests.length > 0 ? 1 : 0;
    } finally {
      await server.close();
      await silent.close();
      await dns.close();
    }
  },
});
const EYEBALLS = { 'network.http.happy_eyeballs_enabled': true };
export const silentVersion6 = twoFamilies({ withinMs: 2500, version6: 'silent' });
export const silentVersion6Soon = twoFamilies({ withinMs: 2500, version6: 'silent', preferences: EYEBALLS });
export const lateVersion6 = twoFamilies({ withinMs: 2500, version6: 'late', preferences: EYEBALLS });
export const withoutEyeballs = twoFamilies({
  withinMs: 2500,
  version6: 'silent',
  preferences: { 'network.http.connection-retry-timeout': 0, 'network.http.fast-fallback-to-IPv4': false },
});
