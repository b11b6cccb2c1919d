/**
 * Requests between the command and its own child processes: one JSON document per line on stdin and stdout.
 * A child ends when its stdin closes, so that nothing outlives the command, however the command ended.
 */

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { type ErrorKind, PlumbfoxError } from '../core/errors.ts';

const requestLine = v.object({ id: v.number(), method: v.string(), params: v.unknown() });
const replyLine = v.object({
  id: v.number(),
  value: v.optional(v.unknown()),
  error: v.optional(v.object({ kind: v.string(), message: v.string() })),
});

export type Handlers = Readonly<Record<string, (params: never) => unknown>>;

/** Serves requests on this process's own stdin and stdout until stdin closes; then `onEnd` cleans up. */
export function serveRpc(handlers: Handlers, onEnd: () => Promise<void>): void {
  const lines = createInterface({ input: process.stdin });
  const reply = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  lines.on('line', (line) => {
    const { id, method, params } = v.parse(requestLine, JSON.parse(line));
    const handler = handlers[method];
    Promise.resolve()
      .then(() => {
        if (!handler) throw new PlumbfoxError('internal', `No method ${method}`);
        return handler(params as never);
      })
      .then(
        (value) => reply({ id, value }),
        (error: unknown) =>
          reply({
            id,
            error: {
              kind: error instanceof PlumbfoxError ? error.kind : 'internal',
              message: error instanceof Error ? error.message : String(error),
            },
          }),
      );
  });
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    void onEnd().finally(() => process.exit(0));
  };
  lines.on('close', end);
  // The command decides when its children end; a Ctrl-C reaches the whole process group.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', end);
}

export interface RpcClient {
  call<T>(method: string, params?: unknown): Promise<T>;
  /** Settles when the process has gone. */
  readonly exited: Promise<void>;
  /** Closes its stdin and waits for it to go; kills it after the grace period. */
  stop(): Promise<void>;
}

/** How long a child may take to clean up: Firefox itself takes up to a second or two to quit. */
const STOP_GRACE_MS = 8000;

/** Talks to a child process that runs `serveRpc`. @throws PlumbfoxError of the kind the child named, or `environment` when it died. */
export function rpcClient(child: ChildProcess, name: string): RpcClient {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let stderrTail = '';
  let gone = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-2000);
  });
  const exited = new Promise<void>((resolve) => {
    const onGone = (why: string) => {
      if (gone) return;
      gone = true;
      for (const { reject } of pending.values())
        reject(new PlumbfoxError('environment', `The ${name} process ended (${why})${lastLine(stderrTail)}`));
      pending.clear();
      resolve();
    };
    child.once('exit', (code, signal) => onGone(signal ?? `exit code ${code}`));
    child.once('error', (error) => onGone(error.message));
  });
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, value, error } = v.parse(replyLine, JSON.parse(line));
      const waiting = pending.get(id);
      pending.delete(id);
      if (error) waiting?.reject(new PlumbfoxError(error.kind as ErrorKind, error.message));
      else waiting?.resolve(value);
    });
  }
  child.stdin?.on('error', () => {});
  return {
    exited,
    call: <T>(method: string, params: unknown = {}) =>
      new Promise<T>((resolve, reject) => {
        if (gone) return reject(new PlumbfoxError('environment', `The ${name} process is not running${lastLine(stderrTail)}`));
        const id = nextId++;
        pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
        child.stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
      }),
    stop: async () => {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1);
  return line ? `: ${line}` : '';
}
