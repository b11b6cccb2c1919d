/** What the processes at the two ends of a link do for its check, over their own connections to the command. */
import * as v from 'valibot';
import type { RpcClient } from '../rpc.ts';
import type { CheckEnds } from './check-emulated-link.ts';
import { CLIENT_ADDRESS } from './emulated-link.ts';
import type { LinkTarget, UploadTarget } from './measure-link.ts';

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const downloadAnswer = v.object({ rttMs: positive, downKbps: positive });

export interface CheckEndsOptions {
  readonly client: RpcClient;
  readonly server: RpcClient;
  readonly target: { readonly host: string; readonly port: number };
  /** Longest that any of it may take. */
  readonly timeoutMs: number;
}

export function checkEnds({ client, server, target, timeoutMs }: CheckEndsOptions): CheckEnds {
  return {
    download: ({ rttMs, downKbps }) => {
      const wanted: LinkTarget = { ...target, expectedRttMs: rttMs, expectedDownKbps: downKbps };
      return client.ask('measure-link', wanted, { answer: downloadAnswer, timeoutMs });
    },
    upload: ({ rttMs, upKbps }) => {
      const wanted: UploadTarget = { ...target, expectedRttMs: rttMs, expectedUpKbps: upKbps };
      return client.ask('measure-upload', wanted, { answer: positive, timeoutMs });
    },
    flood: async (direction, order) => {
      const [sender, address] = direction === 'down' ? [server, CLIENT_ADDRESS] : [client, target.host];
      await sender.call('flood', { ...order, address }, { timeoutMs });
    },
  };
}
