import { describe, expect, it } from 'vitest';
import { realNetworkPages } from '../../../../src/cli/tune/report.ts';
import type { PageLoad } from '../../../../src/core/measure/page-load.ts';
import { pageOfLoads } from '../../../../src/core/report/build-report.ts';
import type { RunLoad } from '../../../../src/lab/run/measure-one.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const load = (bytes: number, { words = '', settings = '' } = {}): PageLoad =>
  waterfall(`
    load event=900 ${settings}
    secret.test/ main_frame fetch=0 connect=1-101 send=101 first=201 end=250 bytes=${bytes} h1 ${words}`);
/** Nothing was answered. */
const FAILED = waterfall('secret.test/ main_frame fetch=0 end=250 failed');
const sizes = (loads: readonly PageLoad[]) => pageOfLoads('page-1', loads).graph?.requests.map(({ bytes }) => bytes);

describe('the page of some loads', () => {
  it('is that of the newest', () => {
    expect(sizes([load(1000), load(2000), load(3000)])).toEqual([3000]);
  });

  it('is that of an older one, where the newest came through the gateway or was not seen to its end', () => {
    expect(sizes([load(1000), load(2000, { words: 'proxied' })])).toEqual([1000]);
    expect(sizes([load(1000), load(2000, { settings: 'ended=time-limit' })])).toEqual([1000]);
    expect(sizes([load(2000, { words: 'proxied' })])).toEqual([2000]);
  });

  it('is passed over where nothing was answered', () => {
    expect(sizes([load(1000), FAILED])).toEqual([1000]);
    expect(pageOfLoads('page-1', [FAILED])).toEqual({ name: 'page-1' });
    expect(pageOfLoads('page-1', [])).toEqual({ name: 'page-1' });
  });

  it('names no address', () => {
    expect(JSON.stringify(pageOfLoads('page-1', [load(1000)]))).not.toContain('secret');
  });
});

describe('the pages of the real network', () => {
  const run = (page: string, record: PageLoad | undefined, state: 'valid' | 'void' = 'valid'): RunLoad => ({
    record,
    measured: {
      profileId: 'c8-d1',
      page,
      link: 'real-network',
      block: 0,
      order: 0,
      startedAt: 0,
      validity: state === 'valid' ? { state } : { state, reason: 'x' },
      readBack: [],
    },
  });

  it('are those of their own valid loads', () => {
    const loads = [run('page-1', load(1000)), run('page-2', load(2000)), run('page-1', load(3000), 'void'), run('page-2', undefined)];
    const pages = realNetworkPages([{ name: 'page-1' }, { name: 'page-2' }, { name: 'page-3' }], loads);
    expect(pages.map(({ name, graph }) => [name, graph?.requests.map(({ bytes }) => bytes)])).toEqual([
      ['page-1', [1000]],
      ['page-2', [2000]],
      ['page-3', undefined],
    ]);
  });
});
