/** The HTTP version that a status line names. */
import type { HttpVersion } from './page-load.ts';

/** Firefox writes the status line as `HTTP/%u.%u <status> <reason>`: "HTTP/1.1 200 OK", "HTTP/2.0 200 ", "HTTP/3.0 200 " (nsHttpResponseHead). */
const versions: Readonly<Record<string, HttpVersion>> = {
  '1.0': 'http/1.0',
  '1.1': 'http/1.1',
  '2': 'http/2',
  '2.0': 'http/2',
  '3': 'http/3',
  '3.0': 'http/3',
};

/** `undefined` for a response without status line, for HTTP/0.9 and for anything else that is not named above. */
export function httpVersionOf(statusLine: string | undefined): HttpVersion | undefined {
  const found = /^HTTP\/(\d(?:\.\d)?) /.exec(`${statusLine ?? ''} `)?.[1];
  return found === undefined ? undefined : versions[found];
}
