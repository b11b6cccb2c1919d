/** A lane over a link emulated per packet: browser and servers in network namespaces of their own. */
import { PlumbfoxError } from '../../core/errors.ts';
import { type Capture, laneDevice, startCapture } from '../capture/start-capture.ts';
import { CLOSING_PATIENCE_MS } from '../firefox/secure-servers.ts';
import { checkEmulatedLink, checkEnds } from '../link/check-emulated-link.ts';
import { type EmulatedLink, emulatedLink, SERVER_ADDRESSES } from '../link/emulated-link.ts';
import { type NamespaceProcess, namespaceProcess } from '../link/namespace-process.ts';
import { weatherBefore } from '../link/weather.ts';
import { type ReverseProxies, startReverseProxies } from '../origin/reverse-proxies.ts';
import { parseRecipe } from '../pages/page-recipe.ts';
import { originsOf, reverseProxyKinds } from '../pages/served-by.ts';
import { closeInTurn, type WatchedProcess, whileRunning } from '../process/process-lifetimes.ts';
import type { RpcClient } from '../process/rpc.ts';
import type { Lane } from './lane.ts';
import { nameDelayMs } from './lane-names.ts';
import {
  LINK_PATIENCE_MS,
  type LoadOrder,
  laneFactsAnswer,
  loadOutcomeAnswer,
  loadPatienceMs,
  originCountsAnswer,
  overheadAnswer,
  roundTripAnswer,
  type SecureServers,
  startPatienceMs,
} from './lane-protocol.ts';
import type { OverheadOrder, OverheadPairs } from './overhead-pairs.ts';

const HTTP_PORT = 80;

export interface CaptureOrder {
  /** Absent: the server's, which sends the responses. */
  readonly side?: 'server' | 'client';
  /** Bytes kept of every packet. Absent: all of it. */
  readonly snapLengthBytes?: number;
}

/** The longest an IPv4 packet can be (RFC 791). */
const WHOLE_PACKET = 65_535;

export interface PacketLane extends Lane {
  /** What the link has carried, dropped and lost since the lane was opened, or since `resetLinkCounters`. */
  linkCounters(): ReturnType<EmulatedLink['counters']>;
  /** Restarts the counts; a check of a link does so too. */
  resetLinkCounters(): Promise<void>;
  /** Records the packets of one side in a file until it is stopped, or the lane ends. */
  capture(path: string, options?: CaptureOrder): Promise<Capture>;
  /** For the benchmark of the recorder's cost. */
  overhead(order: OverheadOrder): Promise<OverheadPairs>;
}

/** The servers of a packet lane: the embedded one, those in front of it, and what all of them serve. */
interface LaneServing extends Pick<Lane, 'serve' | 'servePages' | 'versions' | 'pageUrl'> {
  /** The reverse proxies, so far. */
  readonly parts: () => readonly WatchedProcess[];
  /** What the browser must be started with. */
  readonly secure: () => { readonly secure?: SecureServers };
  readonly close: () => Promise<void>;
}

function laneServing(server: RpcClient): LaneServing {
  let proxies: ReverseProxies | undefined;
  let kinds: ReturnType<typeof reverseProxyKinds> = [];
  return {
    serve: async (wanted) => {
      if (proxies) throw new PlumbfoxError('internal', 'The servers of this lane have been started');
      const wantedProxies = reverseProxyKinds(wanted);
      if (wantedProxies.length === 0) return;
      proxies = await startReverseProxies({ kinds: wantedProxies, server, addresses: SERVER_ADDRESSES });
      kinds = wantedProxies;
    },
    servePages: async (recipes) => {
      await server.call('serve-pages', recipes.map(parseRecipe));
    },
    versions: () => proxies?.versions ?? {},
    pageUrl: (page, token, servedBy = 'embedded', visitor = token) => {
      if (servedBy !== 'embedded' && !kinds.includes(servedBy))
        throw new PlumbfoxError('internal', `${servedBy} was not asked of this lane before its browser started`);
      return `${originsOf(servedBy, SERVER_ADDRESSES, visitor)[0]}/${page}/${token}/`;
    },
    parts: () => proxies?.parts ?? [],
    secure: () =>
      proxies?.authority === undefined
        ? {}
        : {
            secure: {
              authority: proxies.authority,
              http3: kinds.includes('http3') ? SERVER_ADDRESSES : [],
              ...(proxies.nameServer && { nameServer: proxies.nameServer }),
            },
          },
    close: async () => proxies?.close(),
  };
}

