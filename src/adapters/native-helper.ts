/**
 * Connections to the native messaging host. Every request carries its own nonce, and is answered under it in time or has failed: Firefox
 * itself waits for ever. Each connection is a process of the helper's, which ends with it; while one is open, Firefox keeps the event page.
 */
import * as v from 'valibot';
import { assertNever, PlumbfoxError } from '../core/errors.ts';
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

/** A Node process answers within some 150 ms (measured), but later on a busy machine or a slow disk. */
const HELLO_MS = 3_000;
/** Files are written and synced to the disk; a helper that needs longer reports progress each second, if asked to. Chosen, not measured. */
const ANSWER_MS = 5_000;

/** A request without the members that every request carries. */
type Question<Op extends HelperOperation> = { readonly op: Op } & Omit<Extract<HelperRequest, { op: Op }>, 'op' | 'version' | 'nonce'>;

export interface HelperConnection {
  readonly hello: HelperResult<'hello'>;
  /** @throws HelperFailure */
  ask<Op extends HelperOperation>(question: Question<Op>): Promise<HelperResult<Op>>;
  /** Settles with the reason when the connection has ended, whoever ended it. */
  readonly ended: Promise<HelperProblem>;
  close(): void;
}

/** Opens a connection and makes the first request, `hello`. @throws HelperFailure */
export async function openHelper(): Promise<HelperConnection> {
  const port = new HelperPort();
  try {
    const hello = await port.ask({ op: 'hello' }, HELLO_MS);
    // An earlier helper refuses members that it does not know.
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
  /** Restarts the time in which the answer has to come, within the longest that the operation may take. */
  readonly wait: () => void;
}

class HelperPort {
  readonly ended: Promise<HelperProblem>;
  readonly #port: ReturnType<typeof browser.runtime.connectNative>;
  readonly #waiting = new Map<string, Waiting>();
  #over: HelperProblem | undefined;
  #resolveEnded: (problem: HelperProblem) => void = () => {};

  /** @throws HelperFailure without the permission: then the function itself is missing. */
  constructor() {
    if (browser.runtime.connectNative === undefined) throw new HelperFailure({ why: 'no-permission' });
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
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
    // A reply without a nonce says that a request could not be read. An answer that comes too late is ignored.
    const nonce = reply.nonce ?? this.#waiting.keys().next().value;
    if (nonce !== undefined) this.#waiting.get(nonce)?.settle(reply);
  }

  #end(problem: HelperProblem): void {
    this.#over ??= problem;
    // While a listener is left on a port that has ended, Firefox keeps it as long as the event page, some 30 kB (`SimpleEventAPI`,
    // ExtensionChild.sys.mjs).
    this.#port.onMessage.removeListener(this.#onMessage);
    this.#port.onDisconnect.removeListener(this.#onDisconnect);
    for (const { fail } of this.#waiting.values()) fail(this.#over);
    this.#resolveEnded(this.#over);
  }
}

/** What a listener of `onDisconnect` receives. */
interface PortEnd {
  readonly error?: { readonly message: string } | undefined | null;
}

/** Firefox's error where it finds no host, this extension may not use it, or its path is not absolute (NativeMessaging.sys.mjs). */
const NOT_FOUND = /No such native application/;

/** Firefox gives an error when it closes the port, and none when the program has ended by itself. */
function whyEnded(error: PortEnd['error']): HelperProblem {
  if (!error) return { why: 'stopped' };
  return NOT_FOUND.test(error.message) ? { why: 'not-installed' } : { why: 'unreadable' };
}

const versionSchema = v.object({ version: v.number() });

function readReply(message: unknown): HelperReply | HelperProblem {
  const versioned = v.safeParse(versionSchema, message);
  if (versioned.success && versioned.output.version !== HELPER_PROTOCOL) {
    return { why: 'other-version', isNewer: versioned.output.version > HELPER_PROTOCOL };
  }
  const reply = v.safeParse(helperReplySchema, message);
  return reply.success ? reply.output : { why: 'unreadable' };
}

/** Why a request to the helper failed: an error of kind `environment`, with the problem for whoever shows it. */
export class HelperFailure extends PlumbfoxError {
  readonly problem: HelperProblem;
  constructor(problem: HelperProblem) {
    super('environment', helperProblemMessage(problem));
    this.problem = problem;
  }
}

/** Whole sentences that say what to do. */
export function helperProblemMessage(problem: HelperProblem): string {
  switch (problem.why) {
    case 'no-permission':
      return 'Plumbfox is not allowed to use the helper app: allow it under "More".';
    case 'not-installed':
      return 'Firefox finds no helper app for Plumbfox. Run “plumbfox helper install” as the user who runs Firefox, then try again.';
    case 'stopped':
      return 'The helper app ended before it answered. “plumbfox helper doctor” says why.';
    case 'unreadable':
      return 'The helper app could not be started, or sent no valid reply. “plumbfox helper doctor” says why. Installing it again may help.';
    case 'silent':
      return 'The helper app did not answer in time. Try again. If that fails, “plumbfox helper doctor” says why.';
    case 'other-version':
      return problem.isNewer
        ? 'The helper app is newer than this extension: update the extension.'
        : 'The helper app is older than this extension: run “plumbfox helper install” of the newer Plumbfox.';
    case 'refused':
      return refusalMessage(problem);
    default:
      return assertNever(problem);
  }
}

function refusalMessage({ kind, message }: Extract<HelperProblem, { why: 'refused' }>): string {
  const why = message.trim().replace(/\.+$/, '');
  switch (kind) {
    case 'bad-request':
      return `The helper app does not know this request (${why}): bring the extension and the helper app to the same version.`;
    case 'unknown-profile':
      return `The helper app does not know this profile (${why}): bring the extension and the helper app to the same version.`;
    case 'no-firefox-profile':
      return `The helper app cannot find the profile folder of this Firefox: ${why}.`;
    case 'refused':
      return `The helper app leaves Firefox’s files alone: ${why}.`;
    case 'cannot-write':
      return `The helper app cannot write: ${why}.`;
    case 'busy':
      return 'Another helper app is working on this Firefox. Try again in a moment.';
    case 'internal':
      return `The helper app failed: ${why}. “plumbfox helper doctor” may say why.`;
    default:
      return assertNever(kind);
  }
}
