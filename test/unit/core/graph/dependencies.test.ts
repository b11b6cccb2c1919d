/** What must have arrived before each request is asked for. The document arrives from 100 to 200 ms throughout: half of it is there at 150. */
import { describe, expect, it } from 'vitest';
import { pageFromHar } from '../../../../src/core/har/page-from-har.ts';
import { type EntryOptions, entry, harOf } from '../har/har-of.ts';

/** 1,000 bytes with headers. */
const DOCUMENT = entry('https://a.test/', { wait: 100, receive: 100 });

const askedAfter = (entries: readonly unknown[], id: string) =>
  pageFromHar(harOf([DOCUMENT, ...entries])).page.requests.find((request) => request.id === id)?.after;

const css = (options: EntryOptions) => entry('https://a.test/s.css', options);
const js = (options: EntryOptions) => entry('https://a.test/s.js', options);
const image = (options: EntryOptions) => entry('https://a.test/i.png', options);

describe('a request while the document arrives', () => {
  it('comes after as much of it as had arrived', () => {
    expect(askedAfter([image({ at: 125 })], '2 i.png')).toEqual({ id: '1 a.test', bytes: 250 });
    expect(askedAfter([image({ at: 150 })], '2 i.png')).toEqual({ id: '1 a.test', bytes: 500 });
  });

  it('comes with the first byte if it began before it', () => {
    expect(askedAfter([image({ at: 40 })], '2 i.png')).toEqual({ id: '1 a.test', bytes: 0 });
  });

  it('comes after all of it at its last byte', () => {
    expect(askedAfter([image({ at: 200 })], '2 i.png')).toEqual({ id: '1 a.test' });
  });
});

describe('a document of which is not recorded when it was complete', () => {
  // 44,000 bytes whose first comes at 100 ms and whose last is said to come at once: two flights of slow start, 14,600 and 29,200.
  const large = (options: EntryOptions) =>
    entry('https://a.test/', { dns: 5, connect: 40, wait: 55, receive: 0, body: 43_700, ...options });
  const first = (entries: readonly unknown[]) => pageFromHar(harOf(entries)).page.requests[1]?.after;

  it('was complete when its flights can have come', () => {
    // The second flight begins a round trip after the first: complete at 140.
    expect(first([large({}), image({ at: 120 })])).toEqual({ id: '1 a.test', bytes: 21_900 });
  });

  it('was complete with the last request that nothing else can have asked for', () => {
    expect(first([large({}), image({ at: 150 }), image({ at: 300 }), js({ at: 150, wait: 500 })])).toEqual({
      id: '1 a.test',
      bytes: 10_950,
    });
  });

  it('is taken at its word where it fits into a first flight', () => {
    expect(first([large({ body: 9900 }), image({ at: 150 })])).toEqual({ id: '1 a.test', delayMs: 50 });
  });
});

