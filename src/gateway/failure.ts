import type { ClosureCause } from './origin-health.ts';

/** Why a request could not be answered, in the terms of HTTP. Pure. */
export interface Failure {
  readonly status: 403 | 502 | 504;
  /** One line for the body, without machine details. */
  readonly sentence: string;
}

/** The code of what a lookup finds but the gateway may not reach. */
export const NEAR_ADDRESS = 'PLUMBFOX_NEAR_ADDRESS';

/** Sentences for codes of Node (errno, getaddrinfo). */
const SENTENCES: Readonly<Record<string, Failure>> = {
  ENOTFOUND: { status: 502, sentence: 'its name could not be resolved' },
  EAI_AGAIN: { status: 502, sentence: 'its name could not be resolved for the moment' },
  ECONNREFUSED: { status: 502, sentence: 'it refused the connection' },
  ECONNRESET: { status: 502, sentence: 'it reset the connection' },
  EPIPE: { status: 502, sentence: 'it reset the connection' },
  EHOSTUNREACH: { status: 502, sentence: 'there is no route to it' },
  ENETUNREACH: { status: 502, sentence: 'there is no route to its network' },
  ETIMEDOUT: { status: 504, sentence: 'it did not accept the connection in time' },
  [NEAR_ADDRESS]: { status: 403, sentence: 'its name leads to this machine or a private network' },
};

/** Codes after which this machine has lost or changed its network, which says nothing about the origin. */
const OWN_NETWORK: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL']);

/** The failure for whatever a socket or a resolver throws; an unknown one is 502 with a general sentence. */
export function failureOf(error: unknown): Failure {
  return SENTENCES[errorCode(error) ?? ''] ?? { status: 502, sentence: 'the exchange with it failed' };
}

/** The cause of a connection's end, from its error. */
export function closureCauseOf(error: unknown): ClosureCause {
  const code = errorCode(error) ?? '';
  if (OWN_NETWORK.has(code)) return 'ours';
  return code === 'ETIMEDOUT' ? 'timeout' : 'peer';
}

function errorCode(error: unknown): string | undefined {
  // AggregateError: every address failed (happy eyeballs); the first says as much as any.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
