import { describe, expect, it } from 'vitest';
import { PlumbfoxError, PreferenceRefused } from '../../../../src/core/errors.ts';
import { carrierFor, preferencesFor } from '../../../../src/core/profiles/carrier.ts';
import { checkProfile } from '../../../../src/core/profiles/check-profile.ts';
import { compareCost, memoryCost } from '../../../../src/core/profiles/compare-cost.ts';
import {
  BETTERFOX,
  CONTROL,
  FIREFOX_DEFAULT,
  findProfile,
  parseProfileId,
  presetNames,
  profileSet,
} from '../../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { confounders } from '../../../../src/core/profiles/reference/confounders.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const profile = (id: string): Profile => resolveProfiles([id])[0] ?? FIREFOX_DEFAULT;
const ids = (...names: string[]) => resolveProfiles(names).map(({ id }) => id);

describe('cN-dM', () => {
  it.each([
    ['c4-d6', { connections: 4, depth: 6 }],
    ['c1-d1', { connections: 1, depth: 1 }],
    ['c255-d64', { connections: 255, depth: 64 }],
    ['c256-d1', undefined],
    ['c1-d65', undefined],
    ['c0-d1', undefined],
    ['c1-d0', undefined],
    ['c04-d6', undefined],
    ['C4-D6', undefined],
    ['c4-d6 ', undefined],
    ['c4d6', undefined],
    ['c-4-d6', undefined],
    ['c4-d6\n', undefined],
  ])('%j', (text, expected) => {
    expect(parseProfileId(text)).toEqual(expected);
  });
});

describe('presets', () => {
  it('has the 18 of the Fennec study', () => {
    expect(profileSet('fennec-18')?.map(({ id }) => id)).toEqual([
      ...['c1-d2'],
      ...['c2-d2', 'c2-d4', 'c2-d6', 'c2-d8'],
      ...['c3-d2', 'c3-d4', 'c3-d6', 'c3-d8'],
      ...['c4-d2', 'c4-d4', 'c4-d6', 'c4-d8'],
      ...['c5-d2', 'c5-d4', 'c5-d6', 'c5-d8'],
      ...['c6-d4'],
    ]);
  });
  it('sweeps connections at depth 1', () => {
    expect(profileSet('connections-sweep')?.map(({ connections, depth }) => [connections, depth])).toEqual(
      [1, 2, 4, 6, 8, 10, 16].map((connections) => [connections, 1]),
    );
  });
  it('sets nothing for firefox-default, and Betterfox as Betterfox does', () => {
    expect(FIREFOX_DEFAULT.preferences).toEqual({});
    expect(BETTERFOX.preferences).toMatchObject({
      'network.buffer.cache.size': 65535,
      'network.buffer.cache.count': 48,
      'network.http.max-connections': 1800,
      [PER_SERVER]: 10,
      'network.http.max-urgent-start-excessive-connections-per-host': 5,
      'network.http.request.max-start-delay': 5,
      'network.dnsCacheExpiration': 3600,
      'network.http.speculative-parallel-limit': 0,
    });
  });
  it('has only profiles that may be applied', () => {
    for (const each of resolveProfiles(presetNames())) {
      expect(() => checkProfile(each)).not.toThrow();
      expect(each.title.length).toBeLessThan(200);
    }
    expect(profileSet('c4-d6')).toBeUndefined();
  });
  it('names what blurs a profile, pacing only above the 6 connections it leaves alone', () => {
    expect(confounders(profile('c6-d1')).join()).not.toContain('pacing.requests.enabled:');
    expect(confounders(profile('c8-d1')).join()).toContain('pacing.requests.enabled:');
    const unpaced = { ...profile('c8-d1'), preferences: { [PER_SERVER]: 8, 'network.http.pacing.requests.enabled': false } };
    expect(confounders(unpaced).join()).not.toContain('pacing.requests.enabled:');
    expect(confounders(FIREFOX_DEFAULT)).toEqual([]);
  });
});

