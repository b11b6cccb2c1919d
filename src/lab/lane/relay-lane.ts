/** A lane over the TCP relay: for machines that cannot emulate packets. */

import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { ownNetwork } from '../firefox/own-network.ts';
import { SERVER_ADDRESSES } from '../link/emulated-link.ts';
import { type LinkMeasurement, plainLink } from '../link/link-check.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { parseRecipe } from '../pages/page-recipe.ts';
import { reverseProxyKinds, type ServedBy } from '../pages/served-by.ts';
import { plainProcess } from '../process/own-process.ts';
import { whileRunning } from '../process/process-lifetimes.ts';
import type { Lane } from './lane.ts';
import {
  LINK_PATIENCE_MS,
  laneFactsAnswer,
  linkMeasurementAnswer,
  loadOutcomeAnswer,
  loadPatienceMs,
  originCountsAnswer,
  portsAnswer,
  startPatienceMs,
} from './lane-protocol.ts';

/** Servers of the page recipes: as many as the packet lane has addresses. */
const SERVERS = SERVER_ADDRESSES.length;

export async function relayLane(): Promise<Lane> {
  const processes: ReturnType<typeof plainProcess>[] = [];
  // All in one namespace, where the machine gives one: nobody else reaches their ports.
  const network = await ownNetwork();
  const begin = async (name: Parameters<typeof plainProcess>[0]) => {
    const first = processes[0]?.pid;
    const started = plainProcess(name, first === undefined ? network?.prefix : network?.join(first));
    processes.push(started);
    // A process can be joined once it has begun.
    if (first === undefined) await started.ask('pid', {}, { answer: v.number() });
    return started;
  };
  const close = async () => {
    for (const each of processes.toReversed()) await each.stop();
  };
  try {
    const server = await begin('origin-process');
    const relay = await begin('tcp-relay-process');
    const client = await begin('lane-worker');
    const ports = await server.ask(
      'listen',
      { hosts: Array.from({ length: SERVERS }, () => '127.0.0.1'), port: 0 },
      { answer: portsAnswer },
    );
    const relayed = await relay.ask('relay', ports, { answer: portsAnswer });
    const origins = relayed.map((port) => `http://127.0.0.1:${port}`);
    await server.call('public-origins', origins);
    const alive = whileRunning([
      { name: 'The lane worker', ended: client.exited },
      { name: 'The relay', ended: relay.exited },
      { name: 'The origin server', ended: server.exited },
    ]);
    const setLink = async (spec: LinkSpec) => {
      await relay.call('set-link', spec);
    };
    return {
      kind: 'relay',
      congestionControl: undefined,
      serve: async (kinds) => {
        const [proxy] = reverseProxyKinds(kinds);
        if (proxy !== undefined) throw needsPackets(proxy);
      },
      servePages: async (recipes) => {
        await server.call('serve-pages', recipes.map(parseRecipe));
      },
      versions: () => ({}),
      start: (start) => client.ask('start', start, { answer: laneFactsAnswer, timeoutMs: startPatienceMs(start) }),
      useLink: setLink,
      checkLink: (spec) =>
        checkRelayedLink(spec, {
          setLink,
          measure: ({ rttMs, downKbps }) => {
            const target = { host: '127.0.0.1', port: relayed[0], expectedRttMs: rttMs, expectedDownKbps: downKbps, rttBy: 'request' };
            return alive(client.ask('measure-link', target, { answer: linkMeasurementAnswer, timeoutMs: LINK_PATIENCE_MS }));
          },
          flush: async () => {
            await relay.call('flush');
          },
        }),
      pageUrl: (page, token, servedBy = 'embedded') => {
        if (servedBy !== 'embedded') throw needsPackets(servedBy);
        return `${origins[0]}/${page}/${token}/`;
      },
      load: async ({ weather, ...order }) => {
        await alive(server.call('reset'));
        if (weather !== undefined) await alive(relay.call('weather', weather));
        const outcome = await alive(client.ask('load', order, { answer: loadOutcomeAnswer, timeoutMs: loadPatienceMs(order) }));
        return { ...outcome, origins: await alive(server.ask('counters', {}, { answer: originCountsAnswer })) };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RelayEnds {
  /** @throws PlumbfoxError `environment` for a link that the relay cannot be. */
  setLink(link: LinkSpec): Promise<void>;
  measure(expected: LinkSpec): Promise<LinkMeasurement>;
  /** Drops what the measurement has still on its way. */
  flush(): Promise<void>;
}

/**
 * Checks a link of the relay lane: RTT and rate by plain TCP, without the link's own jitter and trace, which make both uncertain. Leaves the
 * link in place as asked. @throws PlumbfoxError `environment`, before anything is measured, for one that cannot be.
 */
export async function checkRelayedLink(asked: LinkSpec, { setLink, measure, flush }: RelayEnds): Promise<LinkMeasurement> {
  await setLink(asked);
  await setLink(plainLink(asked));
  const measured = await measure(asked);
  await flush();
  await setLink(asked);
  return measured;
}

const needsPackets = (kind: ServedBy): PlumbfoxError =>
  new PlumbfoxError(
    'environment',
    `Pages served by ${kind} need a link emulated per packet: Linux, with root or password-less sudo and /dev/net/tun`,
  );
