/** A process of ours beside the command, in no namespace of its own. */
import { spawn } from 'node:child_process';
import { ownProcess } from '../own-process.ts';
import { type RpcClient, rpcClient } from '../rpc.ts';

export function plainProcess(name: Parameters<typeof ownProcess>[0]): RpcClient {
  const [program, script] = ownProcess(name);
  return rpcClient(spawn(program, [script], { stdio: ['pipe', 'pipe', 'pipe'] }), name);
}
