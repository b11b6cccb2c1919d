/** Where the lab's own child processes are, built beside the command. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlumbfoxError } from '../../core/errors.ts';
import { type RpcClient, rpcClient } from './rpc.ts';

/** The root of the installed project: the folder that holds package.json and dist. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new PlumbfoxError('internal', 'The project folder was not found above the running program');
    folder = parent;
  }
  return folder;
}

/** @throws PlumbfoxError `environment` when the project has not been built. */
export function ownProcess(name: 'relay-process' | 'tcp-relay-process' | 'origin-process' | 'lane-worker'): readonly [string, string] {
  const path = join(projectRoot(), 'dist', 'cli', `${name}.mjs`);
  if (!existsSync(path)) throw new PlumbfoxError('environment', 'Plumbfox has not been built: run npm run build');
  return [process.execPath, path];
}

/** A process of ours beside the command. @param prefix - What it is started with, such as a namespace. @returns its process id too. */
export function plainProcess(
  name: Parameters<typeof ownProcess>[0],
  prefix: readonly string[] = [],
): RpcClient & { readonly pid?: number } {
  const [program = '', ...rest] = [...prefix, ...ownProcess(name)];
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  return { ...rpcClient(child, name), ...(child.pid !== undefined && { pid: child.pid }) };
}
