import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { pageOfHar } from '../../../../src/core/har/page.ts';

const START = '1970-01-01T00:00:01Z';
const page = (id: unknown, more: object = {}) => ({ id, startedDateTime: START, ...more });
const of = (pageref: unknown, name?: string) => ({ pageref, name });
const harOf = (pages: unknown, entries: unknown, more: object = {}) => ({ log: { pages, entries, ...more } });

function refusal(har: unknown, pageId?: string): string {
  try {
    pageOfHar(har, pageId);
  } catch (error) {
    if (error instanceof PlumbfoxError && error.kind === 'bad-input') return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

const HOW = 'record a page load in the network panel of the browser and save it as HAR';

describe('the page of a HAR', () => {
  it('is all there is where nothing is said of it', () => {
    expect(pageOfHar({ log: { entries: [{}] } }, undefined)).toStrictEqual({ entries: [{}], byFirefox: false, inferred: [] });
  });

  it('has its start, its load event and its requests', () => {
    const har = harOf([page('a', { pageTimings: { onLoad: 500 } })], [of('a'), 'x', of('a')]);
    expect(pageOfHar(har, undefined)).toStrictEqual({
      ...{ entries: [of('a'), {}, of('a')], startMs: 1000, loadEventMs: 1500, byFirefox: false, inferred: [] },
    });
  });

  it('is the first that has requests, unless another is asked for', () => {
    const pages = [page('none'), page('a'), page('b', { startedDateTime: '1970-01-01T00:00:02Z' })];
    const har = harOf(pages, [of('b', '1'), of('a', '2'), of('b', '3')]);
    const left = (id: string) => `The file has 2 pages; only "${id}" is used, and requests of the others are excluded`;
    expect(pageOfHar(har, undefined)).toStrictEqual({
      ...{ entries: [of('a', '2')], startMs: 1000, byFirefox: false },
      inferred: [{ field: 'left-out', requests: 2, rule: left('a') }],
    });
    expect(pageOfHar(har, 'b')).toStrictEqual({
      ...{ entries: [of('b', '1'), of('b', '3')], startMs: 2000, byFirefox: false },
      inferred: [{ field: 'left-out', requests: 1, rule: left('b') }],
    });
  });

  it('has the requests that name no page where it is the first of all', () => {
    const har = harOf([page('a'), page('b')], [of(undefined, '1'), of('b', '2'), of('', '3'), of('gone', '4')]);
    expect(pageOfHar(har, undefined).entries).toEqual([of(undefined, '1'), of('', '3')]);
    expect(pageOfHar(har, 'gone').entries).toEqual([of('gone', '4')]);
    // Nothing is known of a page that only its requests name.
    expect(pageOfHar(har, 'gone')).not.toHaveProperty('startMs');
    expect(pageOfHar(harOf([], [of(undefined, '1'), of('', '2')]), undefined).entries).toHaveLength(2);
  });

  it('may be called by a number, or not at all', () => {
    expect(pageOfHar(harOf([page(1), page(2)], [of('2'), of(1)]), '2').entries).toEqual([of('2')]);
    expect(pageOfHar(harOf([page(1), page(2)], [of(2), of('1')]), '2').entries).toEqual([of(2)]);
    expect(pageOfHar(harOf([page(1), page(2)], [of('2'), of(1)]), '1').startMs).toBe(1000);
    expect(pageOfHar(harOf([page(undefined)], [of(undefined)]), undefined).startMs).toBe(1000);
    expect(pageOfHar(harOf([page(undefined)], [of('')]), '').startMs).toBe(1000);
  });

  it('has its load event where a time above 0 is told, as WebPageTest does too', () => {
    const loadEvent = (more: object) => pageOfHar(harOf([page('a', more)], [of('a')]), undefined).loadEventMs;
    expect(loadEvent({ pageTimings: { onLoad: 500 }, _docTime: 600, _loadTime: 700 })).toBe(1500);
    expect(loadEvent({ pageTimings: { onLoad: 0 }, _docTime: 600, _loadTime: 700 })).toBe(1600);
    expect(loadEvent({ pageTimings: { onLoad: -1 }, _loadTime: '700' })).toBe(1700);
    expect(loadEvent({ pageTimings: { onLoad: null } })).toBeUndefined();
    // Without a start nobody knows when it was.
    const unknown = pageOfHar(harOf([page('a', { startedDateTime: 'soon', pageTimings: { onLoad: 500 } })], [of('a')]), undefined);
    expect(unknown).not.toHaveProperty('loadEventMs');
    expect(unknown).not.toHaveProperty('startMs');
  });

  it.each<readonly [object, boolean]>([
    [{ creator: { name: 'Firefox' } }, true],
    [{ browser: { name: 'firefox developer edition' } }, true],
    [{ creator: { name: 'mitmproxy' }, browser: { name: 'Firefox' } }, true],
    [{ creator: { name: 'Fire' }, browser: { name: 'fox' } }, false],
    [{ creator: { name: 'WebInspector' } }, false],
    [{ creator: 'Firefox' }, false],
  ])('by %j has TLS beside its connections: %j', (more, expected) => {
    expect(pageOfHar(harOf([page('a')], [of('a')], more), undefined).byFirefox).toBe(expected);
  });
});

describe('no page', () => {
  it('is in what is no HAR, or holds nothing', () => {
    for (const none of [undefined, null, [], 'x', {}, { log: [] }, { log: { entries: {} } }]) {
      expect(refusal(none)).toBe(`This is not a HAR: it has no log.entries; ${HOW}`);
    }
    expect(refusal(harOf([page('a')], []))).toBe(`The HAR has no requests; ${HOW}`);
  });

  it('is of another name, or without requests; those that there are are named', () => {
    const har = harOf([page('empty'), page('a'), page('b')], [of('a'), of('b')]);
    expect(refusal(har, 'c')).toBe('The HAR has no page "c" with requests; it has "a", "b"');
    expect(refusal(har, 'empty')).toBe('The HAR has no page "empty" with requests; it has "a", "b"');
    // An empty name is that of requests without a page.
    expect(refusal(har, '')).toBe('The HAR has no page "" with requests; it has "a", "b"');
  });

  it('is said of five others at most', () => {
    const har = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `p${at}`);
      return harOf(
        names.map((name) => page(name)),
        names.map((name) => of(name)),
      );
    };
    expect(refusal(har(5), 'x')).toBe('The HAR has no page "x" with requests; it has "p0", "p1", "p2", "p3", "p4"');
    expect(refusal(har(7), 'x')).toBe('The HAR has no page "x" with requests; it has "p0", "p1", "p2", "p3", "p4" and 2 more');
  });

  it('is said without what could upset a terminal, and of a long name the beginning', () => {
    const har = harOf([], [of('a\u001b[31m\né~ ')]);
    expect(refusal(har, 'x'.repeat(61))).toBe(`The HAR has no page "${'x'.repeat(60)}" with requests; it has "a?[31m??~ "`);
  });
});
