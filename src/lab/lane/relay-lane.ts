/** A lane over the TCP relay: for machines that cannot emulate packets. */
import type { LinkMeasurement } from '../link/link-check.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { OriginCount } from '../origin/origin-counters.ts';
import type { RpcClient } from '../rpc.ts';
import { whileRunning } from '../while-running.ts';
import type { Lane } from './lane.ts';
import { type LaneFacts, LINK_PATIENCE_MS, type LoadOutcome, loadPatienceMs, startPatienceMs } from './lane-protocol.ts';
import { plainProcess } from './plain-process.ts';

/** Servers of the page recipes: as many as the packet lane has addresses. */
const SERVERS = 4;

export async function relayLane(): Promise<Lane> {
  const processes: RpcClient[] = [];
  const begin = (name: Parameters<typeof plainProcess>[0]) => {
    const started = plainProcess(name);
    processes.push(started);
    return started;
  };
  const close = async () => {
    for (const each of processes.toReversed()) await each.stop();
  };
  try {
    const server = begin('origin-process');
    const relay = begin('tcp-relay-process');
    const client = begin('lane-worker');
    const ports = await server.call<number[]>('listen', { hosts: Array.from({ length: SERVERS }, () => '127.0.0.1'), port: 0 });
    const relayed = await relay.call<number[]>('relay', ports);
    const origins = relayed.map((port) => `http://127.0.0.1:${port}`);
    await server.call('public-origins', origins);
    const alive = whileRunning([
      { name: 'The lane worker', ended: client.exited },
      { name: 'The relay', ended: relay.exited },
      { name: 'The origin server', ended: server.exited },
    ]);
    return {
      kind: 'relay',
      congestionControl: undefined,
      start: (start) => client.call<LaneFacts>('start', start, { timeoutMs: startPatienceMs(start) }),
      useLink: (spec) => relay.call('set-link', spec),
      checkLink: async (spec: LinkSpec) => {
        await relay.call('set-link', spec);
        const target = {
          host: '127.0.0.1',
          port: relayed[0],
          expectedRttMs: spec.rttMs,
          expectedDownKbps: spec.downKbps,
          rttBy: 'request',
        };
        const measured = await alive(client.call<LinkMeasurement>('measure-link', target, { timeoutMs: LINK_PATIENCE_MS }));
        await relay.call('flush');
        return measured;
      },
      pageUrl: (page, token) => `${origins[0]}/${page}/${token}/`,
      load: async (order) => {
        await server.call('reset');
        const outcome = await alive(client.call<LoadOutcome>('load', order, { timeoutMs: loadPatienceMs(order) }));
        return { ...outcome, origins: await server.call<Record<string, OriginCount>>('counters') };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
