/** Requests of every kind that a page or a form makes, drawn with a seed: the same in every run. */
import { BACKEND_PAGES, MODIFIED, type ServerName } from './real-servers.ts';

export interface CorpusRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `chunked`: sent without a length. `expecting`: only when the server has said that it may be. */
  readonly body?: { readonly bytes: Buffer; readonly framing: 'length' | 'chunked' | 'expecting' };
}

const get = (path: string, headers: Record<string, string> = {}): CorpusRequest => ({ method: 'GET', path, headers });

/** As Firefox asks for them. */
const ACCEPTS: Readonly<Record<string, string>> = {
  png: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  css: 'text/css,*/*;q=0.1',
  html: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};
const acceptOf = (name: string): string => ACCEPTS[name.split('.')[1] ?? ''] ?? '*/*';
const RANGES = ['bytes=0-0', 'bytes=100-1999', 'bytes=-500', 'bytes=4000-', 'bytes=99999999-'];

/** @param etags - By name of the file, as this server gives them. */
export function corpus({
  files,
  etags,
  server,
}: {
  files: readonly string[];
  etags: ReadonlyMap<string, string>;
  server: ServerName;
}): readonly CorpusRequest[] {
  const plain = files.flatMap((name) =>
    [{}, { accept: acceptOf(name) }, { accept: acceptOf(name), 'accept-encoding': 'gzip, deflate' }].map((headers) =>
      get(`/${name}`, headers),
    ),
  );
  const validated = files.flatMap((name) => [
    get(`/${name}`, { 'if-none-match': etags.get(name) ?? '' }),
    get(`/${name}`, { 'if-modified-since': MODIFIED.toUTCString() }),
    get(`/${name}`, { 'if-none-match': '"other"' }),
  ]);
  const parts = files.flatMap((name) => [
    ...RANGES.map((range) => get(`/${name}`, { range })),
    get(`/${name}`, { range: 'bytes=0-9', 'if-range': etags.get(name) ?? '' }),
    get(`/${name}`, { range: 'bytes=0-9', 'if-range': '"other"' }),
  ]);
  const oddities = ['/none', '/none?a=%2F%20&b=c;d', '/secret/a', '/moved', '/folder', '/4096.html?x=1', '/%34096.html', '//4096.html'].map(
    (path) => get(path),
  );
  // nginx before 1.29 takes an interim response of what is behind it for the answer, and breaks the connection.
  const pages = server.startsWith('nginx') ? BACKEND_PAGES.filter((path) => path !== '/up/hints') : BACKEND_PAGES;
  const made = [...pages, '/up/none'].map((path) => get(path));
  const heads = [...plain, ...validated, ...oddities, ...made]
    .filter((_, at) => at % 3 === 0)
    .map((request) => ({ ...request, method: 'HEAD' }));
  // In a row, so that what is drawn has as much of each kind as the kind has members.
  return [...plain, ...validated, ...parts, ...oddities, ...made, ...made, ...heads, ...sent(server)];
}

function sent(server: ServerName): readonly CorpusRequest[] {
  const bodies = [0, 1, 1000, 70_000].map((length) => Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 256)));
  const framed = bodies.flatMap((bytes) => (['length', 'chunked', 'expecting'] as const).map((framing) => ({ bytes, framing })));
  const echoed = framed.map((body) => ({ method: 'POST', path: '/up/echo?a=b', headers: { 'content-type': 'application/x-test' }, body }));
  return [
    ...echoed,
    { method: 'PUT', path: '/up/echo', headers: {}, body: { bytes: Buffer.from('put'), framing: 'length' } },
    { method: 'DELETE', path: '/up/echo', headers: {} },
    { method: 'OPTIONS', path: '/up/echo', headers: {} },
    // A server that refuses a body unread may close the connection, or not, as its buffers are: the long ones are to keep theirs.
    ...(server.endsWith('-short') ? [{ method: 'POST', path: '/4096.html', headers: {} }] : []),
  ];
}
