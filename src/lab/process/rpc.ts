/**
 * Requests between the command and its own child processes: one JSON document per line on stdin and stdout.
 * A child ends when its stdin closes, so that nothing outlives the command, however the command ended.
 */

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { ERROR_KINDS, PlumbfoxError } from '../../core/errors.ts';
import { handleUnhandledErrors } from './process-lifetimes.ts';

const json = v.pipe(v.string(), v.parseJson());
const requestLine = v.pipe(json, v.object({ id: v.number(), method: v.string(), params: v.unknown() }));
const replyLine = v.pipe(
  json,
  v.object({
    id: v.number(),
    value: v.optional(v.unknown()),
    error: v.optional(v.object({ kind: v.picklist(ERROR_KINDS), message: v.string() })),
  }),
);

/** Each by its request's name. What one throws arrives at the other end with its kind and message; what is no PlumbfoxError as `internal`. */
type Handlers = Readonly<Record<string, (params: never) => unknown>>;

/** Serves requests on this process's own stdin and stdout until stdin closes; then `onEnd` cleans up. */
export function serveRpc(handlers: Handlers, onEnd: () => Promise<void>): void {
  const lines = createInterface({ input: process.stdin });
  const reply = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  // Whatever no caller waits for here: its line goes to the command, which names it as what ended this process.
  handleUnhandledErrors((why) => {
    process.stderr.write(`${why}\n`, () => process.exit(1));
  });
  lines.on('line', (line) => {
    const request = v.safeParse(requestLine, line);
    if (!request.success) {
      process.stderr.write('A line came in that is no request\n');
      end();
      return;
    }
    const { id, method, params } = request.output;
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
    // Whatever hangs while it cleans up must not keep this process: what it holds goes with it.
    setTimeout(() => process.exit(0), END_GRACE_MS);
    onEnd().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`It did not end in good order: ${error instanceof Error ? error.message : String(error)}\n`, () =>
          process.exit(1),
        );
      },
    );
  };
  lines.on('close', end);
  // The command has gone: no process reads the answers.
  process.stdout.on('error', end);
  // The command decides when its children end; a Ctrl-C reaches the whole process group.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', end);
}

/** Longest that a process of ours may take over its cleaning up; shorter than the command's patience with it. */
const END_GRACE_MS = 7000;

interface CallOptions {
  /** Longest wait for the answer; a process that is stopped or stuck never gives one. */
  readonly timeoutMs?: number;
}

export interface RpcClient {
  /** For requests whose answer is only that they are done. */
  call(method: string, params?: unknown, options?: CallOptions): Promise<unknown>;
  /** The answer, parsed. @throws PlumbfoxError `internal` also when it is not what the schema says. */
  ask<T>(method: string, params: unknown, options: CallOptions & { readonly answer: v.GenericSchema<unknown, T> }): Promise<T>;
  /** Settles when the process has gone, with what ended it: a signal or an exit code. */
  readonly exited: Promise<string>;
  /** Closes its stdin and waits for it to go; kills it after the grace period. */
  stop(): Promise<void>;
}

/** How long a child may take to clean up: Firefox itself takes up to a second or two to quit. */
const STOP_GRACE_MS = 8000;
/** After SIGKILL; a process of another user (sudo) cannot be killed, and must not be waited for for ever. */
const KILLED_GRACE_MS = 1000;
/** Answers that need no network come at once; this long only from a process that is stopped. */
const ANSWER_TIMEOUT_MS = 10_000;
/** The first answer waits for Node to start, on a busy machine too. */
const FIRST_ANSWER_TIMEOUT_MS = 30_000;

/** Kind `run-void`: the child itself hangs. What it does ends by its own limits before, however long a page takes. */
export class NoAnswer extends PlumbfoxError {
  constructor(message: string) {
    super('run-void', message);
  }
}

/** Talks to a child process that runs `serveRpc`. @throws PlumbfoxError of the kind the child named, `environment` when it died, `run-void` when it does not answer. */
export function rpcClient(child: ChildProcess, name: string): RpcClient {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let stderrTail = '';
  let gone = false;
  let answered = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-2000);
  });
  const exited = new Promise<string>((resolve) => {
    const onGone = (why: string) => {
      if (gone) return;
      gone = true;
      for (const { reject } of pending.values())
        reject(new PlumbfoxError('environment', `The ${name} process ended (${why})${lastLine(stderrTail)}`));
      pending.clear();
      resolve(why);
    };
    child.once('exit', (code, signal) => onGone(signal ?? `exit code ${code}`));
    child.once('error', (error) => onGone(error.message));
  });
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      answered = true;
      const reply = v.safeParse(replyLine, line);
      if (!reply.success) {
        for (const { reject } of pending.values())
          reject(new PlumbfoxError('internal', `The ${name} process wrote a line that is no answer: ${line.slice(0, 80)}`));
        pending.clear();
        return;
      }
      const { id, value, error } = reply.output;
      const waiting = pending.get(id);
      pending.delete(id);
      if (error) waiting?.reject(new PlumbfoxError(error.kind, error.message));
      else waiting?.resolve(value);
    });
  }
  child.stdin?.on('error', () => {});
  const call: RpcClient['call'] = (method, params = {}, options = {}) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(new PlumbfoxError('environment', `The ${name} process is not running${lastLine(stderrTail)}`));
      const id = nextId++;
      const timeoutMs = options.timeoutMs ?? (answered ? ANSWER_TIMEOUT_MS : FIRST_ANSWER_TIMEOUT_MS);
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new NoAnswer(`The ${name} process did not answer within ${timeoutMs / 1000} s (${method})`));
      }, timeoutMs);
      pending.set(id, {
        resolve: (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      child.stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
    });
  return {
    exited,
    call,
    ask: async (method, params, { answer, ...options }) => {
      const result = v.safeParse(answer, await call(method, params, options));
      if (result.success) return result.output;
      const where = v.getDotPath(result.issues[0]) ?? 'the whole';
      throw new PlumbfoxError('internal', `The ${name} process answered ${method} with what was not agreed, at ${where}`);
    },
    stop: async () => {
      child.stdin?.end();
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      const giveUp = new Promise<void>((resolve) => {
        setTimeout(resolve, STOP_GRACE_MS + KILLED_GRACE_MS).unref();
      });
      await Promise.race([exited, giveUp]);
      clearTimeout(killer);
    },
  };
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1);
  return line ? `: ${line}` : '';
}
