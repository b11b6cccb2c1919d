/**
 * A HAR written of a simulated load gives back a page that loads like the first: what was inferred is held against what was true,
 * over the same link and over others.
 */
import { describe, expect, it } from 'vitest';
import type { PageGraph, PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { linkFromHar, pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import type { SimulatedLink } from '../../../../src/core/simulate/link.ts';
import { entry, harOf } from './har-of.ts';

const TYPES: Readonly<Record<string, string>> = {
  document: 'text/html',
  stylesheet: 'text/css',
  script: 'text/javascript',
  font: 'font/woff2',
  fetch: 'application/json',
  image: 'image/png',
};

/** The HAR of a load under Firefox's defaults; a request that found no open connection took a handshake of one round trip. */
function harOfLoad(page: PageGraph, link: SimulatedLink) {
  const [load] = predict({ page, link, profiles: ['firefox-default'] });
  const opened = new Set<number>();
  const entries = page.requests.map((request, index) => {
    const { discoveredMs = 0, startMs = 0, firstByteMs = 0, endMs = 0, connection = 0 } = load?.requests[index] ?? {};
    const opens = !opened.has(connection) && startMs - discoveredMs >= link.rttMs;
    opened.add(connection);
    const connect = opens ? link.rttMs : -1;
    const timings = {
      blocked: startMs - discoveredMs - Math.max(0, connect),
      dns: -1,
      connect,
      send: 0,
      wait: firstByteMs - startMs,
      receive: endMs - firstByteMs,
    };
    return entry(`http://${request.origin ?? 'a.test'}/${request.id}`, {
      at: discoveredMs,
      mimeType: TYPES[request.class ?? 'image'] ?? 'image/png',
      more: { timings, response: { status: 200, content: { mimeType: TYPES[request.class ?? 'image'] }, _transferSize: request.bytes } },
    });
  });
  return harOf(entries, { onLoad: load?.loadTimeMs ?? 0 });
}

const image = (id: string, bytes: number, after: PageRequest['after'], origin = 'a.test'): PageRequest => ({
  id,
  bytes,
  class: 'image',
  origin,
  ...(after && { after }),
});

/** A document that names a sheet, two scripts and images as it arrives; a font of the sheet, data of a script, and images of the data. */
const PAGE: PageGraph = {
  requests: [
    { id: 'page', bytes: 40_000, class: 'document', origin: 'a.test', serverMs: 80 },
    { id: 's.css', bytes: 12_000, class: 'stylesheet', origin: 'a.test', serverMs: 10, after: { id: 'page', bytes: 4000 } },
    { id: 'a.js', bytes: 45_000, class: 'script', origin: 'cdn.test', serverMs: 5, after: { id: 'page', bytes: 8000 } },
    ...Array.from({ length: 12 }, (_, n) => image(`i${n}`, 6000 + 1500 * n, { id: 'page', bytes: 12_000 + 2000 * n })),
    { id: 'f.woff2', bytes: 20_000, class: 'font', origin: 'cdn.test', after: { id: 's.css', delayMs: 12 } },
    { id: 'd.json', bytes: 3000, class: 'fetch', origin: 'a.test', serverMs: 60, after: { id: 'a.js', delayMs: 30 } },
    ...Array.from({ length: 4 }, (_, n) => image(`late${n}`, 18_000, { id: 'd.json', delayMs: 8 }, 'cdn.test')),
  ],
};

const RECORDED: SimulatedLink = { rttMs: 60, downKbps: 5000 };
/** Over which a response of the first flight may be spread: what a server's delay can be off by. */
const LINK_TRIPS_MS = 60;
const PROFILES = ['firefox-default', 'c1-d2', 'c2-d1', 'c4-d6', 'c8-d1'];
const LINKS: readonly SimulatedLink[] = [
  RECORDED,
  { rttMs: 20, downKbps: 20_000 },
  { rttMs: 300, downKbps: 2000 },
  { rttMs: 600, downKbps: 300 },
];

describe('a page from the HAR of a simulated load', () => {
  const har = harOfLoad(PAGE, RECORDED);
  const { page } = pageFromHar(har);

  it('has every request, at the size it had', () => {
    const bytes = (of: PageGraph) => of.requests.map((request) => request.bytes).sort((a, b) => a - b);
    expect(bytes(page)).toEqual(bytes(PAGE));
  });

  it('has the server delays of the first, queues on the way taken off', () => {
    const delay = (of: PageGraph, name: string) => of.requests.find(({ id }) => id.endsWith(name))?.serverMs ?? 0;
    for (const { id } of PAGE.requests) expect(Math.abs(delay(page, id) - delay(PAGE, id))).toBeLessThan(LINK_TRIPS_MS);
  });

  it('shows the link it was recorded on', () => {
    const link = linkFromHar(har)?.link;
    expect(link?.rttMs).toBeCloseTo(RECORDED.rttMs, 0);
    expect(Math.abs((link?.downKbps ?? 0) / RECORDED.downKbps - 1)).toBeLessThan(0.1);
  });

  it('loads like the first over this link and others, under every profile', () => {
    const errors = LINKS.flatMap((link) => {
      const [of, again] = [PAGE, page].map((each) => predict({ page: each, link, profiles: PROFILES }).map(({ loadTimeMs }) => loadTimeMs));
      return (of ?? []).map((loadTimeMs, index) => Math.abs((again?.[index] ?? 0) / loadTimeMs - 1));
    }).sort((a, b) => a - b);
    expect(errors).toHaveLength(LINKS.length * PROFILES.length);
    // Found: 0.033 and 0.185. Loads are chaotic: a few ms earlier in slow start can cost or save a round trip.
    expect(errors[errors.length >> 1]).toBeLessThan(0.07);
    expect(errors.at(-1)).toBeLessThan(0.3);
  });
});
