/** What of a profile is simulated; what is not must not look like "no effect". */
import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { HTTP2_PULL_ALLOWANCE, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import { BETTERFOX } from '../../../../src/core/profiles/presets.ts';
import { modelCoverage, triedPreferences } from '../../../../src/core/simulate/simulated-profile.ts';
import { presetProfile } from '../../../support/predictions.ts';

const page = (protocol: 'http/1.1' | 'http/2' | 'http/3', tls: 'none' | '1.3'): PageGraph => ({
  requests: [{ id: 'index', bytes: 1000 }],
  origins: { origin: { protocol, tls } },
});
const PLAIN = page('http/1.1', 'none');
const HTTP2 = page('http/2', '1.3');
const setting = (preference: string, value: number | boolean) => ({ depth: 1, preferences: { [preference]: value } });

describe('the coverage of a profile', () => {
  it('is whole for connections and depth', () => {
    for (const id of ['firefox-default', 'c8-d1', 'c4-d6'])
      expect(modelCoverage(presetProfile(id), [PLAIN])).toEqual({ state: 'modelled' });
  });

  it('names what acts and is not simulated', () => {
    expect(modelCoverage(setting('network.buffer.cache.size', 65_535), [PLAIN])).toEqual({
      state: 'not-modelled',
      notModelled: ['network.buffer.cache.size'],
    });
    const { state, ...rest } = modelCoverage(BETTERFOX, [PLAIN]);
    expect(state).toBe('in-part');
    expect('notModelled' in rest && rest.notModelled).toContain('network.http.speculative-parallel-limit');
    expect('notModelled' in rest && rest.notModelled).not.toContain(PER_SERVER);
  });

  it('leaves out what cannot act: on a protocol nobody speaks, as shipped, or read by no Firefox of today', () => {
    expect(modelCoverage(setting('network.http.keep-alive.timeout', 10), [HTTP2, PLAIN]).state).toBe('not-modelled');
    expect(modelCoverage(setting('network.http.keep-alive.timeout', 10)).state).toBe('not-modelled');
    expect(modelCoverage(setting('network.ssl_tokens_cache_capacity', 1), [HTTP2]).state).toBe('not-modelled');
    expect(modelCoverage({ depth: 1, preferences: { [PER_SERVER]: 8, 'network.ssl_tokens_cache_capacity': 1 } }, [PLAIN])).toEqual({
      state: 'modelled',
    });
    expect(modelCoverage(setting('network.buffer.cache.count', 24), [PLAIN])).toEqual({ state: 'modelled' });
    expect(modelCoverage(setting('network.http.pipelining', true), [PLAIN])).toEqual({ state: 'modelled' });
  });

  it('is none where nothing that is set can act: it would look like no effect', () => {
    const cannotAct = (preference: string, value: number | boolean, on: PageGraph) =>
      expect(modelCoverage(setting(preference, value), [on])).toEqual({ state: 'cannot-act', cannotAct: [preference] });
    cannotAct('network.http.keep-alive.timeout', 10, HTTP2);
    cannotAct('network.ssl_tokens_cache_capacity', 1, PLAIN);
    cannotAct('network.http.http3.enable', false, PLAIN);
    cannotAct(PER_SERVER, 8, HTTP2);
    expect(modelCoverage(presetProfile('c4-d6'), [HTTP2]).state).toBe('cannot-act');
    expect(modelCoverage(presetProfile('firefox-default'), [HTTP2])).toEqual({ state: 'modelled' });
  });

  it('has the window of HTTP/2 among what is simulated', () => {
    expect(modelCoverage(setting(HTTP2_PULL_ALLOWANCE, 65_536), [HTTP2])).toEqual({ state: 'modelled' });
  });

  it('is of a part where a depth is simulated beside', () => {
    expect(modelCoverage({ ...setting('network.buffer.cache.size', 65_535), depth: 4 }, [PLAIN]).state).toBe('in-part');
  });
});

describe('what a statement about all settings rests on', () => {
  const pages = (protocol: 'http/1.1' | 'http/2' | 'http/3', requests: number): readonly PageGraph[] => [
    {
      requests: Array.from({ length: requests }, (_, at) => ({ id: `r${at}`, bytes: 1000 })),
      origins: { origin: { protocol, tls: protocol === 'http/1.1' ? 'none' : '1.3' } },
    },
  ];
  const profiles = [
    presetProfile('firefox-default'),
    presetProfile('c8-d1'),
    presetProfile('c4-d6'),
    { depth: 1, preferences: { 'network.http.pacing.requests.enabled': false, 'network.http.http2.default-concurrent': 1000 } },
  ];

  it('counts what was varied, by settings alone, and acts on these pages', () => {
    const tried = triedPreferences([...pages('http/1.1', 3), ...pages('http/3', 5)], profiles);
    // Connections per server and pacing; no page speaks HTTP/2.
    expect(tried).toMatchObject({ preferences: 2, requests: 3 });
    expect(triedPreferences(pages('http/2', 4), profiles)).toMatchObject({ preferences: 1, requests: 4 });
    expect(triedPreferences(pages('http/1.1', 4), [presetProfile('firefox-default')])).toMatchObject({ preferences: 0, requests: 0 });
  });

  it('knows no setting of HTTP/3', () => {
    const { of, ...rest } = triedPreferences(pages('http/3', 5), profiles);
    expect(rest).toEqual({ preferences: 0, requests: 0 });
    expect(of).toBeGreaterThan(18);
  });
});
