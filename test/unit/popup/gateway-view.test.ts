import { describe, expect, it } from 'vitest';
import { findProfile, GATEWAY_PROFILES } from '../../../src/core/profiles/presets.ts';
import { gatewayView } from '../../../src/popup/gateway-view.ts';

describe('the gateway in words', () => {
  it('is not there where no helper is', () => {
    expect(gatewayView({ state: 'unsupported' }).shown).toBe(false);
  });

  it('switched on: what it does and what it has counted', () => {
    const on = { state: 'on', profileId: 'c1-d6', connections: 1, depth: 6, sites: [{ origin: 'http://intranet.example' }] } as const;
    expect(gatewayView(on)).toEqual({
      shown: true,
      on: true,
      words:
        'On for the sites listed here: up to 1 connection to each server, 6 requests outstanding on each. Everything else goes direct.',
      counted: undefined,
      problem: undefined,
      sites: [{ origin: 'http://intranet.example', note: undefined }],
    });
    const counters = { requests: 1234, mostConnections: 1, mostDepth: 6, failures: 2 };
    expect(gatewayView({ ...on, counters }).counted).toBe(
      'It has carried 1,234 requests, with at most 1 connection to one server and 6 requests outstanding on one. 2 connections failed.',
    );
    expect(gatewayView({ ...on, counters: { ...counters, requests: 0 } }).counted).toBe('It has carried no request yet.');
  });

  it('a site has answered more than it was asked: what may be wrong, and what was done', () => {
    const on = { state: 'on', profileId: 'c1-d6', connections: 1, depth: 6, sites: [] } as const;
    const words = (reloaded: number, left: number) => gatewayView({ ...on, doubt: { answers: 5, reloaded, left } }).problem;
    const may = 'A site answered more than it was asked: 5 answers may have been shown in the place of another. It goes direct now.';
    expect(words(0, 0)).toBe(may);
    expect(words(1, 0)).toBe(`${may} 1 page was loaded again.`);
    expect(words(2, 1)).toBe(`${may} 2 pages were loaded again. 1 page that a form was sent for was not: load it again yourself.`);
  });

  it('switched off it says so, and how it ended by itself', () => {
    expect(gatewayView({ state: 'off', sites: [] })).toMatchObject({ shown: true, on: false, problem: undefined });
    const ended = (reloaded: number) => gatewayView({ state: 'off', sites: [], ended: { why: { why: 'stopped' }, reloaded } }).problem;
    expect(ended(0)).toBe('The gateway ended by itself. Everything goes direct.');
    expect(ended(1)).toContain('A page that had lost something was loaded again.');
    expect(ended(3)).toContain('3 pages that had lost something were loaded again.');
  });

  it('says of each listed site why it goes direct all the same', () => {
    const sites = (['authentication', 'misbehaved', 'this-machine', 'other-proxy'] as const).map((direct) => ({
      origin: `http://${direct}.example`,
      direct,
    }));
    const view = gatewayView({ state: 'on', sites, profileId: 'c1-d6', connections: 1, depth: 6 });
    expect(view.words).toBe('On, but no site is listed that may use it: everything goes direct.');
    expect(view.sites.map(({ note }) => note)).toEqual([
      'goes direct: it asked for a password',
      'goes direct: it does not answer as pipelining needs',
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
