/** A lane's worker: the process inside the client's namespace that holds Firefox and the gateway. */
import { PlumbfoxError } from '../../core/errors.ts';
import { type LinkTarget, measureLink, measureRtt, measureUpload, type UploadTarget } from '../link/measure-link.ts';
import { type FloodOrder, floodLink } from '../link/probe-datagrams.ts';
import { wakeLink } from '../link/wake-link.ts';
import { serveRpc } from '../rpc.ts';
import type { LoadOrder, StartLane } from './lane-protocol.ts';
import { type LaneSession, startLaneSession } from './lane-session.ts';
import { type OverheadOrder, overheadPairs } from './overhead-pairs.ts';

let starting: Promise<LaneSession> | undefined;

async function session(): Promise<LaneSession> {
  if (!starting) throw new PlumbfoxError('internal', 'The lane has not been started');
  return starting;
}

serveRpc(
  {
    overhead: (order: OverheadOrder) => overheadPairs(order),
    pid: () => process.pid,
    wake: (address: string) => wakeLink(address),
    'measure-link': (target: LinkTarget) => measureLink(target),
    'measure-upload': (target: UploadTarget) => measureUpload(target),
    flood: (order: FloodOrder) => floodLink(order),
    'measure-rtt': (target: { host: string; port: number }) => measureRtt(target),
    start: async (options: StartLane) => {
      starting = startLaneSession(options);
      return (await starting).facts;
    },
    load: async (order: LoadOrder) => (await session()).load(order),
    settle: async () => (await session()).settle(),
  },
  async () => {
    // A start that failed has cleaned up after itself and was answered with its error.
    const running = await starting?.catch(() => undefined);
    await running?.close();
  },
);
