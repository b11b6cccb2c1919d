/**
 * Speaks with the native messaging host. Every request carries a nonce of its own, and is answered by it in time or has failed: Firefox itself
 * waits for ever. Each connection is a process of the helper's, which ends with it; while one is open, Firefox keeps the event page.
 */
import * as v from 'valibot';
import {
  HELPER_HOST,
  HELPER_PROTOCOL,
  type HelperOperation,
  type HelperReply,
  type HelperRequest,
  type HelperResult,
  helperProgressSchema,
  helperReplySchema,
  helperResultSchemas,
  longestWorkMs,
} from '../protocol/helper-messages.ts';
import type { HelperProblem } from '../protocol/helper-state.ts';
import { browser } from './browser.ts';
import { HelperFailure } from './helper-failure.ts';

/** A process of Node answers within some 150 ms (measured); on a machine that is busy or has a slow disk it takes longer. Our own choice. */
const HELLO_MS = 3_000;
/** Files are written, and forced to the disk; a helper that needs longer says each second that it is at work, if it is asked to. Our own choice. */
const ANSWER_MS = 5_000;

/** What a request is about: without what every one of them carries. */
type Question<Op extends HelperOperation> = { readonly op: Op } & Omit<Extract<HelperRequest, { op: Op }>, 'op' | 'version' | 'nonce'>;

export interface HelperConnection {
  readonly hello: HelperResult<'hello'>;
  /** @throws HelperFailure */
  ask<Op extends HelperOperation>(question: Question<Op>): Promise<HelperResult<Op>>;
  /** Settles with the reason when the connection has ended, whoever ended it. */
  readonly ended: Promise<HelperProblem>;
  close(): void;
}

/** The first request is made: who is there. @throws HelperFailure */
export async function openHelper(): Promise<HelperConnection> {
  const port = new HelperPort();
  try {
    const hello = await port.ask({ op: 'hello' }, HELLO_MS);
    // An earlier one refuses what it does not know.
    const asked = hello.progress && { progress: hello.progress };
    return { hello, ask: (question) => port.ask({ ...question, ...asked }, ANSWER_MS), ended: port.ended, close: () => port.close() };
  } catch (error) {
    port.close();
    throw error;
  }
}

/** Opens a connection for one piece of work and closes it whatever happens. @throws HelperFailure */
export async function withHelper<T>(work: (helper: HelperConnection) => Promise<T>): Promise<T> {
  const helper = await openHelper();
  try {
    return await work(helper);
  } finally {
    helper.close();
  }
}

interface Waiting {
  readonly settle: (reply: HelperReply) => void;
  readonly fail: (problem: HelperProblem) => void;
  /** Restarts the time in which the answer has to come, up to the longest that the operation may take. */
  readonly wait: () => void;
}

class HelperPort {
  readonly ended: Promise<HelperProblem>;
  readonly #port: ReturnType<typeof browser.runtime.connectNative>;
  readonly #waiting = new Map<string, Waiting>();
  #over: HelperProblem | undefined;
  #tellEnd: (problem: HelperProblem) => void = () => {};

  /** @throws HelperFailure without the permission: then the function itself is missing. */
  constructor() {
    if (browser.runtime.connectNative === undefined) throw new HelperFailure({ why: 'no-permission' });
    this.ended = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
    this.#port = browser.runtime.connectNative(HELPER_HOST);
    this.#port.onMessage.addListener(this.#onMessage);
    this.#port.onDisconnect.addListener(this.#onDisconnect);
  }

  readonly #onMessage = (message: unknown) => this.#receive(message);
  readonly #onDisconnect = ({ error }: PortEnd) => this.#end(whyEnded(error));

  async ask<Op extends HelperOperation>(question: Question<Op>, timeoutMs: number): Promise<HelperResult<Op>> {
    const reply = await this.#reply(question, timeoutMs);
    if (!reply.ok) throw new HelperFailure({ why: 'refused', ...reply.error });
    const result = v.safeParse(helperResultSchemas[question.op as Op], reply.result);
    if (!result.success) throw new HelperFailure({ why: 'unreadable' });
    return result.output as HelperResult<Op>;
  }

  close(): void {
    this.#port.disconnect();
    this.#end({ why: 'stopped' });
  }

  async #reply(question: { readonly op: HelperOperation }, timeoutMs: number): Promise<HelperReply> {
    if (this.#over) throw new HelperFailure(this.#over);
    const nonce = crypto.randomUUID();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<HelperReply>((settle, reject) => {
        const fail = (problem: HelperProblem) => reject(new HelperFailure(problem));
        const deadline = performance.now() + longestWorkMs(question.op);
        const wait = () => {
          clearTimeout(timer);
          timer = setTimeout(() => fail({ why: 'silent' }), Math.min(timeoutMs, Math.max(0, deadline - performance.now())));
        };
        wait();
        this.#waiting.set(nonce, { settle, fail, wait });
        this.#port.postMessage({ ...question, version: HELPER_PROTOCOL, nonce });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(nonce);
    }
  }

  #receive(message: unknown): void {
    const progress = v.safeParse(helperProgressSchema, message);
    if (progress.success) {
      this.#waiting.get(progress.output.nonce)?.wait();
      return;
    }
    const reply = readReply(message);
    if ('why' in reply) {
      this.#port.disconnect();
      this.#end(reply);
      return;
    }
    // Without a nonce it says that a request could not be read; an answer that comes too late is nobody's.
    const nonce = reply.nonce ?? this.#waiting.keys().next().value;
    if (nonce !== undefined) this.#waiting.get(nonce)?.settle(reply);
  }

  #end(problem: HelperProblem): void {
    this.#over ??= problem;
    // Firefox keeps a port that has ended for as long as the event page, some 30 kB, unless nobody listens to it (`SimpleEventAPI`, ExtensionChild.sys.mjs).
    this.#port.onMessage.removeListener(this.#onMessage);
    this.#port.onDisconnect.removeListener(this.#onDisconnect);
    for (const { fail } of this.#waiting.values()) fail(this.#over);
    this.#tellEnd(this.#over);
  }
}

/** What a listener of `onDisconnect` receives. */
interface PortEnd {
  readonly error?: { readonly message: string } | undefined | null;
}

/** Where Firefox finds no host, where this extension may not use it, and where its path is not absolute (NativeMessaging.sys.mjs). */
const NOT_FOUND = /No such native application/;

/** What Firefox says when it closes the port; nothing when the program has ended by itself. */
function whyEnded(error: PortEnd['error']): HelperProblem {
  if (!error) return { why: 'stopped' };
  return NOT_FOUND.test(error.message) ? { why: 'not-installed' } : { why: 'unreadable' };
}

const versionSchema = v.object({ version: v.number() });

function readReply(message: unknown): HelperReply | HelperProblem {
  const said = v.safeParse(versionSchema, message);
  if (said.success && said.output.version !== HELPER_PROTOCOL) {
    return { why: 'other-version', isNewer: said.output.version > HELPER_PROTOCOL };
  }
  const reply = v.safeParse(helperReplySchema, message);
  return reply.success ? reply.output : { why: 'unreadable' };
}
