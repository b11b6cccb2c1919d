/** Why a request could not be answered, in the terms of HTTP. Pure. */
export interface Failure {
  readonly status: 502 | 504;
  /** One line for the body, without machine details. */
  readonly sentence: string;
}

/** Codes of Node (errno, getaddrinfo) and undici that have a sentence of their own. */
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

export function failureOf(error: unknown): Failure {
  const code = errorCode(error);
  const known = code === undefined ? undefined : SENTENCES[code];
  if (known !== undefined) return known;
  if (isParserError(error)) return { status: 502, sentence: 'its answer is not valid HTTP/1.1' };
  return { status: 502, sentence: 'the exchange with it failed' };
}

/** Whether the origin sent what the parser refused (llhttp, or a length that is not the announced one). */
export function isParserError(error: unknown): boolean {
  const code = errorCode(error);
  return (
    code !== undefined && (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
  );
}

export function isTimeoutError(error: unknown): boolean {
  return failureOf(error).status === 504;
}

function errorCode(error: unknown): string | undefined {
  // AggregateError: every address failed (happy eyeballs); the first tells as much as any.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
