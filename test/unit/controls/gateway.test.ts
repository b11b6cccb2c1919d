import { describe, expect, it } from 'vitest';
import { gatewayView } from '../../../src/controls/gateway.ts';
import { findProfile, GATEWAY_PROFILES } from '../../../src/core/profiles/presets.ts';

describe('the gateway in words', () => {
  it('is not there where no helper is', () => {
    expect(gatewayView({ state: 'unsupported' }).shown).toBe(false);
  });

  it('switched on: what it does and what it has counted', () => {
    const on = { state: 'on', profileId: 'c1-d6', connections: 1, depth: 6, sites: [{ origin: 'http://intranet.example' }] } as const;
    expect(gatewayView(on)).toEqual({
      shown: true,
      on: true,
      state: 'On for the sites below: up to 1\u00a0connection per server, 6\u00a0requests on each. Everything else goes direct.',
      counted: undefined,
      problem: undefined,
      sites: [{ origin: 'http://intranet.example', note: undefined }],
    });
    const counters = { requests: 1234, mostConnections: 1, mostDepth: 6, failures: 2 };
    expect(gatewayView({ ...on, counters }).counted).toBe(
      'It has sent 1,234\u00a0requests: at most 1\u00a0connection to one server, 6 at once on one. 2\u00a0connections failed.',
    );
    expect(gatewayView({ ...on, counters: { ...counters, requests: 0 } }).counted).toBe('It has sent no request yet.');
  });

  it('a site has answered more than it was asked: what may be wrong, and what was done', () => {
    const on = { state: 'on', profileId: 'c1-d6', connections: 1, depth: 6, sites: [] } as const;
    const words = (reloaded: number, left: number) => gatewayView({ ...on, doubt: { answers: 5, reloaded, left } }).problem;
    const may =
      'A site sent more responses than requests. 5\u00a0responses may have been shown in place of others. The site goes direct now.';
    expect(words(0, 0)).toBe(may);
    expect(words(1, 0)).toBe(`${may} 1\u00a0page was loaded again.`);
    expect(words(2, 1)).toBe(
      `${may} 2\u00a0pages were loaded again. 1\u00a0page after a submitted form was not loaded again: reload it yourself.`,
    );
  });

  it('switched off it says so, and how it ended by itself', () => {
    expect(gatewayView({ state: 'off', sites: [] })).toMatchObject({ shown: true, on: false, problem: undefined });
    const ended = (reloaded: number) => gatewayView({ state: 'off', sites: [], ended: { why: { why: 'stopped' }, reloaded } }).problem;
    expect(ended(0)).toBe('The gateway stopped unexpectedly. Everything goes direct.');
    expect(ended(1)).toContain(
      'The gateway stopped unexpectedly. Everything goes direct. 1\u00a0page that had lost something was loaded again.',
    );
    expect(ended(3)).toContain(
      'The gateway stopped unexpectedly. Everything goes direct. 3\u00a0pages that had lost something were loaded again.',
    );
  });

  it('says of each listed site why it goes direct all the same', () => {
    const sites = (['authentication', 'misbehaved', 'this-machine', 'other-proxy'] as const).map((direct) => ({
      origin: `http://${direct}.example`,
      direct,
    }));
    const view = gatewayView({ state: 'on', sites, profileId: 'c1-d6', connections: 1, depth: 6 });
    expect(view.state).toBe('On, but no listed site may use it: everything goes direct.');
    expect(view.sites.map(({ note }) => note)).toEqual([
      'goes direct: it asked for a password',
      'goes direct: its responses do not fit pipelining',
      'goes direct: its name leads to this machine',
      'goes direct: another proxy is in effect for it',
    ]);
  });

  it('offers profiles that exist and need it, of no more requests at once than Firefox sends to a proxy', () => {
    for (const id of GATEWAY_PROFILES) {
      const { connections = 0, depth = 0 } = findProfile(id) ?? {};
      expect(depth).toBeGreaterThan(1);
      expect(connections * depth).toBeLessThanOrEqual(32);
    }
  });
});
