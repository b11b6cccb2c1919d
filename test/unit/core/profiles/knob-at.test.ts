import { describe, expect, it } from 'vitest';
import { findKnob, PER_SERVER, READ_SIZE, TOTAL_CONNECTIONS } from '../../../../src/core/profiles/catalogue.ts';
import type { Knob, PreferenceValue } from '../../../../src/core/profiles/knob.ts';
import { priceOf } from '../../../../src/core/profiles/knob.ts';
import { actingValue, knobAt } from '../../../../src/core/profiles/knob-at.ts';

const knob = (preference: string): Knob => findKnob(preference) ?? expect.fail(preference);

describe('what a version has', () => {
  it.each([
    ['its own build', 'network.dnsCacheEntries', 140, 'desktop', { state: 'present', default: 800 }],
    ['its own build', 'network.dnsCacheEntries', 153, 'desktop', { state: 'present', default: 1600 }],
    ['two builds that differ around it', 'network.dnsCacheEntries', 147, 'desktop', { state: 'not-read' }],
    ['two builds that agree around it', PER_SERVER, 147, 'desktop', { state: 'present', default: 6 }],
    ['no build before it', PER_SERVER, 139, 'desktop', { state: 'not-read' }],
    ['no build after it', PER_SERVER, 154, 'desktop', { state: 'not-read' }],
    ['files of the source', 'network.http.keep-alive.timeout', 140, 'android', { state: 'present', default: 109 }],
    ['its own build without it', 'network.http.rcwn.enabled', 153, 'desktop', { state: 'absent', in: ['140'] }],
    ['a name without a default', 'network.tcp.sendbuffer', 153, 'desktop', { state: 'present', default: undefined }],
    ['files that nobody has read', 'dom.prefetch_dns_for_anchor_http_document', 153, 'android', { state: 'not-read' }],
    ['the desktop of the same version', 'network.ssl_tokens_cache_capacity', 140, 'android', { state: 'present', default: 2048 }],
    ['the desktop of the same version', 'network.ssl_tokens_cache_capacity', 153, 'android', { state: 'present', default: 8192 }],
    ['the desktop of the same version', 'network.ssl_tokens_cache_records_per_entry', 153, 'android', { state: 'present', default: 10 }],
    ['files of an older source', 'network.http.speculative-parallel-limit', 140, 'android', { state: 'present', default: 6 }],
    ['no newer files', 'network.http.speculative-parallel-limit', 153, 'android', { state: 'not-read' }],
    ['a condition of its declaration', 'network.http.http3.max_gso_segments', 153, 'windows', { state: 'present', default: 1 }],
    ['its own build', 'network.http.http3.max_gso_segments', 153, 'desktop', { state: 'present', default: 10 }],
    ['its own build without it', 'network.http.http3.max_gso_segments', 140, 'windows', { state: 'absent', in: ['153'] }],
    ['a condition of its declaration', 'network.dns.get-ttl', 153, 'windows', { state: 'present', default: true }],
    ['its own build', 'network.dns.get-ttl', 153, 'desktop', { state: 'present', default: false }],
    ['the build of other desktops', PER_SERVER, 153, 'windows', { state: 'present', default: 6 }],
    ['two builds without it', 'network.http.pipelining', 153, 'desktop', { state: 'absent', in: [] }],
    ['nothing', 'network.http.nonsense', 153, 'desktop', { state: 'uncatalogued' }],
  ] as const)('is known from %s: %s in %i, %s', (_, preference, major, platform, expected) => {
    expect(knobAt(preference, major, platform)).toMatchObject(expected);
  });
});

describe('what acts', () => {
  it.each<[string, PreferenceValue, object]>([
    [TOTAL_CONNECTIONS, 992, { state: 'taken' }],
    [TOTAL_CONNECTIONS, 1800, { state: 'clamped', actsAs: 992 }],
    [PER_SERVER, 0, { state: 'clamped', actsAs: 1 }],
    [PER_SERVER, '6', { state: 'wrong-type' }],
    [PER_SERVER, 1.5, { state: 'wrong-type' }],
    [READ_SIZE, 1_048_575, { state: 'taken' }],
    [READ_SIZE, 1_048_576, { state: 'ignored' }],
    ['network.http.http2.pull-allowance', 1023, { state: 'clamped', actsAs: 1024 }],
    ['network.http.tcp_keepalive.short_lived_time', 301, { state: 'clamped', actsAs: 300 }],
    ['network.http.tcp_keepalive.short_lived_time', 0, { state: 'ignored' }],
    ['network.http.focused_window_transaction_ratio', '0.5', { state: 'taken' }],
    ['network.http.focused_window_transaction_ratio', '0.995', { state: 'taken' }],
    ['network.http.focused_window_transaction_ratio', '0.005', { state: 'taken' }],
    ['network.http.focused_window_transaction_ratio', '1', { state: 'ignored' }],
    ['network.http.focused_window_transaction_ratio', '0', { state: 'ignored' }],
    ['network.http.http2.enabled', 0, { state: 'wrong-type' }],
    ['network.http.http2.enabled', false, { state: 'taken' }],
  ])('%s = %s', (preference, value, expected) => {
    expect(actingValue(knob(preference), value)).toEqual(expected);
  });
});

describe('what it costs', () => {
  it.each<[string, PreferenceValue, boolean]>([
    ['network.prefetch-next', true, true],
    ['network.prefetch-next', false, false],
    ['network.dns.disablePrefetch', false, true],
    ['network.http.speculative-parallel-limit', 0, false],
    ['network.http.speculative-parallel-limit', 1, true],
    [PER_SERVER, 255, false],
  ])('%s = %s: %s', (preference, value, priced) => {
    expect(priceOf(knob(preference), value) !== undefined).toBe(priced);
  });

  it("is every value's where none is named", () => {
    expect(priceOf({ price: 'Something.' }, 1)).toBe('Something.');
    expect(priceOf({ price: 'Something.', pricedValues: { below: 2 } }, 1)).toBe('Something.');
    expect(priceOf({ price: 'Something.', pricedValues: { below: 2 } }, 2)).toBeUndefined();
  });
});
