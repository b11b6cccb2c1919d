import { expect, it } from 'vitest';
import { eachLinePlan, readBy, whyNotSet } from '../../../../src/cli/audit/timed-lines.ts';
import type { Setting } from '../../../../src/core/audit/screening-plan.ts';
import { findPage } from '../../../../src/lab/pages/pages.ts';
import type { ServedBy } from '../../../../src/lab/pages/served-by.ts';

const CONNECTIONS: Setting = ['network.http.max-persistent-connections-per-server', 10];
const STREAMS: Setting = ['network.http.http2.default-concurrent', 250];
const TICKETS: Setting = ['network.ssl_tokens_cache_capacity', 10_240];
const DNS_CACHE: Setting = ['network.dnsCacheEntries', 1000];

const readOn = (servedBy: ServedBy) => {
  const reads = readBy({ pages: [findPage('news')], servedBy });
  return [CONNECTIONS, STREAMS, TICKETS, DNS_CACHE].map(reads);
};

it('times what requests of the measured protocol read: no HTTP/2, TLS or DNS in plain HTTP/1.1 from addresses', () => {
  expect(readOn('embedded')).toEqual([true, false, false, false]);
  expect(readOn('https')).toEqual([true, false, true, false]);
  expect(readOn('http2')).toEqual([false, true, true, false]);
  // Any protocol may be spoken, and the lane has a DNS server.
  expect(readOn('negotiated')).toEqual([true, true, true, true]);
});

it('sets what no request reads with the whole list, and times it nowhere', () => {
  const reads = readBy({ pages: [findPage('news')], servedBy: 'embedded' });
  const plan = eachLinePlan([STREAMS, CONNECTIONS, TICKETS], { reads, lines: [] });
  expect(plan.timed).toEqual([CONNECTIONS[0]]);
  expect(plan.profiles.find(({ id }) => id === plan.whole)?.preferences).toEqual(Object.fromEntries([CONNECTIONS, STREAMS, TICKETS]));
});

it('refuses a list of which no request reads a line', () => {
  const reads = readBy({ pages: [findPage('news')], servedBy: 'embedded' });
  expect(() => eachLinePlan([STREAMS, TICKETS], { reads, lines: [] })).toThrow('--protocol serves them over another protocol');
});

it('knows what a Firefox that runs cannot be measured with', () => {
  expect(whyNotSet('network.dns.max_high_priority_threads', 60)).toBe('at-start');
  expect(whyNotSet('network.ssl_tokens_cache_persistence', true)).toBe('at-start');
  expect(whyNotSet('network.http.max-persistent-connections-per-server', 10)).toBeUndefined();
  expect(whyNotSet('network.http.max-persistent-connections-per-server', 'ten')).toBe('not-settable');
  expect(whyNotSet('browser.startup.homepage', 'about:blank')).toBe('not-settable');
});
