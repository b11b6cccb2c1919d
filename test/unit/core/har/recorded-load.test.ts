import { expect, it } from 'vitest';
import { pageFromHar, recordedLoadTimeMs } from '../../../../src/core/har/page-from-har.ts';
import { entry, harOf } from './har-of.ts';

const image = (at: number, more: Readonly<Record<string, unknown>> = {}) => entry('https://a.test/i.png', { at, more });
/** Nothing says when it ended. */
const OPEN = { timings: { wait: 5 }, time: -1 };

it('a recorded load lasts from the first request to the last response that is told, whichever was asked for last', () => {
  // Each takes 110 ms; the style sheet is asked for first and takes 600.
  const sheet = entry('https://a.test/s.css', { at: 150, wait: 590 });
  expect(recordedLoadTimeMs(harOf([entry('https://a.test/', { at: 50 })]))).toBe(110);
  expect(recordedLoadTimeMs(harOf([entry('https://a.test/', { at: 50 }), sheet, image(300), image(400, OPEN)]))).toBe(700);
  expect(recordedLoadTimeMs(harOf([entry('https://a.test/', { more: OPEN })]))).toBeUndefined();
});

it('a recorded load is that of the page that is asked for', () => {
  const har = harOf([image(0), { ...entry('https://a.test/', { wait: 400 }), pageref: 'page_2' }]);
  expect(recordedLoadTimeMs(har, { pageId: 'page_2' })).toBe(410);
  expect(() => recordedLoadTimeMs(har, { pageId: 'page_3' })).toThrow('no page "page_3"');
});

it('requests are called by number where nothing of their path can be shown, servers by their address', () => {
  const { page } = pageFromHar(harOf([entry('https://a.test/'), entry('https://a.test:8443/é', { at: 200 })]));
  expect(page.requests.map(({ id, origin }) => [id, origin])).toEqual([
    ['1 a.test', 'https://a.test'],
    ['2', 'https://a.test:8443'],
  ]);
});
