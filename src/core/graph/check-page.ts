/** Whether a page can be simulated. */
import { PlumbfoxError } from '../errors.ts';
import {
  CONTENT_CLASSES,
  discoveriesOf,
  MAX_BYTES,
  MAX_REQUESTS,
  type OriginOptions,
  type PageGraph,
  type PageRequest,
} from './page-graph.ts';

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
  for (const [origin, facts] of Object.entries(origins)) {
    if (!isObject(facts)) throw refused(`Origin ${echo(origin)} must be an object, such as {protocol: "http/2"}`);
    const { protocol, tls, resumed, dnsMs = 0, maxStreams } = facts;
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
  const waiting = new Map<string, string[]>();
  for (const request of requests) {
    for (const { id } of discoveriesOf(request)) {
      const own = waiting.get(id);
      if (own === undefined) waiting.set(id, [request.id]);
      else own.push(request.id);
    }
  }
  const free = requests.filter(({ id }) => left.get(id) === 0).map(({ id }) => id);
  let taken = 0;
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    taken += 1;
    for (const id of waiting.get(next) ?? []) {
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
