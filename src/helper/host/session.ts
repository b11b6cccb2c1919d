/** One conversation with the extension: requests in, one answer for each, one at a time, nothing else on the way out. */
import * as v from 'valibot';
import { PlumbfoxError } from '../../core/errors.ts';
import {
  HELPER_PROTOCOL,
  type HelperErrorKind,
  type HelperOperation,
  type HelperReply,
  type HelperRequest,
  type HelperResult,
  helperResultSchemas,
  longestWorkMs,
} from '../../protocol/helper-messages.ts';
import { HostError } from '../host-error.ts';
import { type Frame, frameOf, framesOf, LONGEST_REQUEST_BYTES } from './native-frames.ts';
import { readRequest } from './request.ts';

/** One for each request. What it throws becomes the answer: HostError and PlumbfoxError with their message, all else as `internal`. */
export type HostOperations = {
  readonly [Op in HelperOperation]: (request: Extract<HelperRequest, { readonly op: Op }>) => Promise<HelperResult<Op>>;
};

export interface HostSession {
  readonly input: AsyncIterable<Uint8Array>;
  /** Settles when the bytes have been taken. */
  readonly send: (bytes: Buffer) => Promise<void>;
  readonly operations: HostOperations;
  /** Told of every failure that is ours, for the browser's console. */
  readonly onInternal: (error: unknown) => void;
  /** Begins to say that work on a request is going on, for a while; what it answers ends that. */
  readonly working?: (nonce: string, longestMs: number) => () => void;
}

/** Settles when the input has ended, or cannot be understood any further. Rejects only where `send` does. */
export async function runSession({ input, send, ...answering }: HostSession): Promise<void> {
  for await (const frame of framesOf(input)) {
    const reply = await replyTo(frame, answering);
    // The other side is gone: nobody is left to tell.
    if (reply === undefined) return;
    await send(frameOf(reply));
  }
}

type Answering = Omit<HostSession, 'input' | 'send'>;

async function replyTo(frame: Frame, answering: Answering): Promise<HelperReply | undefined> {
  if (frame.kind === 'cut-off') return undefined;
  if (frame.kind === 'too-long') {
    return refusal('bad-request', `A message of ${frame.lengthBytes} bytes is no request: ${LONGEST_REQUEST_BYTES} at most`);
  }
  const read = readRequest(frame.bytes);
  if (!read.ok) return refusal('bad-request', read.message, read.nonce);
  return answer(read.request, answering);
}

async function answer(request: HelperRequest, { operations, onInternal, working }: Answering): Promise<HelperReply> {
  const { op, nonce, progress } = request;
  // An earlier extension takes it for an answer that it cannot read.
  const end = op === 'hello' || !progress ? undefined : working?.(nonce, longestWorkMs(op));
  try {
    // The schema has tied the request to its operation, which the compiler cannot see through the table.
    const operation = operations[op] as (request: HelperRequest) => Promise<unknown>;
    const result = v.parse(helperResultSchemas[op], await operation(request));
    return { version: HELPER_PROTOCOL, nonce, ok: true, result };
  } catch (error) {
    const kind = kindOf(error);
    if (kind === 'internal') onInternal(error);
    const message = error instanceof PlumbfoxError ? error.message : 'The helper failed; its message is in the Browser Console';
    return refusal(kind, message, nonce);
  } finally {
    end?.();
  }
}

function kindOf(error: unknown): HelperErrorKind {
  if (error instanceof HostError) return error.helperKind;
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

/** A line on a small screen. */
const LONGEST_MESSAGE = 500;

function refusal(kind: HelperErrorKind, message: string, nonce?: string): HelperReply {
  const error = { kind, message: message.slice(0, LONGEST_MESSAGE) };
  return { version: HELPER_PROTOCOL, ...(nonce === undefined ? {} : { nonce }), ok: false, error };
}
