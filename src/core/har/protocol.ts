/** The protocols a HAR names, in the many ways in which its producers write them. */
import type { HttpVersion } from '../measure/page-load.ts';
import { bytesOf, type Fields, fieldsOf, textOf } from './fields.ts';

const VERSIONS: readonly (readonly [RegExp, HttpVersion])[] = [
  // `http/2.0+quic/99` is what Chrome wrote for QUIC; `h3-29` a draft.
  [/quic|^h3\b|^http\/3/, 'http/3'],
  [/^h2c?\b|^http\/2|^spdy/, 'http/2'],
  [/^http\/1\.1|^1\.1$/, 'http/1.1'],
  [/^http\/1\.0|^1\.0$/, 'http/1.0'],
];

/** Of the response, else of the request; `undefined` for "unknown", nothing, and what is none. */
export function versionOf(entry: Fields): HttpVersion | undefined {
  const texts = [fieldsOf(entry.response).httpVersion, entry._protocol, fieldsOf(entry.request).httpVersion, entry._tls_next_proto];
  for (const text of texts) {
    const version = textOf(text)?.toLowerCase().trim();
    const found = version === undefined ? undefined : VERSIONS.find(([pattern]) => pattern.test(version))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `_tls_version` of WebPageTest, or `_securityDetails` of Chrome's protocol. */
export function tlsOf(entry: Fields): '1.2' | '1.3' | undefined {
  const stated = textOf(entry._tls_version) ?? textOf(fieldsOf(entry._securityDetails).protocol);
  const version = /\b1\.[0-3]\b/.exec(stated ?? '')?.[0];
  if (version === undefined) return stated !== undefined && /quic/i.test(stated) ? '1.3' : undefined;
  // 1.0 and 1.1 take the round trips of 1.2.
  return version === '1.3' ? '1.3' : '1.2';
}

/** Only WebPageTest says so; of other producers it is false, which means that nobody knows. */
export const isResumed = (entry: Fields): boolean => entry._tls_resumed === true || textOf(entry._tls_resumed)?.toLowerCase() === 'true';

/** The server's SETTINGS_MAX_CONCURRENT_STREAMS; `undefined`: the record does not say. */
export function maxStreamsOf(entry: Fields): number | undefined {
  const limit = bytesOf(fieldsOf(entry._http2_server_settings).SETTINGS_MAX_CONCURRENT_STREAMS);
  return limit === undefined || limit < 1 ? undefined : limit;
}
