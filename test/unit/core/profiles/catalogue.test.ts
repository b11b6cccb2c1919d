import { describe, expect, it } from 'vitest';
import { PreferenceRefused } from '../../../../src/core/errors.ts';
import { CATALOGUE, findKnob, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import { checkPreference, checkValue } from '../../../../src/core/profiles/check-profile.ts';
import { pricesOf } from '../../../../src/core/profiles/profile-price.ts';
import { referenceOf } from '../../../../src/core/profiles/reference.ts';

describe('the catalogue', () => {
  it('names each preference once', () => {
    const names = CATALOGUE.map(({ preference }) => preference);
    expect(new Set(names).size).toBe(names.length);
  });

  it('holds what a study of connections needs', () => {
    for (const preference of [
      'network.http.max-persistent-connections-per-server',
      'network.http.max-persistent-connections-per-proxy',
      'network.http.max-connections',
      'network.http.max-urgent-start-excessive-connections-per-host',
      'network.http.pacing.requests.enabled',
      'network.http.pacing.requests.min-parallelism',
      'network.http.pacing.requests.hz',
      'network.http.pacing.requests.burst',
      'network.http.http2.enabled',
      'network.http.http2.default-concurrent',
      'network.http.http2.pull-allowance',
      'network.http.http3.enable',
      'network.http.speculative-parallel-limit',
      'network.http.request.max-start-delay',
      'network.buffer.cache.size',
      'network.buffer.cache.count',
      'network.dnsCacheExpiration',
      'network.dnsCacheEntries',
      'network.ssl_tokens_cache_capacity',
      'network.http.altsvc.enabled',
      'network.http.connection-retry-timeout',
      'network.http.throttle.enable',
      'network.http.tailing.enabled',
      'network.http.pipelining',
      'network.http.pipelining.maxrequests',
      'network.http.pipelining.ssl',
      'network.http.proxy.pipelining',
      'network.http.pipelining.max-optimistic-requests',
      'network.http.pipelining.aggressive',
    ]) {
      expect(findKnob(preference)?.preference).toBe(preference);
    }
  });

  it.each(CATALOGUE.map((knob) => [knob.preference, knob] as const))('%s is complete and its defaults are within its bounds', (_, knob) => {
    expect(knob.preference).toMatch(/^(network|security|browser|dom)\.[a-zA-Z0-9._-]+$/);
    const { effect, source, confoundedBy } = referenceOf(knob.preference) ?? expect.fail('nothing is said of it');
    for (const text of [knob.label, effect, source]) expect(text.length).toBeGreaterThan(3);
    for (const value of Object.values(knob.defaults)) if (value !== undefined) expect(() => checkValue(knob, value)).not.toThrow();
    for (const { preference, why } of confoundedBy) {
      expect(findKnob(preference), preference).toBeDefined();
      expect(why).toMatch(/\.$/);
    }
    if (knob.bounds.type === 'integer') {
      expect(knob.bounds.min).toBeLessThan(knob.bounds.max);
      expect(knob.bounds.max).toBeLessThanOrEqual(2 ** 31 - 1);
    }
    const states = Object.values(knob.builds).map(({ state }) => state);
    // What takes no effect is what no Firefox has that was read.
    expect(states.every((state) => state === 'absent')).toBe(knob.takesEffect === 'never');
    expect(knob.price === undefined).toBe(knob.class === 'free');
    expect(knob.price ?? 'None.').toMatch(/^[A-Z].*\.$/);
    expect(knob.appliers.length === 0).toBe(knob.class === 'never');
    expect(knob.versions.until === undefined).toBe(knob.takesEffect !== 'never');
  });

  it('names what blurs the number of connections', () => {
    expect(referenceOf(PER_SERVER)?.confoundedBy.map(({ preference }) => preference)).toEqual([
      'network.http.pacing.requests.enabled',
      'network.http.max-urgent-start-excessive-connections-per-host',
      'network.http.connection-retry-timeout',
      'network.http.http2.enabled',
    ]);
  });
});

describe('a value that undoes what a person may have set', () => {
  it.each([
    // 0 is Firefox's own, and ends a mode 3.
    ...[0, 1, 2, 3, 4, 5].map((mode) => ['network.trr.mode', mode] as const),
    ['network.dns.native_https_query', false],
    ['network.dns.disableIPv6', false],
    ['security.ssl.disable_session_identifiers', false],
    ['network.preconnect', true],
    ['network.early-hints.preconnect.enabled', true],
  ] as const)('has a price: %s = %s', (preference, value) => {
    expect(pricesOf({ [preference]: value })).toMatchObject([{ preference, value }]);
    if (typeof value === 'boolean') expect(pricesOf({ [preference]: !value })).toEqual([]);
  });
});

describe('checking a value', () => {
  const reason = (preference: string, value: unknown) => {
    try {
      checkPreference(preference, value);
      return 'accepted';
    } catch (error) {
      if (!(error instanceof PreferenceRefused)) throw error;
      expect(error.message).toContain(preference);
      expect(error.message).not.toContain('\n');
      return error.reason;
    }
  };

  it.each([
    [PER_SERVER, 1, 'accepted'],
    [PER_SERVER, 255, 'accepted'],
    [PER_SERVER, 0, 'out-of-range'],
    [PER_SERVER, 256, 'out-of-range'],
    [PER_SERVER, -1, 'out-of-range'],
    [PER_SERVER, 1.5, 'wrong-type'],
    [PER_SERVER, Number.NaN, 'wrong-type'],
    [PER_SERVER, Number.POSITIVE_INFINITY, 'wrong-type'],
    [PER_SERVER, '6', 'wrong-type'],
    [PER_SERVER, true, 'wrong-type'],
    [PER_SERVER, null, 'wrong-type'],
    [PER_SERVER, undefined, 'wrong-type'],
    [PER_SERVER, Object.create(null), 'wrong-type'],
    [PER_SERVER, 'x\n'.repeat(1000), 'wrong-type'],
    ['network.http.http2.enabled', false, 'accepted'],
    ['network.http.http2.enabled', 0, 'wrong-type'],
    ['network.http.http2.enabled', 'false', 'wrong-type'],
    ['network.proxy.http', 'evil.test', 'not-in-catalogue'],
    ['javascript.enabled', false, 'not-in-catalogue'],
    ['__proto__', 1, 'not-in-catalogue'],
    ['constructor', 1, 'not-in-catalogue'],
    ['', 1, 'not-in-catalogue'],
    ['security.OCSP.enabled', 0, 'not-in-catalogue'],
    ['network.http.focused_window_transaction_ratio', '0.5', 'accepted'],
    ['network.http.focused_window_transaction_ratio', '1', 'out-of-range'],
    ['network.http.focused_window_transaction_ratio', 0.5, 'wrong-type'],
    ['network.http.focused_window_transaction_ratio', '0x1', 'wrong-type'],
    ['network.http.focused_window_transaction_ratio', ' 0.5', 'wrong-type'],
  ])('%s = %s: %s', (preference, value, expected) => {
    expect(reason(preference, value)).toBe(expected);
  });
});
