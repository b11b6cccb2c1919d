/** A page as the simulator takes it: every request with what must have arrived before it is requested, and whether it can be simulated. */
import * as v from 'valibot';
import { PlumbfoxError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { count, notNegative, type Shape } from '../schema.ts';

/** The class of a request's content: decides its turn in the browser's queue, and whether it holds others back. */
export const CONTENT_CLASSES = ['document', 'stylesheet', 'script', 'font', 'fetch', 'image', 'media', 'other'] as const;
export type ContentClass = (typeof CONTENT_CLASSES)[number];

/** Above this a page is refused: no page of the HTTP Archive's has so many, and a mistake is likelier. */
export const MAX_REQUESTS = 20_000;

const discoverySchema = v.object({
  id: v.string(),
  /** Bytes of the response, headers included. Absent: the whole response. 0: with the response's first byte. */
  bytes: v.exactOptional(notNegative),
  /** What the browser's processor needs in between, ms. 0 unless given. */
  delayMs: v.exactOptional(notNegative),
});
/** A request is sent `delayMs` after the first `bytes` bytes of the response to `id` are there, in order. */
export type Discovery = Shape<typeof discoverySchema>;

const pageRequestSchema = v.object({
  /** Unique on the page. */
  id: v.string(),
  /** Response bytes, headers included; 1,460 go into a segment. */
  bytes: notNegative,
  /** Bytes of the request, headers included. `DEFAULT_REQUEST_BYTES` unless given. */
  requestBytes: v.exactOptional(notNegative),
  /** Name of the server, any text; a key of the page's `origins` where more is known of it. One server for all unless given. */
  origin: v.exactOptional(v.string()),
  /** `other` unless given. */
  class: v.exactOptional(v.picklist(CONTENT_CLASSES)),
  /**
   * Whether requests that do not block wait for it, as Firefox has images wait for style sheets and for scripts of the head (bug 1793693).
   * Unless given: style sheets do, nothing else does.
   */
  blocking: v.exactOptional(v.boolean()),
  /** What the server needs between the last byte of the request and the first of the response, ms. 0 unless given. */
  serverMs: v.exactOptional(notNegative),
  /** All of these must hold; absent: it is requested at the start. */
  after: v.exactOptional(v.union([discoverySchema, v.array(discoverySchema)])),
});
export type PageRequest = Shape<typeof pageRequestSchema>;

const originOptionsSchema = v.object({
  /** `http/1.1` unless given. */
  protocol: v.exactOptional(v.picklist(['http/1.1', 'http/2', 'http/3'])),
  /** `none` unless given; HTTP/3 is always 1.3. */
  tls: v.exactOptional(v.picklist(['none', '1.2', '1.3'])),
  /** A session from before is taken up again: TLS 1.2 saves a round trip, TLS 1.3 and QUIC another (0-RTT). False unless given. */
  resumed: v.exactOptional(v.boolean()),
  /** Looking its name up, ms, once. 0 unless given. */
  dnsMs: v.exactOptional(notNegative),
  /** SETTINGS_MAX_CONCURRENT_STREAMS of HTTP/2; absent: 100, what servers usually send. `none`: it sends no limit. */
  maxStreams: v.exactOptional(v.union([count, v.literal('none')])),
});
/** The known properties of a server; everything has a default. */
export type OriginOptions = Shape<typeof originOptionsSchema>;

export const pageGraphSchema = v.object({
  /** At least one, at most `MAX_REQUESTS`. The order is that of the page: what comes first is requested first. */
  requests: v.pipe(v.array(pageRequestSchema), v.minLength(1), v.maxLength(MAX_REQUESTS)),
  origins: v.exactOptional(v.record(v.string(), originOptionsSchema)),
});
/** A page as the simulator loads it. */
export type PageGraph = Shape<typeof pageGraphSchema>;

/** The server of requests that name none. */
export const DEFAULT_ORIGIN = 'origin';

/** The discoveries that a request waits for, as a list; an unchecked one may hold anything. */
export function discoveriesOf({ after }: PageRequest): readonly Discovery[] {
  if (after === undefined) return [];
  return Array.isArray(after) ? after : [after as Discovery];
}

/** All responses together; a larger page is a mistake, and would take minutes to simulate. */
export const MAX_BYTES = 2 ** 30;

/** Longer delays are mistakes in the unit. */
const MAX_MS = 600_000;

/** Refuses everything a caller may get wrong. @throws PlumbfoxError `bad-input`, one line that names it. */
export function checkPage(page: PageGraph): void {
  const requests: unknown = page?.requests;
  if (!Array.isArray(requests) || requests.length === 0) throw refused('A page needs at least one request');
  if (requests.length > MAX_REQUESTS) throw refused(`A page of ${requests.length} requests is beyond what is simulated (${MAX_REQUESTS})`);
  const ids = new Set<string>();
  for (const [at, request] of page.requests.entries()) {
    if (typeof request?.id !== 'string' || request.id === '') throw refused(`Request ${at + 1} of the page needs an id, as text`);
    if (ids.has(request.id)) throw refused(`Two requests have the id ${name(request)}`);
    ids.add(request.id);
  }
  for (const request of page.requests) checkRequest(request, ids);
  const bytes = page.requests.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > MAX_BYTES) throw refused(`A page of ${bytes} bytes is beyond what is simulated (${MAX_BYTES})`);
  checkOrigins(page);
  checkNoCircle(page);
}