describe('resolving names', () => {
  it('takes names, sets and any cN-dM, each profile once, in order', () => {
    expect(ids('firefox-default', ' c7-d3 ', 'c7-d3', 'betterfox')).toEqual(['firefox-default', 'c7-d3', 'betterfox']);
    expect(ids('c4-d6', 'fennec-18')).toHaveLength(18);
    expect(ids('c4-d6', 'fennec-18')[0]).toBe('c4-d6');
    expect(ids('control')).toEqual(['control']);
  });

  it('enters a profile a second time under another name', () => {
    const [original, again] = resolveProfiles(['c4-d6', 'again=c4-d6']);
    expect(again).toEqual({ ...original, id: 'again', title: 'c4-d6, entered again as again' });
    expect(ids('again=firefox-default')).toEqual(['again']);
    expect(ids('again=c4-d6', 'again=c4-d6')).toEqual(['again']);
  });

  it.each([
    [['c4_d6'], 'There is no profile "c4_d6". Did you mean c4-d6?'],
    [['c4d6'], 'Did you mean c4-d6?'],
    [['c256-d1'], 'Did you mean c255-d1?'],
    [['c300-d1'], 'N connections (1 to 255)'],
    [['firefox-defualt'], 'Did you mean firefox-default?'],
    [['betterfocks'], 'Did you mean betterfox?'],
    [['fennec18'], 'Did you mean fennec-18?'],
    [['xyzzy'], 'There is no profile "xyzzy". Known: firefox-default, control, betterfox, fennec-18, connections-sweep, and cN-dM'],
    [[''], 'There is no profile "".'],
    [[], 'No profile is named.'],
    [['a=b=c4-d6'], 'There is no profile "b=c4-d6"'],
    [['=c4-d6'], 'cannot name a profile'],
    [['Again=c4-d6'], 'cannot name a profile'],
    [['x='], 'There is no profile ""'],
    [['c2-d2=c4-d6'], 'is already a profile'],
    [['firefox-default=c4-d6'], 'is already a profile'],
    [['fennec-18=c4-d6'], 'is already a profile'],
    [['again=fennec-18'], 'is a set of profiles'],
    [['again=control'], 'cannot have another name'],
    [['again=c4-d6', 'again=c2-d2'], '"again" is given to two profiles'],
    [['__proto__'], 'There is no profile'],
    [['a\nb'], 'There is no profile "a\\nb"'],
    [['y'.repeat(5000)], 'There is no profile "yyyy'],
  ])('%j: %s', (names, message) => {
    const error = (() => {
      try {
        resolveProfiles(names);
      } catch (caught) {
        return caught;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(PlumbfoxError);
    expect(error).toMatchObject({ kind: 'bad-input', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('\n');
    expect((error as Error).message.length).toBeLessThan(400);
  });

  it('finds a profile by its own name only', () => {
    expect(findProfile('c4-d6')?.connections).toBe(4);
    expect(findProfile('fennec-18')).toBeUndefined();
    expect(findProfile('toString')).toBeUndefined();
  });
});

describe('carriers', () => {
  it.each([
    ['firefox-default', true, 'none'],
    ['c8-d1', true, 'none'],
    ['c4-d6', true, 'gateway'],
    ['c4-d6', false, 'none'],
    ['control', true, 'gateway'],
    ['control', false, 'none'],
  ])('%s, gateway %s: %s', (id, gateway, carrier) => {
    expect(carrierFor(profile(id), { gateway })).toBe(carrier);
  });

  it('decides which preferences are set', () => {
    const c4d6 = profile('c4-d6');
    expect(preferencesFor(c4d6, 'none')).toEqual({ [PER_SERVER]: 4 });
    expect(preferencesFor(c4d6, 'gateway')).toEqual({
      [PER_SERVER]: 4,
      'network.http.max-persistent-connections-per-proxy': 255,
      'network.http.pacing.requests.enabled': false,
    });
    expect(preferencesFor(c4d6, 'http2')).toEqual({ [PER_SERVER]: 4, 'network.http.http2.default-concurrent': 6 });
    expect(preferencesFor(c4d6, 'legacy')).toMatchObject({ 'network.http.pipelining': true, 'network.http.pipelining.maxrequests': 6 });
    for (const carrier of ['none', 'http2', 'legacy'] as const)
      expect(preferencesFor(profile('c8-d1'), carrier)).toEqual({ [PER_SERVER]: 8 });
    expect(preferencesFor(FIREFOX_DEFAULT, 'none')).toEqual({});
  });
});

describe('cost', () => {
  it('is fewest connections, then smallest depth; firefox-default counts as the 6 it ships', () => {
    expect(memoryCost(FIREFOX_DEFAULT)).toEqual({ connections: 6, depth: 1 });
    const sorted = ['c8-d1', 'c4-d6', 'firefox-default', 'c4-d2', 'c1-d64'].map(profile).sort(compareCost);
    expect(sorted.map(({ id }) => id)).toEqual(['c1-d64', 'c4-d2', 'c4-d6', 'firefox-default', 'c8-d1']);
    expect(compareCost(CONTROL, FIREFOX_DEFAULT)).toBe(0);
  });

  it('of settings is their price first, then connections, gateway, memory, and how many differ from what Firefox ships', () => {
    const ordered = [
      'c4-d1',
      'firefox-default+network.buffer.cache.count=12',
      'firefox-default',
      'firefox-default+network.http.pacing.requests.enabled=false',
      'firefox-default+network.http.pacing.requests.enabled=false+network.http.tailing.enabled=false',
      'firefox-default+network.http.http2.pull-allowance=25165824',
      'firefox-default+network.ssl_tokens_cache_capacity=65535',
      'c16-d1',
      'c4-d1+network.http.speculative-parallel-limit=40',
    ];
    expect(
      ordered
        .toReversed()
        .map(profile)
        .sort(compareCost)
        .map(({ id }) => id),
    ).toEqual(ordered);
    expect(compareCost(profile('firefox-default+network.http.pacing.requests.enabled=true'), FIREFOX_DEFAULT)).toBe(0);
    expect(
      compareCost({ depth: 1, carrier: 'gateway' }, { depth: 1, carrier: 'none', intended: { 'network.buffer.cache.count': 1000 } }),
    ).toBeGreaterThan(0);
  });
});

describe('checking a profile', () => {
  const c4d6 = profile('c4-d6');
  it.each([
    ['an id with a space', { ...c4d6, id: 'a b' }],
    ['an empty id', { ...c4d6, id: '' }],
    ['depth 0', { ...c4d6, depth: 0 }],
    ['depth 65', { ...c4d6, depth: 65 }],
    ['a broken depth', { ...c4d6, depth: Number.NaN }],
    ['256 connections', { ...c4d6, connections: 256, preferences: {} }],
    ['connections that are not set', { ...c4d6, preferences: {} }],
    ['connections that contradict the preference', { ...c4d6, connections: 5 }],
  ])('refuses %s', (_, broken) => {
    expect(() => checkProfile(broken)).toThrow(PlumbfoxError);
  });
  it('refuses a preference outside the catalogue', () => {
    expect(() => checkProfile({ ...c4d6, preferences: { ...c4d6.preferences, 'browser.startup.page': 1 } })).toThrow(PreferenceRefused);
  });
});
