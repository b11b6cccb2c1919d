import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../../src/core/profiles/catalogue.ts';
import { policiesJson } from '../../../../src/core/profiles/policies-json.ts';
import { CONTROL, FIREFOX_DEFAULT, findProfile } from '../../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { userJs } from '../../../../src/core/profiles/user-js.ts';
import { preferenceLiteral } from '../../../../src/core/profiles/user-pref.ts';
import { parsePreferences } from '../../../fixtures/preferences-grammar.ts';

const extensionId = 'plumbfox@plumbfox.org';
const profile = (id: string): Profile => findProfile(id) ?? FIREFOX_DEFAULT;

describe('policies.json', () => {
  it('sets the preferences and names the profile', () => {
    expect(policiesJson(profile('c8-d1'), { extensionId, carrier: 'none' })).toEqual({
      policies: {
        Preferences: { 'network.http.max-persistent-connections-per-server': { Value: 8, Status: 'default', Type: 'number' } },
        '3rdparty': { Extensions: { [extensionId]: { profile: 'c8-d1', carrier: 'none', connections: 8, depth: 1 } } },
      },
    });
  });
  it('says that the depth needs the gateway', () => {
    const { policies } = policiesJson(profile('c4-d6'), { extensionId, carrier: 'gateway', status: 'locked' });
    expect(policies['3rdparty'].Extensions[extensionId]).toMatchObject({
      profile: 'c4-d6',
      carrier: 'gateway',
      connections: 4,
      depth: 6,
      note: expect.stringContaining('Without the gateway depth has no effect'),
    });
    expect(policies.Preferences['network.http.pacing.requests.enabled']).toEqual({ Value: false, Status: 'locked', Type: 'boolean' });
  });
  it('sets nothing for firefox-default, and says nothing of connections', () => {
    expect(policiesJson(FIREFOX_DEFAULT, { extensionId, carrier: 'none' })).toEqual({
      policies: {
        Preferences: {},
        '3rdparty': { Extensions: { [extensionId]: { profile: 'firefox-default', carrier: 'none', depth: 1 } } },
      },
    });
  });
  it.each(['plumbfox', '', '__proto__', 'a b@c', 'a@b\n'])('refuses the extension id %j', (id) => {
    expect(() => policiesJson(FIREFOX_DEFAULT, { extensionId: id, carrier: 'none' })).toThrow("Not an extension's id");
  });
  it('accepts a GUID', () => {
    expect(() => policiesJson(FIREFOX_DEFAULT, { extensionId: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}', carrier: 'none' })).not.toThrow();
  });
  it('refuses pipelining: what has policies has no pipelining', () => {
    expect(() => policiesJson(profile('c4-d6'), { extensionId, carrier: 'legacy' })).toThrow('pipelining');
  });
  it('refuses what the policy engine would leave out', () => {
    const broken = { ...profile('c4-d6'), preferences: { 'javascript.options.jit': true } };
    expect(() => policiesJson(broken, { extensionId, carrier: 'none' })).toThrow('javascript.options.jit');
    // Policies.sys.mjs lists the security.* names it takes, and takes all of network.* and browser.*.
    const refused = CATALOGUE.filter(
      ({ appliers, takesEffect }) => takesEffect !== 'never' && appliers.length > 0 && !appliers.includes('policy'),
    );
    expect(refused.map(({ preference }) => preference)).toContain('security.tls.enable_kyber');
    expect(refused.filter(({ preference }) => !preference.startsWith('security.'))).toEqual([]);
    const one = (preference: string, value: boolean) => ({ ...profile('firefox-default'), preferences: { [preference]: value } });
    expect(() => policiesJson(one('security.ssl.enable_false_start', true), { extensionId, carrier: 'none' })).toThrow('policy engine');
    expect(() => policiesJson(one('security.tls.enable_0rtt_data', false), { extensionId, carrier: 'none' })).not.toThrow();
  });
});

describe('user.js', () => {
  it('is a marked block', () => {
    expect(userJs(profile('c8-d1'), { carrier: 'none', notes: ['Recommended on 2026-11-21.'] })).toBe(
      [
        '// >>> Plumbfox profile >>>',
        '//   c8-d1: 8 connections per server, one request at a time',
        '//   Recommended on 2026-11-21.',
        'user_pref("network.http.max-persistent-connections-per-server", 8);',
        '// <<< Plumbfox profile <<<',
        '',
      ].join('\n'),
    );
  });
  it('says that the depth needs the gateway, and gives older Gecko its pipelining', () => {
    const text = userJs(profile('c4-d6'), { carrier: 'gateway' });
    expect(text).toContain('Without the gateway depth has no effect');
    expect(text).toContain('Firefox 54 and later (Gecko 54+) ignore');
    expect(parsePreferences(text)).toEqual([
      ['network.http.max-persistent-connections-per-server', 4],
      ['network.http.max-persistent-connections-per-proxy', 255],
      ['network.http.pacing.requests.enabled', false],
      ['network.http.pipelining', true],
      ['network.http.pipelining.ssl', true],
      ['network.http.proxy.pipelining', true],
      ['network.http.pipelining.maxrequests', 6],
      ['network.http.pipelining.max-optimistic-requests', 6],
    ]);
  });
  it.each([
    ['none', 'has no effect here: Firefox dropped HTTP/1.1 pipelining'],
    ['http2', 'SETTINGS_MAX_CONCURRENT_STREAMS'],
    ['legacy', 'Firefox 54 and later ignore it'],
  ] as const)('says what depth is worth, carried by %s', (carrier, words) => {
    const text = userJs(profile('c4-d6'), { carrier });
    expect(text).toContain(words);
    // Pipelining appears once, whichever carrier.
    expect(text.match(/pipelining\.maxrequests/g)).toHaveLength(1);
  });
  it('says that the control went through the gateway', () => {
    expect(userJs(CONTROL, { carrier: 'gateway' })).toContain('measured through the Plumbfox gateway');
  });
  it('says so when it sets nothing', () => {
    expect(userJs(FIREFOX_DEFAULT, { carrier: 'none' })).toContain('Sets nothing');
  });
  it('never lets a note become a preference', () => {
    const sneaky = [
      'x\nuser_pref("a", 1);',
      'y\r\nuser_pref("b", 2);',
      'z\u2028user_pref("c", 3);',
      '// <<< Plumbfox profile <<<',
      '\0\u0085',
    ];
    const text = userJs(profile('c8-d1'), { carrier: 'none', notes: sneaky });
    expect(parsePreferences(text)).toHaveLength(1);
    // Not even to an editor that ends lines where Firefox does not.
    for (const line of text.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => line.includes('user_pref'))) {
      expect(line).toMatch(/^(\/\/ {3}user_pref|user_pref\("network\.http\.max-persistent)/);
    }
    expect(text.split('\n').filter((line) => line === '// <<< Plumbfox profile <<<')).toHaveLength(1);
  });
});

describe('literals', () => {
  it.each([
    [true, 'true'],
    [0, '0'],
    [-0, '0'],
    [-2147483648, '-2147483648'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['ü\n', '"\\u00fc\\u000a"'],
    ['🦊', '"\\ud83e\\udd8a"'],
  ])('%j is %s', (value, literal) => {
    expect(preferenceLiteral(value)).toBe(literal);
  });
  it.each([1.5, Number.NaN, 2 ** 31, -(2 ** 31) - 1, 'a\0', '\ud83e'])('refuses %j', (value) => {
    expect(() => preferenceLiteral(value)).toThrow('preference');
  });
});
