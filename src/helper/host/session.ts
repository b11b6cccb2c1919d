/** One session with the extension: requests are answered one at a time, with progress reports in between. */
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import { scanJson } from '../../core/json-scan.ts';
import {
  HELPER_PROTOCOL,
  type HelperErrorKind,
  type HelperOperation,
  type HelperProgress,
  type HelperReply,
  type HelperRequest,
  type HelperResult,
  helperRequestSchema,
  helperResultSchemas,
  longestWorkMs,
} from '../../protocol/helper-messages.ts';
import { HelperError } from '../errors.ts';
import { type Frame, frameOf, framesOf, MAX_REQUEST_BYTES } from './native-frames.ts';

/** One function for each operation. Errors are returned: HelperError and PlumbfoxError with their message, all others as `internal`. */
export type HostOperations = {
  readonly [Op in HelperOperation]: (request: Extract<HelperRequest, { readonly op: Op }>) => Promise<HelperResult<Op>>;
};

interface HostSession {
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when the bytes have been taken. */
  readonly send: (bytes: Buffer) => Promise<void>;
  readonly operations: HostOperations;
  /** Receives every internal failure, for the browser's console. */
  readonly onInternal: (error: unknown) => void;
  /** Reports that a request is being worked on, until the returned function is called. */
  readonly reportProgress?: (nonce: string, longestMs: number) => () => void;
}

/** Settles when the input has ended, or cannot be parsed any further. Rejects only if `send` does. */
export async function runSession({ input, send, ...answering }: HostSession): Promise<void> {
  for await (const frame of framesOf(input)) {
    const reply = await replyTo(frame, answering);
    // The other side is gone.
    if (reply === undefined) return;
    await send(frameOf(reply));
  }
}

type Answering = Omit<HostSession, 'input' | 'send'>;

async function replyTo(frame: Frame, answering: Answering): Promise<HelperReply | undefined> {
  if (frame.kind === 'cut-off') return undefined;
  if (frame.kind === 'too-long') {
    return refusal('bad-request', `A message of ${frame.lengthBytes} bytes is too long for a request: ${MAX_REQUEST_BYTES} at most`);
  }
  const read = readRequest(frame.bytes);
  if (!read.ok) return refusal('bad-request', read.message, read.nonce);
  return answer(read.request, answering);
}

async function answer(request: HelperRequest, { operations, onInternal, reportProgress: report }: Answering): Promise<HelperReply> {
  const { op, nonce, progress } = request;
  // An older extension would take a progress report for an unreadable reply.
  const end = op === 'hello' || !progress ? undefined : report?.(nonce, longestWorkMs(op));
  try {
    // The schema has tied the request to its operation, which the compiler cannot see through the table.
    const operation = operations[op] as (request: HelperRequest) => Promise<unknown>;
    const result = v.parse(helperResultSchemas[op], await operation(request));
    return { version: HELPER_PROTOCOL, nonce, ok: true, result };
  } catch (error) {
    const kind = kindOf(error);
    if (kind === 'internal') onInternal(error);
    const message = error instanceof PlumbfoxError ? error.message : 'The helper app failed; its message is in the Browser Console';
    return refusal(kind, message, nonce);
  } finally {
    end?.();
  }
}

function kindOf(error: unknown): HelperErrorKind {
  if (error instanceof HelperError) return error.helperKind;
  if (!(error instanceof PlumbfoxError)) return 'internal';
  switch (error.kind) {
    case 'bad-input':
    case 'preference-refused':
      return 'refused';
    case 'environment':
      return 'cannot-write';
    default:
      return 'internal';
  }
}

/** Keeps the message to about a line. */
const MAX_MESSAGE_LENGTH = 500;

function refusal(kind: HelperErrorKind, message: string, nonce?: string): HelperReply {
  const error = { kind, message: message.slice(0, MAX_MESSAGE_LENGTH) };
  return { version: HELPER_PROTOCOL, ...(nonce === undefined ? {} : { nonce }), ok: false, error };
}

/** `nonce`: if it could be read, so that a refusal can be assigned. The message is one line. */
type ParsedRequest =
  | { readonly ok: true; readonly request: HelperRequest }
  | { readonly ok: false; readonly nonce: string | undefined; readonly message: string };

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The members needed to answer, whatever else is wrong. */
const replyFields = v.object({ version: v.optional(v.unknown()), nonce: v.optional(v.unknown()) });
const nonceSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/));

/** Never throws. Its message quotes nothing of the input, which may be anything. */
function readRequest(bytes: Uint8Array): ParsedRequest {
  const json = parse(bytes);
  if (json === undefined) return { ok: false, nonce: undefined, message: 'The message is not JSON in UTF-8, or too deep for a request' };
  const parsed = v.safeParse(helperRequestSchema, json);
  if (parsed.success) return { ok: true, request: parsed.output };
  const { version, nonce } = v.is(replyFields, json) ? json : {};
  return {
    ok: false,
    nonce: v.is(nonceSchema, nonce) ? nonce : undefined,
    message:
      typeof version === 'number' && version !== HELPER_PROTOCOL
        ? `The extension uses version ${version} of the helper protocol, the helper app version ${HELPER_PROTOCOL}: update the older one`
        : 'The message is not a request of this protocol',
  };
}

/** `undefined`: it is not JSON. */
function parse(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) return undefined;
  try {
    return JSON.parse(TEXT.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Well below what the extension waits (5 s), and rare enough to be negligible next to the work. */
const PROGRESS_INTERVAL_MS = 1_000;
const STDOUT = 1;

/** A request holds at most a list of objects, and may be answered by its nonce where it holds more. Tens of thousands of levels would take memory. */
const MAX_NESTING = 64;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  return scanJson(bytes, (byte) => {
    if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
    return depth > MAX_NESTING;
  });
}

/** A frame is far shorter than PIPE_BUF, so that pipe(7) never mixes it with another one. `currentRequest[0]`: the request in progress; 0: none. */
const WORKER_SOURCE = `
const { parentPort, workerData: { currentRequest, everyMs, fd } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
parentPort.on('message', ({ frame, mine, maxReports }) => {
  let reports = 0;
  const timer = setInterval(() => {
    if (Atomics.load(currentRequest, 0) !== mine || reports++ >= maxReports) return clearInterval(timer);
    try { writeSync(fd, frame); } catch { clearInterval(timer); }
  }, everyMs);
});`;

const currentRequest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
let turns = 0;
let worker: Worker | undefined;

/**
 * Reports to Firefox each second that a request is still being worked on. Reading and writing files blocks this thread, so another one reports. If no
 * thread can be started, the work continues without reports.
 * @returns a function that ends the reports; they end after `longestMs` as well, when the extension says that it takes too long.
 */
export function reportProgress(nonce: string, longestMs: number): () => void {
  const progress: HelperProgress = { version: HELPER_PROTOCOL, nonce, working: true };
  turns += 1;
  const mine = turns;
  Atomics.store(currentRequest, 0, mine);
  if (worker === undefined) {
    try {
      worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { currentRequest, everyMs: PROGRESS_INTERVAL_MS, fd: STDOUT } });
    } catch {
      // The system has no thread left.
      return () => {};
    }
    worker.on('error', () => {});
    worker.unref();
  }
  worker.postMessage({ frame: frameOf(progress), mine, maxReports: longestMs / PROGRESS_INTERVAL_MS });
  return () => {
    Atomics.store(currentRequest, 0, 0);
  };
}