function checkRequest(request: PageRequest, ids: ReadonlySet<string>): void {
  checkNumber(request, 'bytes', { value: request.bytes, max: MAX_BYTES });
  checkNumber(request, 'requestBytes', { value: request.requestBytes ?? 0, max: MAX_BYTES });
  checkNumber(request, 'serverMs', { value: request.serverMs ?? 0, max: MAX_MS });
  if (request.class !== undefined && !CONTENT_CLASSES.includes(request.class)) {
    throw refused(`Request ${name(request)}: its class must be one of ${CONTENT_CLASSES.join(', ')}`);
  }
  if (request.origin !== undefined && typeof request.origin !== 'string')
    throw refused(`Request ${name(request)}: its origin must be text`);
  if (request.blocking !== undefined && typeof request.blocking !== 'boolean')
    throw refused(`Request ${name(request)}: blocking must be true or false`);
  for (const discovery of discoveriesOf(request)) {
    if (typeof discovery?.id !== 'string')
      throw refused(`Request ${name(request)}: after must be {id, bytes?, delayMs?}, or a list of them`);
    if (!ids.has(discovery.id)) throw refused(`Request ${name(request)} comes after ${echo(discovery.id)}, which is not on the page`);
    checkNumber(request, 'after.bytes', { value: discovery.bytes ?? 0, max: MAX_BYTES });
    checkNumber(request, 'after.delayMs', { value: discovery.delayMs ?? 0, max: MAX_MS });
  }
}

const PROTOCOLS: readonly unknown[] = ['http/1.1', 'http/2', 'http/3'] satisfies readonly OriginOptions['protocol'][];
const TLS: readonly unknown[] = ['none', '1.2', '1.3'] satisfies readonly OriginOptions['tls'][];

function checkOrigins({ origins = {} }: PageGraph): void {
  if (!isObject(origins)) throw refused('The origins of a page must be an object, by their names');
  for (const [origin, options] of Object.entries(origins)) {
    if (!isObject(options)) throw refused(`Origin ${echo(origin)} must be an object, such as {protocol: "http/2"}`);
    const { protocol, tls, resumed, dnsMs = 0, maxStreams } = options;
    if (protocol !== undefined && !PROTOCOLS.includes(protocol))
      throw refused(`Origin ${echo(origin)}: its protocol must be one of ${PROTOCOLS.join(', ')}`);
    if (tls !== undefined && !TLS.includes(tls)) throw refused(`Origin ${echo(origin)}: its tls must be one of ${TLS.join(', ')}, as text`);
    if (resumed !== undefined && typeof resumed !== 'boolean') throw refused(`Origin ${echo(origin)}: resumed must be true or false`);
    if (!(typeof dnsMs === 'number' && dnsMs >= 0 && dnsMs <= MAX_MS))
      throw refused(`Origin ${echo(origin)}: dnsMs must be 0 to ${MAX_MS}`);
    if (maxStreams === undefined || maxStreams === 'none' || (Number.isInteger(maxStreams) && maxStreams >= 1)) continue;
    throw refused(`Origin ${echo(origin)}: maxStreams must be a whole number from 1, or "none"`);
  }
}

/** Takes away what waits for nothing that is left, until nothing is left (Kahn 1962). */
function checkNoCircle({ requests }: PageGraph): void {
  const left = new Map(requests.map((request) => [request.id, discoveriesOf(request).length]));
  const edges = requests.flatMap((request) => discoveriesOf(request).map(({ id }) => ({ from: id, to: request.id })));
  const waiting = groupBy(edges, ({ from }) => from);
  const free = requests.filter(({ id }) => left.get(id) === 0).map(({ id }) => id);
  let taken = 0;
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    taken += 1;
    for (const { to: id } of waiting.get(next) ?? []) {
      const count = (left.get(id) ?? 0) - 1;
      left.set(id, count);
      if (count === 0) free.push(id);
    }
  }
  if (taken === requests.length) return;
  const caught = requests.find(({ id }) => (left.get(id) ?? 0) > 0);
  throw refused(`Request ${echo(caught?.id ?? '')} waits, by way of others, for itself`);
}

function checkNumber(request: PageRequest, member: string, { value, max }: { value: unknown; max: number }): void {
  if (typeof value === 'number' && value >= 0 && value <= max) return;
  throw refused(`Request ${name(request)}: ${member} must be a number from 0 to ${max}`);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const MAX_ECHO = 64;
const echo = (text: string): string => JSON.stringify(text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text);
const name = ({ id }: PageRequest): string => echo(id);
const refused = (sentence: string): PlumbfoxError => new PlumbfoxError('bad-input', sentence);
