/** A page's client of one of its workers, which is started with the first request. */
import * as v from 'valibot';
import { takeEarlyWorker } from '../adapters/early-start.ts';
import { readLinkNames } from '../adapters/field-storage.ts';
import { PlumbfoxError } from '../core/errors.ts';
import type { PlainId } from '../core/text/messages.ts';
import { text } from './text.ts';

interface Asked {
  readonly kind: string;
  readonly number: number;
}

/** A request without the members that the client adds. */
type Question<Request, Kind> = Omit<Extract<Request, { kind: Kind }>, 'number' | 'names'>;

export interface WorkerClient<Request extends Asked, Answers extends Record<Request['kind'], unknown>> {
  /** @throws PlumbfoxError `internal` when the worker cannot be started, or fails. */
  ask<K extends Request['kind']>(question: Question<Request, K> & { readonly kind: K }): Promise<Answers[K]>;
}

interface WorkerOptions {
  /** From a page of the extension; each is in a folder of its own. */
  readonly path: string;
  /** The schema of its replies: `failed` has a `message`, all others but `more` have an `answer`. */
  readonly replySchema: v.GenericSchema<unknown, WorkerReply>;
  readonly badReply: PlainId;
  readonly notStarted: PlainId;
  /** The worker knows more than it has answered. */
  readonly onMore?: () => unknown;
  /** What the worker did failed, but no request waits for it. */
  readonly onFailure?: (error: PlumbfoxError) => void;
}

type WorkerReply =
  | { readonly kind: 'failed'; readonly number?: number; readonly message: string }
  | { readonly kind: 'more' }
  | { readonly kind: string; readonly number: number; readonly answer?: unknown };

interface Waiting {
  readonly kind: string;
  readonly resolve: (answer: never) => void;
  readonly reject: (reason: PlumbfoxError) => void;
}

/** Creates a client without starting the worker. */
export function createWorkerClient<Request extends Asked, Answers extends Record<Request['kind'], unknown>>(
  options: WorkerOptions,
): WorkerClient<Request, Answers> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let asked = 0;

  /** Fails all open requests; the next one starts another worker. */
  const giveUp = (message: string) => {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new PlumbfoxError('internal', message));
    waiting.clear();
  };
  const onMessage = (data: unknown) => {
    const parsed = v.safeParse(options.replySchema, data);
    if (!parsed.success) return giveUp(text(options.badReply));
    const reply = parsed.output;
    if (!('number' in reply) || reply.number === undefined) {
      if ('message' in reply) options.onFailure?.(new PlumbfoxError('internal', reply.message));
      else options.onMore?.();
      return;
    }
    const one = waiting.get(reply.number);
    waiting.delete(reply.number);
    if (one === undefined) return;
    if ('message' in reply) one.reject(new PlumbfoxError('internal', reply.message));
    else if (reply.kind === one.kind) one.resolve(reply.answer as never);
    else one.reject(new PlumbfoxError('internal', text(options.badReply)));
  };
  const start = () => {
    const started = takeEarlyWorker(options.path) ?? new Worker(options.path, { type: 'module' });
    started.addEventListener('message', ({ data }) => onMessage(data));
    started.addEventListener('error', (event) => giveUp(event.message || text(options.notStarted)));
    return started;
  };
  return {
    ask: async (question) => {
      // It starts while the names are read.
      worker ??= start();
      const names = await readLinkNames();
      return new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { kind: question.kind, resolve, reject });
        worker ??= start();
        worker.postMessage({ ...question, names, number: asked });
      });
    },
  };
}
