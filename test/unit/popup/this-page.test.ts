import { expect, it } from 'vitest';
import { LOAD_CAUSES, type LoadCause } from '../../../src/core/measure/load-causes.ts';
import { milliseconds } from '../../../src/core/units.ts';
import { pageRow } from '../../../src/popup/this-page.ts';
import { measures, plain } from '../controls/sample-state.ts';

const detailOf = (cause: LoadCause) => plain(pageRow({ measures, longest: { cause, timeMs: milliseconds(900) } })).detail;

it('names each cause', () => {
  expect(Object.fromEntries(LOAD_CAUSES.map((cause) => [cause, detailOf(cause)]))).toEqual({
    receiving: 'this page · longest: receiving, 900 ms',
    opening: 'this page · longest: opening connections, 900 ms',
    'queue-wait': 'this page · longest: waiting for a free connection, 900 ms',
    server: 'this page · longest: waiting for servers, 900 ms',
    idle: 'this page · longest: network idle, 900 ms',
  });
});

it('names nothing that cannot be told, though requests waited, connections were opened, and some was requested twice', () => {
  expect(pageRow({ measures: { ...measures, duplicateFetches: 2 } }).detail).toBe('this page');
  expect(plain(pageRow({ measures: { ...measures, cutShort: 'page-left' } }))).toEqual({ time: 'at least 3.4 s', detail: 'this page' });
});
