/** Whatever a file holds: one clear refusal, or a page that can be simulated. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { INFERRED_FIELDS, type InferredPage } from '../../../../src/core/graph/inference.ts';
import { checkPage, type Discovery } from '../../../../src/core/graph/page-graph.ts';
import { linkFromHar, pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { entry, harOf } from './har-of.ts';

/** A sound page with a redirect, a sheet, a script, a font, a frame, data and two servers. */
const SOUND = harOf([
  entry('http://a.test/', { status: 301, location: 'https://a.test/', wait: 50 }),
  entry('https://a.test/', { at: 61, dns: 10, connect: 80, ssl: 40, wait: 100, receive: 100, body: 20_000 }),
  entry('https://a.test/s.css', { at: 300, more: { _initiator: 'https://a.test/', connection: '7' } }),
  entry('https://cdn.test/s.js', { at: 310, connect: 60, ssl: 30, version: 'h2', more: { _priority: 'High', _transferSize: 5000 } }),
  entry('https://cdn.test/f.woff2', { at: 600, referer: 'https://a.test/s.css', version: 'h2' }),
  entry('https://ads.test/frame', {
    at: 610,
    more: { _initiator: { type: 'script', stack: { callFrames: [{ url: 'https://cdn.test/s.js' }] } } },
  }),
  entry('https://a.test/d.json', { at: 700, more: { timings: { wait: 50, receive: 5 }, time: '55' } }),
  entry('data:image/png;base64,AAAA'),
]);

/** Of each kind; 20,000 of each have been tried. */
const RUNS = 200;

const STRANGE: readonly unknown[] = [
  ...[null, undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 0, -1e9, 1e300, 5e-324, '12', '-3', 'NaN', '', [], {}, true],
  ...['https://a.test/', 'https://a.test/s.css', 'http://[', 'data:,x', 'ws://a.test/', 'https://a.test/#x', '//b.test/y', 'toString'],
  ...['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00+23:59', '1969-12-31', '9999-12-31T23:59:59Z', 'h3', 'HTTP/1.0', '__proto__'],
  ...[204, 301, 304, 404, '\u0000\u001b[31m', 'x'.repeat(5000)],
];

const strange = fc.oneof(fc.constantFrom(...STRANGE), fc.jsonValue({ maxDepth: 2 }), fc.double());

/** Where to go in a value, as shares of what there is at each level; and what to do there. */
const change = fc.record({
  path: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 7 }),
  value: strange,
  drop: fc.boolean(),
});

