/** Sizes of a HAR entry's response and request. */
import type { ObservedSize } from '../graph/observed-load.ts';
import { bytesOf, type Fields, fieldsOf, type Headers, numberOf } from './fields.ts';

/** Status line and the empty line after the headers: `HTTP/1.1 200 OK`, twice a line end. */
const RESPONSE_EXTRAS = 19;

/** Statuses without a body (RFC 9110, 6.4.1). */
const BODILESS = new Set([204, 205, 304]);

/** Bytes, as far as the entry states them; what is missing is inferred elsewhere. */
export function responseSize(entry: Fields, headers: Headers): ObservedSize {
  const response = fieldsOf(entry.response);
  const content = fieldsOf(response.content);
  const bodiless = BODILESS.has(numberOf(response.status) ?? 0) || fieldsOf(entry.request).method === 'HEAD';
  const headerBytes = positive(bytesOf(response.headersSize));
  const decoded = bytesOf(content.size);
  const length = bytesOf(headers.byName.get('content-length'));
  const stated = statedBody(response, decoded);
  const total = transferred(entry, { headerBytes, stated, length });
  const body = bodiless ? 0 : (stated ?? positive(length) ?? uncompressed(content, decoded));
  return {
    ...(total !== undefined && { total }),
    ...(headerBytes !== undefined && { headers: headerBytes }),
    ...(headers.textLength > 0 && { headersText: headers.textLength + RESPONSE_EXTRAS }),
    ...(body !== undefined && { body }),
    ...(decoded !== undefined && { content: decoded }),
    ...(/\b(?:gzip|br|zstd|deflate)\b/i.test(headers.byName.get('content-encoding') ?? '') && { compressed: true }),
    ...(bodiless && { bodiless: true }),
  };
}

const positive = (value: number | undefined): number | undefined => (value === 0 ? undefined : value);

/** 0 with contents beside it is no size: producers write it for what they did not see. With headers it is the whole response (`write-har.ts`). */
function statedBody(response: Fields, decoded: number | undefined): number | undefined {
  if (response._bodyWithHeaders === true) return undefined;
  const body = bytesOf(response.bodySize);
  return body === 0 && (decoded ?? 0) > 0 ? undefined : body;
}

/**
 * The whole response, where a producer states it: `_transferSize` (Chrome, browsertime), `_bytesIn` (WebPageTest, which may leave the
 * headers out), or a `bodySize` that exceeds the body's length (chrome-har on HTTP/2, headers included).
 */
function transferred(
  entry: Fields,
  of: { headerBytes: number | undefined; stated: number | undefined; length: number | undefined },
): number | undefined {
  const whole = positive(bytesOf(fieldsOf(entry.response)._transferSize)) ?? positive(bytesOf(entry._bytesIn));
  if (whole !== undefined && whole > (of.stated ?? of.length ?? 0)) return whole;
  const holdsHeaders = of.headerBytes === undefined && of.stated !== undefined && of.length !== undefined && of.stated > of.length;
  return holdsHeaders && (of.length ?? 0) > 0 ? of.stated : undefined;
}

/** Chrome's `compression` is what decompressing added. */
function uncompressed(content: Fields, decoded: number | undefined): number | undefined {
  const saved = numberOf(content.compression);
  if (saved === undefined || decoded === undefined || saved < 0 || saved > decoded) return undefined;
  return decoded - saved;
}

/** Request line: method, ` HTTP/1.1`, line ends. */
const REQUEST_EXTRAS = 16;

/** Bytes of the request as far as they are stated, or as its headers are long; `undefined`: neither is known. */
export function requestSize(entry: Fields, parts: { readonly headers: Headers; readonly pathLength: number }): number | undefined {
  const request = fieldsOf(entry.request);
  const stated = positive(bytesOf(request.headersSize));
  const body = bytesOf(request.bodySize) ?? bytesOf(parts.headers.byName.get('content-length')) ?? 0;
  if (stated !== undefined) return stated + body;
  const text = parts.headers.textLength;
  return text === 0 ? positive(bytesOf(entry._bytesOut)) : text + parts.pathLength + REQUEST_EXTRAS + body;
}
