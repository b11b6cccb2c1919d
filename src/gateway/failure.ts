import { errors } from 'undici';
import type { ClosureCause } from './origin-health.ts';

/** Why a request could not be answered, in the terms of HTTP. Pure. */
export interface Failure {
  readonly status: 502 | 504;
  /** One line for the body, without machine details. */
  readonly sentence: string;
}

/** Sentences for codes of Node (errno, getaddrinfo) and undici. */
const SENTENCES: Readonly<Record<string, Failure>> = {
  ENOTFOUND: { status: 502, sentence: 'its name could not be resolved' },
  EAI_AGAIN: { status: 502, sentence: 'its name could not be resolved for the moment' },
  ECONNREFUSED: { status: 502, sentence: 'it refused the connection' },
  ECONNRESET: { status: 502, sentence: 'it reset the connection' },
  EPIPE: { status: 502, sentence: 'it reset the connection' },
  EHOSTUNREACH: { status: 502, sentence: 'there is no route to it' },
  ENETUNREACH: { status: 502, sentence: 'there is no route to its network' },
  ETIMEDOUT: { status: 504, sentence: 'it did not accept the connection in time' },
  UND_ERR_HEADERS_TIMEOUT: { status: 504, sentence: 'it did not begin to answer in time' },
  UND_ERR_BODY_TIMEOUT: { status: 504, sentence: 'it stopped in the middle of its answer' },
  UND_ERR_HEADERS_OVERFLOW: { status: 502, sentence: 'its response head is too large' },
  UND_ERR_SOCKET: { status: 502, sentence: 'it closed the connection without an answer' },
};

/** Codes after which this machine has lost or changed its network, which says nothing about the origin. */
const OWN_NETWORK: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL']);

/** The failure for whatever a socket, a resolver or undici throws; an unknown one is 502 with a general sentence. */
export function failureOf(error: unknown): Failure {
  const code = errorCode(error);
  const known = code === undefined ? undefined : SENTENCES[code];
  if (isParserError(error) && code !== 'UND_ERR_HEADERS_OVERFLOW') return { status: 502, sentence: 'its answer is not valid HTTP/1.1' };
  return known ?? { status: 502, sentence: 'the exchange with it failed' };
}

/** Whether the parser refused what the origin sent: no HTTP, a wrong length, a response without a request. */
function isParserError(error: unknown): boolean {
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return true;
  if (error instanceof errors.ResponseContentLengthMismatchError) return true;
  // undici has no code of its own for these two.
  return error instanceof errors.SocketError && (error.message === 'bad response' || error.message === 'bad upgrade');
}

/**
 * The cause of a connection's end, from its error.
 * @param peerEnded - The origin has closed or reset it: undici reports a response that was cut short after an announced end as malformed.
 */
export function closureCauseOf(error: unknown, { peerEnded }: { readonly peerEnded: boolean }): ClosureCause {
  if (isParserError(error) && !peerEnded) return 'malformed';
  if (OWN_NETWORK.has(errorCode(error) ?? '')) return 'ours';
  return failureOf(error).status === 504 ? 'timeout' : 'peer';
}

function errorCode(error: unknown): string | undefined {
  // AggregateError: every address failed (happy eyeballs); the first says as much as any.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