function mangle(value: unknown, path: readonly number[], put: (key: string, holder: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  const keys = Object.keys(holder);
  const key = keys[Math.floor((path[0] ?? 0) * keys.length)];
  if (key === undefined) return;
  if (path.length === 1 || typeof holder[key] !== 'object') put(key, holder);
  else mangle(holder[key], path.slice(1), put);
}

const mangled = fc.array(change, { minLength: 1, maxLength: 12 }).map((changes) => {
  const har: unknown = structuredClone(SOUND);
  for (const { path, value, drop } of changes) {
    mangle(har, path, (key, holder) => {
      if (drop) delete holder[key];
      else holder[key] = value;
    });
  }
  return har;
});

/** Entries with times, addresses and sizes from so few values that ties, loops and repeats are common. */
const tangled = fc
  .array(
    fc.record({
      url: fc.constantFrom(
        'https://a.test/',
        'https://a.test/s.css',
        'https://b.test/s.js',
        'http://c.test/i.png',
        'https://a.test/d.json',
        'blob:x',
      ),
      options: fc.record({
        at: fc.constantFrom(-100, 0, 0, 1, 100, 110, 5000, 70_000),
        wait: fc.constantFrom(-1, 0, 10, 100),
        receive: fc.constantFrom(-1, 0, 1, 100),
        blocked: fc.constantFrom(-1, 0, 50),
        connect: fc.constantFrom(-1, 0, 60),
        body: fc.constantFrom(-1, 0, 100, 50_000),
        status: fc.constantFrom(0, 200, 301, 304),
        location: fc.constantFrom('', '/', '/s.css', 'https://b.test/s.js'),
        referer: fc.constantFrom('https://a.test/', 'https://a.test/s.css', 'https://b.test/'),
        version: fc.constantFrom('', 'h2', 'http/1.1', 'h3'),
        more: fc.constantFrom(
          {},
          { _initiator: 'https://b.test/s.js' },
          { _initiator: 'https://a.test/' },
          { connection: '1' },
          { _load_start: '30', _ttfb_ms: 5 },
        ),
      }),
    }),
    { maxLength: 40 },
  )
  .map((entries) => harOf(entries.map(({ url, options }) => entry(url, options))));

function outcomeOf(har: unknown): InferredPage | string {
  try {
    return pageFromHar(har);
  } catch (error) {
    expect(error).toBeInstanceOf(PlumbfoxError);
    const { kind, message } = error as PlumbfoxError;
    expect(kind).toBe('bad-input');
    return message;
  }
}

const discoveries = (after: Discovery | readonly Discovery[] | undefined): readonly Discovery[] =>
  after === undefined ? [] : 'id' in after ? [after] : after;

function holds(har: unknown): void {
  const outcome = outcomeOf(har);
  if (typeof outcome === 'string') {
    expect(outcome).not.toMatch(/\n/);
    expect(outcome.length).toBeLessThan(600);
    return;
  }
  const { page, inferred } = outcome;
  checkPage(page);
  const seen = new Set<string>();
  page.requests.forEach(({ id, bytes, requestBytes = 1, serverMs = 0, after, origin }, index) => {
    // Only on what comes before it: no circle, no unknown name.
    const needed = discoveries(after);
    expect(needed.length > 0).toBe(index > 0);
    for (const each of needed) {
      expect(seen).toContain(each.id);
      expect(each.delayMs ?? 0).toBeGreaterThanOrEqual(0);
      expect(each.bytes ?? 0).toBeGreaterThanOrEqual(0);
    }
    expect(Number.isInteger(bytes) && bytes > 0).toBe(true);
    expect(Number.isInteger(requestBytes) && requestBytes > 0).toBe(true);
    expect(Number.isFinite(serverMs) && serverMs >= 0).toBe(true);
    expect(Object.keys(page.origins ?? {})).toContain(origin);
    expect(seen.has(id)).toBe(false);
    expect(id).toMatch(/^[ -~]+$/);
    seen.add(id);
  });
  for (const { field, requests, rule } of inferred) {
    expect(INFERRED_FIELDS).toContain(field);
    expect(requests).toBeGreaterThan(0);
    expect(rule).not.toMatch(/\n/);
  }
  // Same input, same output, and the input is left alone.
  expect(outcomeOf(structuredClone(har))).toEqual(outcome);
}

describe('pageFromHar', () => {
  it('makes a sound page of a sound HAR', () => holds(SOUND));

  it('refuses any JSON in one line, or makes a sound page of it', () => {
    fc.assert(fc.property(fc.jsonValue(), holds), { numRuns: RUNS });
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (entries) => holds({ log: { entries } })),
      { numRuns: RUNS },
    );
  });

  it('refuses a mangled HAR in one line, or makes a sound page of it', () => {
    fc.assert(fc.property(mangled, holds), { numRuns: RUNS });
  });

  it('makes a sound page of ties, loops and repeats', () => {
    fc.assert(fc.property(tangled, holds), { numRuns: RUNS });
  });
});

describe('linkFromHar', () => {
  it('finds a link that can be simulated, none, or refuses in one line', () => {
    const link = (har: unknown) => {
      try {
        const found = linkFromHar(har)?.link;
        if (found === undefined) return;
        expect(found.rttMs).toBeGreaterThan(0);
        expect(found.downKbps).toBeGreaterThan(0);
        expect(Number.isFinite(found.rttMs + found.downKbps)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(PlumbfoxError);
      }
    };
    fc.assert(fc.property(mangled, link), { numRuns: RUNS });
    fc.assert(fc.property(tangled, link), { numRuns: RUNS });
  });
});
