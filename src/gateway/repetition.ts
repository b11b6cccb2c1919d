/**
 * Decides about a request whose upstream connection closed before the response was complete. Pure.
 * RFC 9110, 9.2.2: only an idempotent request may be repeated automatically. RFC 9112, 9.3.2: requests lost from a pipeline must not be pipelined
 * again at once, because the first of them may have ended the connection.
 */
import type { ClosureCause } from './origin-health.ts';

/** Sendings of one request, the first included. A server that has failed it so often will fail it again. */
export const MAX_SENDINGS = 4;

export interface LostRequest {
  /** Its client went away. */
  readonly abandoned: boolean;
  /** A part of the response has been forwarded. */
  readonly begun: boolean;
  /** It was written to the connection (as far as we know). */
  readonly sent: boolean;
  /** It has begun, and the missing part could be taken from another response. */
  readonly resumable: boolean;
  /** GET or HEAD without a body. */
  readonly repeatable: boolean;
  /** The number of sendings so far, this one included. */
  readonly sendings: number;
  /** Its response was the next one due on the connection. */
  readonly due: boolean;
}

export interface LosingConnection {
  readonly cause: ClosureCause;
  readonly established: boolean;
  /** Whether the connection had answered anything. */
  readonly reused: boolean;
  /** Whether any request was ever sent on it while another was outstanding. */
  readonly pipelined: boolean;
  /** Whether another connection to the origin is established. */
  readonly alternative: boolean;
}

export type AfterLoss =
  /** No client waits for it. */
  | 'forget'
  /** Cut the client's response short: it must not look complete. */
  | 'truncate'
  /** Put it at the head of the queue. */
  | 'repeat'
  /** Put it at the head of the queue, for a connection to itself. */
  | 'repeat-alone'
  /** Close the client's connection without a response: the browser then decides as it would have without a gateway. */
  | 'hand-back'
  /** Answer 502 or 504. */
  | 'fail';

export function afterLoss(request: LostRequest, connection: LosingConnection): AfterLoss {
  if (request.abandoned) return 'forget';
  // It was cut short because it was pipelined: alone on a connection it would have been complete.
  const mended = request.resumable && connection.pipelined && connection.cause === 'peer' && request.sendings < MAX_SENDINGS;
  if (request.begun) return mended ? 'repeat-alone' : 'truncate';
  if (!connection.established) return connection.alternative ? 'repeat' : 'fail';
  if (!request.sent) return 'repeat';
  // Firefox repeats even a POST when the connection was reused and nothing came back (nsHttpTransaction::Close, `connReused`): the browser decides.
  if (!request.repeatable) return connection.reused && connection.cause === 'peer' ? 'hand-back' : 'fail';
  if (connection.cause === 'ours') return 'repeat';
  if (request.due && connection.cause === 'timeout') return 'fail';
  if (request.due && connection.cause === 'malformed' && !connection.pipelined) return 'fail';
  return request.sendings >= MAX_SENDINGS ? 'fail' : 'repeat-alone';
}
