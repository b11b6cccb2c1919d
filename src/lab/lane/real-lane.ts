/** A lane over the network as it is: no emulation, no servers of ours, nobody who counts at the other end. */
import { PlumbfoxError } from '../../core/errors.ts';
import { plainProcess } from '../process/own-process.ts';
import type { Lane } from './lane.ts';
import { laneFactsAnswer, loadOutcomeAnswer } from './lane-answers.ts';
import { loadPatienceMs, startPatienceMs } from './lane-protocol.ts';

export async function realLane(): Promise<Lane> {
  const client = plainProcess('lane-worker');
  const emulated = async (): Promise<never> => {
    throw new PlumbfoxError('internal', 'The real network is not emulated');
  };
  return {
    kind: 'real',
    congestionControl: undefined,
    serve: emulated,
    servePages: emulated,
    versions: () => ({}),
    start: (start) => client.ask('start', start, { answer: laneFactsAnswer, timeoutMs: startPatienceMs(start) }),
    useLink: async () => {},
    checkLink: emulated,
    pageUrl: () => {
      throw new PlumbfoxError('internal', 'The real network has no pages of the lab');
    },
    load: ({ weather: _weather, ...order }) => client.ask('load', order, { answer: loadOutcomeAnswer, timeoutMs: loadPatienceMs(order) }),
    close: () => client.stop(),
  };
}
