/** Scenarios over HTTP/2: what Firefox's first frames say, how many streams and sessions it opens, and how it sends. */
import { type CountingServer, countingServer, type Reply, type SeenRequest } from '../counting-server.ts';
import { FRAME, type Frame, SETTING, settingIn } from '../http2-frames.ts';
import type { Scenario, ScenarioDeps } from '../scenario.ts';
import { heldPicture, numbered, page, picture, pictures } from './html.ts';

const QUIET_MS = 600;

interface Asked {
  readonly respond: (request: SeenRequest) => Reply;
  /** Path of the page. */
  readonly path?: string;
  readonly until?: (server: CountingServer) => Promise<void>;
  readonly count: (server: CountingServer) => number;
}

/** Loads one page of a server over TLS and counts. */
export async function overTls(
  { browser, certificate, label }: ScenarioDeps,
  { respond, path = '/', until, count }: Asked,
): Promise<number> {
  const server = await countingServer({ certificate, respond });
  try {
    await browser.open(`https://${label}.witness.test:${server.port}${path}`);
    await (until ? until(server) : server.until(() => server.requests.length > 0, 'the page'));
    return count(server);
  } finally {
    await server.close();
  }
}

const onePage = () => page('one');
const framesOf = ({ connections }: CountingServer): readonly Frame[] => connections.flatMap(({ frames }) => frames);
/** A connection that takes longer than 250 ms, as on a busy machine, gets another one beside it. */
const NO_BACKUP = { 'network.http.connection-retry-timeout': 0 };
/** Connections that carried a request: Firefox may open one more that it does not use. */
const used = ({ requests }: CountingServer): number => new Set(requests.map(({ connection }) => connection)).size;

/** A setting of the first SETTINGS frame. */
const setting = (name: keyof typeof SETTING): Scenario => ({
  run: (deps) => overTls(deps, { respond: onePage, count: (server) => settingIn(framesOf(server), SETTING[name]) ?? 0 }),
});
export const initialWindow = setting('initialWindowSize');
export const headerTable = setting('headerTableSize');

export const http2Requests: Scenario = {
  run: (deps) =>
    overTls(deps, { respond: onePage, count: ({ requests }) => requests.filter(({ connection }) => connection.alpn === 'h2').length }),
};

/** What the session's window is enlarged by before anything is asked for. */
export const sessionWindow: Scenario = {
  run: (deps) =>
    overTls(deps, {
      respond: onePage,
      count: (server) =>
        framesOf(server)
          .find(({ type, stream }) => type === FRAME.windowUpdate && stream === 0)
          ?.payload.readUInt32BE(0) ?? 0,
    }),
};

/** 60 pictures that are held back, of a server that names no limit. */
export const heldStreams: Scenario = {
  run: (deps) =>
    overTls(deps, {
      respond: ({ path }) => (path === '/' ? page(pictures(numbered('/picture', 60))) : heldPicture),
      until: (server) => server.until(() => server.requests.length >= 2, 'the pictures').then(() => server.quiet(QUIET_MS)),
      count: (server) => server.peakRequests(),
    }),
};

/** An upload of 200 kB: the longest DATA frame. */
const UPLOAD_BYTES = 200_000;
export const uploadFrames: Scenario = {
  run: (deps) =>
    overTls(deps, {
      respond: ({ path }) =>
        path === '/' ? page(`<script>fetch('/upload', { method: 'POST', body: new Uint8Array(${UPLOAD_BYTES}) });</script>`) : picture,
      until: (server) => server.until(() => server.requests.some(({ bodyBytes }) => bodyBytes === UPLOAD_BYTES), 'the upload'),
      count: (server) =>
        Math.max(
          ...framesOf(server)
            .filter(({ type }) => type === FRAME.data)
            .map(({ payload }) => payload.length),
        ),
    }),
};

/** A page with pictures of a second name at the same address, which the certificate covers: one session may serve both. */
export const twoNames: Scenario = {
  preferences: NO_BACKUP,
  run: (deps) =>
    overTls(deps, {
      respond: ({ path, host }) => (path === '/' ? page(pictures(numbered(`https://other-${host}/picture`, 2))) : picture),
      until: (server) => server.until(() => server.requests.length === 3, 'the pictures'),
      count: used,
    }),
};

/** A picture whose answer takes a while, so that Firefox may want to know whether the session still lives. */
const SLOW_MS = 3200;
export const slowPicture: Scenario = {
  run: (deps) => {
    const pings = (server: CountingServer) => framesOf(server).filter(({ type, flags }) => type === FRAME.ping && flags === 0).length;
    return overTls(deps, {
      respond: ({ path }) =>
        path === '/'
          ? page(`<script>fetch('/slow').then(() => fetch('/done'));</script>`)
          : path === '/slow'
            ? { write: (response) => setTimeout(() => response.end('x'), SLOW_MS) }
            : picture,
      until: (server) => server.until(() => server.requests.some(({ path }) => path === '/done'), 'the slow answer'),
      count: pings,
    });
  },
};

/** A picture after some idle time: whether the session is still there. */
const IDLE_MS = 3200;
export const sessionAfterIdling: Scenario = {
  preferences: NO_BACKUP,
  run: (deps) =>
    overTls(deps, {
      respond: ({ path }) =>
        path === '/' ? page(`<script>setTimeout(() => { new Image().src = '/late'; }, ${IDLE_MS});</script>`) : picture,
      until: (server) => server.until(() => server.requests.some(({ path }) => path === '/late'), 'the late picture'),
      count: used,
    }),
};

/** A page with pictures, two of them said to be urgent or not: what Firefox says of their priority (RFC 9218). */
const prioritised = (count: (server: CountingServer) => number): Scenario => ({
  run: (deps) =>
    overTls(deps, {
      respond: ({ path }) =>
        path === '/'
          ? page('<img src="/high" fetchpriority=high><img src="/low" fetchpriority=low><img src="/auto"><script src="/script"></script>')
          : picture,
      until: (server) => server.until(() => server.requests.length === 5, 'the pictures').then(() => server.quiet(100)),
      count,
    }),
});
export const priorityHeaders = prioritised(({ requests }) => requests.filter(({ headers }) => headers.priority !== undefined).length);

/** Urgencies as Firefox names them (0 is the most urgent; absent is 3), as far apart as the two pictures have them. */
export const urgencySpread = prioritised(({ requests }) => {
  const urgency = (wanted: string) => {
    const field = String(requests.find(({ path }) => path === wanted)?.headers.priority ?? '');
    return Number(/u=(\d)/.exec(field)?.[1] ?? 3);
  };
  return urgency('/low') - urgency('/high');
});
