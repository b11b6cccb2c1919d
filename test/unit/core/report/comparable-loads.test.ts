/** The protocol of a page by the lab's own word, else by what its loads show. */
import { expect, test } from 'vitest';
import { protocolsOf } from '../../../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad, ReportPage } from '../../../../src/core/report/report.ts';
import { studyLoad } from '../../lab/studies/simulated-data.ts';

const loads = (...shares: readonly Readonly<Record<string, number>>[]) =>
  shares.map((httpVersions) => {
    const load = studyLoad({ profile: { id: 'c6-d1', connections: 6, depth: 1 }, page: 'docs', link: 'near', efficiency: 0.5 });
    return { ...load, ...(load.measures && { measures: { ...load.measures, httpVersions } }) };
  });
const docs = { name: 'docs' };
const protocolOfPage = (page: ReportPage, own: readonly MeasuredLoad[]) => protocolsOf({ pages: [page], loads: own })(page.name);

test('what the lab noted holds', () => {
  const served = { protocol: 'http/3', tls: '1.3', connections: 'cold' } as const;
  expect(protocolOfPage({ ...docs, served }, loads({ 'http/2': 1 }))).toBe('http/3');
});

test('else it is that of nearly all requests of every load', () => {
  expect(protocolOfPage(docs, loads({ 'http/2': 1 }, { 'http/2': 0.96, 'http/1.1': 0.04 }))).toBe('http/2');
  expect(protocolOfPage(docs, loads({ 'http/1.0': 0.5, 'http/1.1': 0.5 }))).toBe('http/1.1');
  expect(protocolOfPage(docs, loads({ 'http/2': 1 }, { 'http/3': 1 }))).toBe('mixed');
  expect(protocolOfPage(docs, loads({ 'http/2': 0.9, 'http/1.1': 0.1 }))).toBe('mixed');
});

test('and not known where no load of the page says', () => {
  expect(protocolOfPage(docs, loads({}))).toBeUndefined();
  expect(protocolOfPage({ name: 'wiki' }, loads({ 'http/2': 1 }))).toBeUndefined();
});
