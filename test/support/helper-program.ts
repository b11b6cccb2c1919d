/** The built helper as a process: as Firefox starts it, or as the guard of a profile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';

export const HELPER_PROGRAM = resolve('dist/helper/plumbfox-helper.mjs');
export const CALLER = ['/home/ann/.mozilla/native-messaging-hosts/plumbfox.json', EXTENSION_ID] as const;

export interface RunningHelper {
  readonly child: ChildProcess;
  /** Settles with its exit code, `null` where it was killed, when its output is complete. */
  readonly ended: Promise<number | null>;
  readonly stdout: () => Buffer;
  readonly stderr: () => string;
}

export function startHelper(args: readonly string[]): RunningHelper {
  const child = spawn(process.execPath, [HELPER_PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  return {
    child,
    ended: once(child, 'close').then(([code]) => code as number | null),
    stdout: () => Buffer.concat(out),
    stderr: () => Buffer.concat(err).toString('utf8'),
  };
}