describe('a request after the document', () => {
  it('comes after the document while no script or style sheet is complete', () => {
    expect(askedAfter([js({ at: 150, wait: 500 }), image({ at: 260 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 60 });
  });

  it('comes after the latest script or style sheet that was complete', () => {
    // The sheet is complete at 150 + 100 + 10 = 260, the script at 270 and the late one at 760.
    const others = [css({ at: 150 }), js({ at: 160 }), entry('https://a.test/late.js', { at: 160, wait: 590 })];
    expect(askedAfter([...others, image({ at: 300 })], '5 i.png')).toEqual({ id: '3 s.js', delayMs: 30 });
  });

  it('comes after the document if scripts were complete before it', () => {
    const early = js({ at: 110, wait: 20, receive: 0 });
    expect(askedAfter([early, image({ at: 300 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 100 });
  });

  it('does not come after an image', () => {
    const others = [entry('https://a.test/first.png', { at: 150, wait: 50 })];
    expect(askedAfter([...others, image({ at: 300 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 100 });
  });

  it('comes after fetched data within 50 ms, and not later', () => {
    const data = entry('https://a.test/d.json', { at: 210, wait: 50, receive: 40 });
    expect(askedAfter([data, image({ at: 350 })], '3 i.png')).toEqual({ id: '2 d.json', delayMs: 50 });
    expect(askedAfter([data, image({ at: 351 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 151 });
  });

  it('counts waiting in the browser as waiting, not as work of the processor', () => {
    // Asked for at 260, as the script ended; then it waited 400 ms for a connection.
    expect(askedAfter([js({ at: 150 }), image({ at: 265, blocked: 400 })], '3 i.png')).toEqual({ id: '2 s.js', delayMs: 5 });
  });

  it("takes what ended within the clock's step for the cause", () => {
    // Chrome cuts the start to whole ms: asked for at 260.7, written as 260, where the script ended at 260.5.
    expect(askedAfter([js({ at: 150, receive: 10.5 }), image({ at: 260 })], '3 i.png')).toEqual({ id: '2 s.js' });
  });
});

describe('a request whose initiator is recorded', () => {
  const early = js({ at: 150, wait: 20, receive: 0 });
  const later = css({ at: 150, wait: 100, receive: 0 });

  it('comes after the initiator, not after what was complete later', () => {
    const asked = image({ at: 300, more: { _initiator: { type: 'script', stack: { callFrames: [{ url: 'https://a.test/s.js' }] } } } });
    expect(askedAfter([early, later, asked], '4 i.png')).toEqual({ id: '2 s.js', delayMs: 130 });
  });

  it('reads the initiator in every form there is', () => {
    const forms = [
      { _initiator: 'https://a.test/s.js' },
      { _initiator: { type: 'parser', url: 'https://a.test/s.js' } },
      { _initiator: { type: 'script', stack: { callFrames: [], parent: { callFrames: [{ url: 'https://a.test/s.js' }] } } } },
      { _initiator_detail: '{"type":"parser","url":"https://a.test/s.js"}' },
    ];
    for (const more of forms)
      expect(askedAfter([early, later, image({ at: 300, more })], '4 i.png')).toEqual({ id: '2 s.js', delayMs: 130 });
  });

  it('does not come after an initiator that was not there yet', () => {
    const slow = js({ at: 150, wait: 800 });
    expect(askedAfter([slow, image({ at: 300, more: { _initiator: 'https://a.test/s.js' } })], '3 i.png')).toEqual({
      id: '1 a.test',
      delayMs: 100,
    });
  });

  it('comes after part of the document and the script that both called', () => {
    const script = js({ at: 110, wait: 20, receive: 0 });
    const frames = [{ url: 'https://a.test/s.js' }, { url: 'https://a.test/' }];
    const asked = image({ at: 150, more: { _initiator: { type: 'script', stack: { callFrames: frames } } } });
    expect(askedAfter([script, asked], '3 i.png')).toEqual([{ id: '1 a.test', bytes: 500 }, { id: '2 s.js' }]);
  });

  it('comes after data that its script had fetched just before', () => {
    const data = entry('https://a.test/d.json', { at: 200, wait: 90, receive: 0 });
    expect(askedAfter([early, data, image({ at: 300, more: { _initiator: 'https://a.test/s.js' } })], '4 i.png')).toEqual([
      { id: '3 d.json', delayMs: 10 },
      { id: '2 s.js' },
    ]);
  });
});

describe('a request of a style sheet', () => {
  it('comes after the sheet that its Referer names', () => {
    const font = entry('https://a.test/f.woff2', { at: 300, referer: 'https://a.test/s.css' });
    expect(askedAfter([css({ at: 110, wait: 20, receive: 0 }), font], '3 f.woff2')).toEqual({ id: '2 s.css', delayMs: 170 });
  });

  it('comes after the sheet and what held the layout up', () => {
    const font = entry('https://a.test/f.woff2', { at: 300, referer: 'https://a.test/s.css' });
    const others = [css({ at: 110, wait: 20, receive: 0 }), js({ at: 150, wait: 140, receive: 0 })];
    expect(askedAfter([...others, font], '4 f.woff2')).toEqual([{ id: '3 s.js', delayMs: 10 }, { id: '2 s.css' }]);
  });

  it('is known by the server of the sheet where browsers cut the Referer', () => {
    const sheet = entry('https://cdn.test/s.css', { at: 110, wait: 20, receive: 0 });
    const font = entry('https://cdn.test/f.woff2', { at: 150, referer: 'https://cdn.test/' });
    expect(askedAfter([sheet, font], '3 f.woff2')).toEqual({ id: '2 s.css', delayMs: 20 });
  });
});

describe('a request of a frame', () => {
  // The frame arrives from 300 to 400 ms.
  const frame = entry('https://ads.test/frame', { at: 210, wait: 90, receive: 100 });

  it('comes after as much of the frame as had arrived', () => {
    const own = entry('https://ads.test/i.png', { at: 350, referer: 'https://ads.test/frame' });
    expect(askedAfter([frame, own], '3 i.png')).toEqual({ id: '2 frame', bytes: 500 });
  });

  it('is known by its server where browsers cut the Referer', () => {
    const own = entry('https://x.test/i.png', { at: 350, referer: 'https://ads.test/' });
    expect(askedAfter([frame, own], '3 i.png')).toEqual({ id: '2 frame', bytes: 500 });
  });
});

describe('a request that had waited unseen', () => {
  const asSent = { blocked: -1 };

  it('was asked for with the one before it on its connection, where all were busy', () => {
    // Six images at 150; the seventh takes over the connection of the first at 260.
    const six = [1, 2, 3, 4, 5, 6].map((n) =>
      entry(`https://a.test/${n}.png`, { at: 150, ...asSent, wait: n === 1 ? 100 : 500, more: { connection: `${n}` } }),
    );
    const seventh = entry('https://a.test/7.png', { at: 262, ...asSent, more: { connection: '1' } });
    expect(askedAfter([...six, seventh], '8 7.png')).toEqual({ id: '1 a.test', bytes: 500 });
    // Without the one before it on its connection, or with fewer than five others under way, it had not waited.
    expect(askedAfter([...six.slice(1), seventh], '7 7.png')).toEqual({ id: '1 a.test', delayMs: 62 });
    expect(askedAfter([...six.slice(0, 5), seventh], '7 7.png')).toEqual({ id: '1 a.test', delayMs: 62 });
  });
});

describe('redirects', () => {
  it('lead to what comes after the whole of their response', () => {
    const hop = image({ at: 150, status: 302, location: '/other.png', wait: 40, receive: 0 });
    const target = entry('https://a.test/other.png', { at: 195 });
    expect(askedAfter([hop, target], '3 other.png')).toEqual({ id: '2 i.png', delayMs: 5 });
  });

  it('come before the document they lead to', () => {
    const hop = entry('http://a.test/', { status: 301, location: 'https://a.test/', wait: 50, receive: 0 });
    const document = entry('https://a.test/', { at: 51 });
    const { page, inferred } = pageFromHar(harOf([hop, document, image({ at: 300 })]));
    expect(page.requests.map(({ id, after: of }) => [id, of])).toEqual([
      ['1 a.test', undefined],
      ['2 a.test', { id: '1 a.test', delayMs: 1 }],
      ['3 i.png', { id: '2 a.test', delayMs: 139 }],
    ]);
    expect(inferred).toContainEqual({
      field: 'redirects',
      requests: 1,
      rule: 'Asked for after the whole of the response that redirected to it',
    });
  });

  it('are not what a Location says of a response that does not redirect', () => {
    const created = entry('https://a.test/d.json', { at: 150, status: 201, location: '/i.png', wait: 20, receive: 0 });
    expect(askedAfter([created, image({ at: 300 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 100 });
    const unchanged = entry('https://a.test/d.json', { at: 150, status: 304, location: '/i.png', wait: 20, receive: 0 });
    expect(askedAfter([unchanged, image({ at: 300 })], '3 i.png')).toEqual({ id: '1 a.test', delayMs: 100 });
  });

  it('from more than 60 s before belong to another navigation', () => {
    const hop = entry('http://a.test/', { at: 0, status: 301, location: 'https://a.test/' });
    const origins = (at: number) => pageFromHar(harOf([hop, entry('https://a.test/', { at })])).page.requests.map(({ origin }) => origin);
    expect(origins(60_001)).toEqual(['https://a.test']);
    expect(origins(60_000)).toEqual(['http://a.test', 'https://a.test']);
  });

  it('end where they go round in a circle', () => {
    const hop = (path: string, to: string, at: number) =>
      entry(`https://a.test/${path}`, { at, status: 302, location: to, wait: 5, receive: 0 });
    const circle = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? hop('x', '/y', n * 10) : hop('y', '/x', n * 10)));
    const requests = pageFromHar(harOf(circle)).page.requests;
    expect(requests.map(({ after: of }) => of)).toEqual([
      undefined,
      ...Array.from({ length: 19 }, (_, n) => ({ id: `${n + 1} ${n % 2 === 0 ? 'x' : 'y'}`, delayMs: 5 })),
    ]);
  });

  it('end where they lead to themselves', () => {
    const hops = [0, 10, 20].map((at) => entry('https://a.test/', { at, status: 302, location: '/', wait: 5, receive: 0 }));
    expect(pageFromHar(harOf(hops)).page.requests).toHaveLength(3);
  });

  it('are not those that a browser makes by itself', () => {
    const response = { status: 307, redirectURL: 'https://a.test/', headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] };
    const hop = entry('http://a.test/', { wait: 0, receive: 0, more: { response } });
    expect(pageFromHar(harOf([hop, entry('https://a.test/', { at: 1 })])).page.requests.map(({ id }) => id)).toEqual(['1 a.test']);
  });
});
