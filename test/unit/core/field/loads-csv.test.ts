import { expect, it } from 'vitest';
import { loadSummary } from '../../../../src/core/field/load-summary.ts';
import { loadsCsv } from '../../../../src/core/field/loads-csv.ts';
import { recordedLoad } from '../../../support/recorded-load.ts';

const loads = [1, 2, 3, 4].map((minute) => recordedLoad({ minute, rttMs: 100, page: `p${minute % 2}` }));
const figures = loads.map(loadSummary);
const addresses = new Map(loads.slice(0, 1).map((load, at) => [figures[at]?.page ?? 0, load.url]));

it('has a row for each load, with names for the columns and nothing for what is unknown', () => {
  const [head, first, second, ...rest] = loadsCsv({ figures, names: [], addresses }).split('\r\n');
  expect(head).toBe('started,page,network_estimated,profile,load_time_ms,bytes,efficiency_estimated,protocol,state');
  // 5 round trips of 100 ms and 786 ms of transfer: see `recordedLoad`.
  expect(first).toMatch(/^1970-01-01T00:01:00\.000000Z,http:\/\/site\.test\/p1,.*,firefox-default,1186,100000,0\.\d+,[^,]*,counts$/);
  expect(second).toMatch(/^1970-01-01T00:02:00\.000000Z,,/);
  expect(rest).toHaveLength(3);
  expect(rest.at(-1)).toBe('');
});

it('leaves out other pages where one site is wanted', () => {
  expect(loadsCsv({ figures, names: [], addresses, onlyAddressed: true }).split('\r\n')).toHaveLength(4);
});

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  // Where a semicolon begins a cell, whatever stands around it.
  ['http://a.test/;=1+1', `"http://a.test/;'=1+1"`],
  ['http://a.test/; -1', `"http://a.test/;' -1"`],
  ['http://a.test/;"@SUM(A1)"', `"http://a.test/;'""@SUM(A1)"""`],
  ['http://a.test/;b', '"http://a.test/;b"'],
  ['a"b,c', '"a""b,c"'],
  ['http://a.test/\u202Efdp.exe\r\n=1', 'http://a.test/?fdp.exe??=1'],
  [`http://a.test/${'x'.repeat(1_000_000)}`, `http://a.test/${'x'.repeat(1_000_000)}`],
])('the address %.20j changes no structure', (address, shown) => {
  const page = figures[0]?.page ?? 0;
  const lines = loadsCsv({ figures: figures.slice(0, 1), names: [], addresses: new Map([[page, address]]) }).split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]?.startsWith(`1970-01-01T00:01:00.000000Z,${shown},`)).toBe(true);
});