export async function packetLane(options: { prefix: readonly string[]; env?: NodeJS.ProcessEnv }): Promise<PacketLane> {
  const opened: { close(): Promise<void> }[] = [];
  // The browser first: it is the one that notices.
  const close = () => closeInTurn(opened.toReversed().map((each) => () => each.close()));
  const begin = async (name: 'origin-process' | 'lane-worker'): Promise<NamespaceProcess> => {
    const inside = await namespaceProcess(name, { prefix: options.prefix, ...(options.env ? { env: options.env } : {}) });
    opened.push({ close: () => inside.stop() });
    return inside;
  };
  try {
    const server = await begin('origin-process');
    await server.call(
      'public-origins',
      SERVER_ADDRESSES.map((address) => `http://${address}`),
    );
    const serving = laneServing(server);
    opened.push(serving);
    const client = await begin('lane-worker');
    const link = await emulatedLink({ prefix: options.prefix, client, server });
    // Before the client: socat must not outlive the device that it carries.
    opened.unshift(link);
    await server.call('listen', { hosts: SERVER_ADDRESSES, port: HTTP_PORT });
    const target = { host: SERVER_ADDRESSES[0], port: HTTP_PORT };
    const parts = () => [
      { name: 'The lane worker', ended: client.exited },
      { name: 'The origin server', ended: server.exited },
      ...serving.parts(),
      ...link.parts,
    ];
    let watch = whileRunning(parts());
    const alive = <T>(work: Promise<T>) => watch(work);
    await link.calibrate(() => alive(client.ask('measure-rtt', target, { answer: roundTripAnswer, timeoutMs: LINK_PATIENCE_MS })));
    return {
      kind: 'packet',
      congestionControl: link.congestionControl,
      serve: async (kinds) => {
        await alive(serving.serve(kinds));
        watch = whileRunning(parts());
      },
      servePages: serving.servePages,
      versions: serving.versions,
      start: (start) =>
        client.ask('start', { ...start, ...serving.secure() }, { answer: laneFactsAnswer, timeoutMs: startPatienceMs(start) }),
      useLink: async (spec) => {
        await link.setLink(spec);
        await alive(client.call('name-delay', nameDelayMs(spec)));
      },
      checkLink: (spec) => alive(checkEmulatedLink(link, spec, checkEnds({ client, server, target, timeoutMs: LINK_PATIENCE_MS }))),
      pageUrl: serving.pageUrl,
      load: async ({ warmUrl: warm, firstVisitUrl, weather, ...order }) => {
        const warmUrl = warm ?? firstVisitUrl;
        const ask = (asked: LoadOrder) => alive(client.ask('load', asked, { answer: loadOutcomeAnswer, timeoutMs: loadPatienceMs(asked) }));
        const settle = (servers: 'fresh' | 'known') => alive(client.call('settle', servers, { timeoutMs: CLOSING_PATIENCE_MS }));
        if (warm === undefined) await settle('fresh');
        if (weather !== undefined && warmUrl !== undefined) await alive(link.setWeather(weatherBefore(weather)));
        const warming = warmUrl === undefined ? undefined : await ask({ ...order, url: warmUrl });
        if (warming && warming.load.observation.ended !== 'quiet')
          throw new PlumbfoxError('run-void', 'the load before, which is not measured, did not finish');
        if (firstVisitUrl !== undefined) await settle('known');
        await alive(server.call('reset'));
        if (weather !== undefined) await alive(link.setWeather(weather));
        await alive(link.resetCounters());
        const outcome = await ask(warmUrl === undefined ? order : { ...order, keepConnections: true });
        const origins = await alive(server.ask('counters', {}, { answer: originCountsAnswer }));
        return { ...outcome, origins, link: await alive(link.counters()) };
      },
      capture: async (path, { side = 'server', snapLengthBytes = WHOLE_PACKET } = {}) => {
        const inside = side === 'server' ? server : client;
        const capture = await startCapture({
          prefix: options.prefix,
          pid: inside.pid,
          device: await laneDevice(inside),
          path,
          snapLengthBytes,
        });
        // Before its device goes. Whoever wanted the file has stopped it and knows of a failure.
        opened.push({ close: () => capture.abandon() });
        return capture;
      },
      linkCounters: () => alive(link.counters()),
      resetLinkCounters: () => alive(link.resetCounters()),
      overhead: (order) => client.ask('overhead', order, { answer: overheadAnswer, timeoutMs: 3_600_000 }),
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}
