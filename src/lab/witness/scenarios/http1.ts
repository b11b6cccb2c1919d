/** Scenarios over HTTP/1.1: how many connections Firefox opens, how many requests it sends at once, and how long it keeps a connection. */
import { type CountingServer, countingServer } from '../counting-server.ts';
import type { Scenario } from '../scenario.ts';
import { heldPicture, numbered, page, pageInTwo, picture, pictures } from './html.ts';

/** Nothing more is to come when a server has been idle for this long, ms, once the page has begun to ask for its pictures. */
const QUIET_MS = 600;
/** The page, and the one picture that a limit of one connection allows. */
const BEGUN = 2;

/** With pacing, not all connections that are allowed are used at once. */
const UNPACED = { 'network.http.pacing.requests.enabled': false };

const LOOPBACK = (host: number) => `127.0.0.${host}`;

/** The page's pictures are held back, so that all requests that are allowed at once arrive. */
async function requestsAtOnce(server: CountingServer, open: () => Promise<void>, begun = BEGUN): Promise<number> {
  try {
    await open();
    await server.until(() => server.requests.length >= begun, 'the pictures');
    await server.quiet(QUIET_MS);
    return server.peakRequests();
  } finally {
    await server.close();
  }
}

/** One page with 24 pictures. */
export const heldPictures: Scenario = {
  preferences: UNPACED,
  run: async ({ browser }) => {
    const server = await countingServer({ respond: ({ path }) => (path === '/' ? page(pictures(numbered('/picture', 24))) : heldPicture) });
    return requestsAtOnce(server, () => browser.open(`http://127.0.0.1:${server.port}/`));
  },
};

/** 60 pictures through an HTTP proxy, which is this server. */
export const heldPicturesByProxy: Scenario = {
  preferences: { ...UNPACED, 'network.proxy.type': 1, 'network.proxy.http': '127.0.0.1', 'network.proxy.allow_hijacking_localhost': true },
  run: async ({ browser, label }) => {
    const host = `http://${label}.witness.test`;
    const server = await countingServer({
      respond: ({ path }) => (path === `${host}/` ? page(pictures(numbered('/picture', 60))) : heldPicture),
    });
    return requestsAtOnce(server, async () => {
      await browser.set({ 'network.proxy.http_port': server.port });
      await browser.open(`${host}/`);
    });
  },
};

/** Pictures of eight servers, six each. */
export const heldPicturesOfManyServers: Scenario = {
  preferences: UNPACED,
  run: manyServers,
};

/** The same at one paced start per second and no burst: only what pacing lets pass arrives before the servers are idle. */
export const pacedPictures: Scenario = {
  preferences: {
    'network.http.pacing.requests.enabled': true,
    'network.http.pacing.requests.hz': 1,
    'network.http.pacing.requests.burst': 1,
    'network.http.pacing.requests.min-parallelism': 6,
  },
  run: manyServers,
};

const EACH = 6;

/** The first server's connections are busy before anything is asked of the others: pacing counts those that are. */
async function manyServers({ browser }: Parameters<Scenario['run']>[0]): Promise<number> {
  const server: CountingServer = await countingServer({
    host: '0.0.0.0',
    respond: ({ path }) => {
      const of = (host: number) => pictures(numbered(`http://${LOOPBACK(host)}:${server.port}/picture`, EACH));
      return path === '/' ? pageInTwo(of(1), [2, 3, 4, 5, 6, 7, 8].map(of).join(''), busy) : heldPicture;
    },
  });
  const busy = () => server.until(() => server.requests.length > EACH, 'the first pictures');
  return requestsAtOnce(server, () => browser.open(`http://${LOOPBACK(9)}:${server.port}/`), 1 + EACH + 1);
}

/** A connection that takes longer than 250 ms, as on a busy machine, gets another one beside it, which would be counted. */
const ONE_AT_A_TIME = { 'network.http.connection-retry-timeout': 0, 'network.http.speculative-parallel-limit': 0 };

/** A page whose second picture is wanted after its connection was idle for a while: whether a connection is opened for it. */
const IDLE_MS = 2500;
export const pictureAfterIdling: Scenario = {
  preferences: ONE_AT_A_TIME,
  run: async ({ browser }) => {
    const server = await countingServer({
      respond: ({ path }) =>
        path === '/' ? page(`<script>setTimeout(() => { new Image().src = '/late'; }, ${IDLE_MS});</script>`) : picture,
    });
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.some(({ path }) => path === '/late'), 'the late picture');
      return server.connections.length;
    } finally {
      await server.close();
    }
  },
};

/** A response that pauses in the middle: whether the picture after it uses the same connection. */
const PAUSE_MS = 2200;
export const pictureAfterPause: Scenario = {
  preferences: ONE_AT_A_TIME,
  run: async ({ browser }) => {
    const server = await countingServer({
      respond: ({ path }) => {
        if (path === '/') return page('<script>fetch("/pausing").then(r => r.text()).then(() => { new Image().src = "/late"; });</script>');
        if (path !== '/pausing') return picture;
        return {
          write: (response) => {
            response.writeHead(200, { 'content-length': 200 });
            (response as NodeJS.WritableStream).write('a'.repeat(100));
            setTimeout(() => response.end('b'.repeat(100)), PAUSE_MS);
          },
        };
      },
    });
    try {
      await browser.open(`http://127.0.0.1:${server.port}/`);
      await server.until(() => server.requests.some(({ path }) => path === '/late'), 'the late picture');
      return server.connections.length;
    } finally {
      await server.close();
    }
  },
};
