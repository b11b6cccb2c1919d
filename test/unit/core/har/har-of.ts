/** HARs in a few words; times in ms after the page's start, which is 10:00 UTC. */
const PAGE_START = Date.UTC(2026, 0, 5, 10, 0, 0);

export interface EntryOptions {
  /** When it was asked for. */
  readonly at?: number;
  readonly blocked?: number;
  readonly dns?: number;
  readonly connect?: number;
  readonly ssl?: number;
  readonly wait?: number;
  readonly receive?: number;
  /** Body on the wire; headers take 100 more. */
  readonly body?: number;
  readonly status?: number;
  readonly mimeType?: string;
  readonly location?: string;
  readonly referer?: string;
  readonly version?: string;
  /** Members of the entry that replace or join the others. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
};

/** As Chrome writes them; the media type follows from the ending, and is that of a document without one. */
export function entry(url: string, options: EntryOptions = {}): Record<string, unknown> {
  const { at = 0, blocked = 0, dns = -1, connect = -1, ssl = -1, wait = 100, receive = 10, body = 900, status = 200 } = options;
  const version = options.version ?? 'http/1.1';
  const ending = /\.(\w+)$/.exec(url.split('?')[0] ?? '')?.[1] ?? '';
  const phases = [blocked, dns, connect, wait, receive].filter((phase) => phase > 0);
  return {
    pageref: 'page_1',
    startedDateTime: new Date(PAGE_START + at).toISOString(),
    time: phases.reduce((sum, phase) => sum + phase, 0),
    request: {
      method: 'GET',
      url,
      httpVersion: version,
      headers: options.referer === undefined ? [] : [{ name: 'Referer', value: options.referer }],
      headersSize: 300,
      bodySize: 0,
    },
    response: {
      status,
      httpVersion: version,
      headers: [],
      content: { size: body, mimeType: options.mimeType ?? MEDIA_TYPES[ending] ?? 'text/html' },
      redirectURL: options.location ?? '',
      headersSize: 100,
      bodySize: body,
    },
    cache: {},
    timings: { blocked, dns, connect, ssl, send: 0, wait, receive },
    ...options.more,
  };
}

export interface HarOptions {
  readonly onLoad?: number;
  readonly creator?: string;
}

export const harOf = (entries: readonly unknown[], { onLoad = 5000, creator = 'WebInspector' }: HarOptions = {}) => ({
  log: {
    version: '1.2',
    creator: { name: creator, version: '1' },
    pages: [{ id: 'page_1', startedDateTime: new Date(PAGE_START).toISOString(), title: 'page', pageTimings: { onLoad } }],
    entries,
  },
});
