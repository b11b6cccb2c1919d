import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { CATALOGUE } from '../../../../src/core/profiles/catalogue.ts';
import { checkProfile } from '../../../../src/core/profiles/check-profile.ts';
import {
  BETTERFOX,
  findProfile,
  isPluralLabel,
  profileExpression,
  profileLabel,
  profileOf,
} from '../../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { isProfileId, MAX_ID_LENGTH } from '../../../../src/core/profiles/profile-id.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { requestSchema } from '../../../../src/protocol/messages.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const PACING = 'network.http.pacing.requests.enabled';
const BURST = 'network.http.pacing.requests.burst';
const HTTP3 = 'network.http.http3.enable';
const resolved = (name: string): Profile => resolveProfiles([name])[0] as Profile;

describe('an expression', () => {
  it('sets what its base sets, and its parts', () => {
    expect(findProfile(`c16-d1+${PACING}=false`)).toEqual({
      id: `c16-d1+${PACING}=false`,
      title: '16 connections, no request pacing',
      connections: 16,
      depth: 1,
      preferences: { [PER_SERVER]: 16, [PACING]: false },
    });
    expect(findProfile(`firefox-default+${HTTP3}=false`)).toMatchObject({
      connections: undefined,
      depth: 1,
      preferences: { [HTTP3]: false },
    });
    expect(findProfile(`c4-d6+${PACING}=false`)).toMatchObject({ connections: 4, depth: 6 });
  });

  it.each([
    [
      'parts in the catalogue order',
      `c16-d1+${HTTP3}=false+${BURST}=30+${PACING}=false`,
      `c16-d1+${PACING}=false+${BURST}=30+${HTTP3}=false`,
    ],
    ['no part that the base sets', `c16-d1+${PER_SERVER}=16`, 'c16-d1'],
    ['connections set directly', `firefox-default+${PER_SERVER}=10`, 'c10-d1'],
    ['connections in place of those of the base', `c4-d6+${PER_SERVER}=10`, 'c10-d6'],
    ['spaces left out', ` c10-d1 + ${PACING} = false `, `c10-d1+${PACING}=false`],
    [
      'a preset whose every preference is set',
      `c10-d1+${Object.entries(BETTERFOX.preferences)
        .filter(([name]) => name !== PER_SERVER)
        .map((pair) => pair.join('='))
        .join('+')}`,
      'betterfox',
    ],
    ['a preset with one more', `betterfox+${PACING}=false`, `betterfox+${PACING}=false`],
    ['a preset with another value', 'betterfox+network.prefetch-next=true', 'betterfox+network.prefetch-next=true'],
    ['a value that Firefox ships, which a person may have changed', `firefox-default+${PACING}=true`, `firefox-default+${PACING}=true`],
  ])('has one id: %s', (_, text, id) => {
    expect(resolved(text).id).toBe(id);
    expect(findProfile(id)?.id).toBe(id);
    expect(isProfileId(id)).toBe(true);
  });

  it('may have a name of its own, and is found again without it', () => {
    const fast = resolved(`fast=c10-d1+${PACING}=false`);
    expect(fast).toMatchObject({ id: 'fast', title: '10 connections, no request pacing, entered as fast', connections: 10 });
    expect(profileExpression(fast)).toBe(`c10-d1+${PACING}=false`);
    expect(profileExpression(resolved('again=firefox-default'))).toBe('firefox-default');
    expect(resolveProfiles([`c10-d1+${PACING}=false`, `c10-d1+${PACING}=false`])).toHaveLength(1);
  });

  it('has one id however a decimal was spelt in a file', () => {
    const ratio = 'network.http.focused_window_transaction_ratio';
    const profile = profileOf({ depth: 1, preferences: { [ratio]: '0.50' } });
    expect(profile).toMatchObject({ id: `firefox-default+${ratio}=0.5`, preferences: { [ratio]: '0.5' } });
    expect(profile).toEqual(findProfile(profile.id));
  });

  it('has a title that the extension takes, under the longest name', () => {
    const longest = CATALOGUE.filter(({ bounds, appliers }) => bounds.type === 'boolean' && appliers.length > 0)
      .toSorted((a, b) => b.label.length - a.label.length)
      .slice(0, 3);
    const alias = 'a'.repeat(64);
    const profile = resolved(`${alias}=c255-d64+${longest.map(({ preference }) => `${preference}=false`).join('+')}`);
    expect(profile.title).toMatch(new RegExp(`^255 connections .*…, entered as ${alias}$`));
    expect(v.safeParse(requestSchema, { kind: 'apply-profile', profile }).issues).toBeUndefined();
  });

  it('has none for a profile that only a study declares', () => {
    expect(profileExpression({ ...resolved('c6-d4'), id: 'c6-d4-bundled', dispatch: 'bundled' })).toBeUndefined();
    expect(profileExpression(resolved('control'))).toBeUndefined();
  });

  it.each([
    ['c10-d1+network.http.pacing.requests.enable=false', `not in Plumbfox's catalogue of preferences. Did you mean ${PACING}?`],
    ['c10-d1+browser.startup.page=1', "browser.startup.page is not in Plumbfox's catalogue"],
    [`c10-d1+${PACING}=0`, `${PACING}: "0" is not true or false`],
    [`c10-d1+${PACING}=`, `${PACING}: "" is not true or false`],
    [`c10-d1+${BURST}=ten`, `${BURST}: "ten" is not a whole number`],
    [`c10-d1+${BURST}=010`, `${BURST}: "010" is not a whole number`],
    [`c10-d1+${BURST}=1e3`, `${BURST}: "1e3" is not a whole number`],
    [`c10-d1+${BURST}=1.5`, `${BURST}: "1.5" is not a whole number`],
    [`c10-d1+${BURST}=99999999999999999999`, `${BURST}: "99999999999999999999" is not a whole number`],
    [`c10-d1+${PER_SERVER}=300`, `${PER_SERVER}: 300 is not within 1 to 255`],
    [`c10-d1+${PER_SERVER}=-1`, `${PER_SERVER}: -1 is not within 1 to 255`],
    [`c10-d1+${PACING}=false+${PACING}=false`, `${PACING} is set twice: give it once`],
    [`c10-d1+${PACING}=false+${PACING}=true`, `${PACING} is set to false and to true: give it once`],
    ['c10-d1+network.http.pipelining=true', 'network.http.pipelining: Firefox 54 and later ignore it'],
    ['c10-d1+', '"" sets nothing: write PREFERENCE=VALUE after each +'],
    [`c10-d1+${PACING}`, 'sets nothing: write PREFERENCE=VALUE after each +'],
    [`control+${PACING}=false`, '"control" shows the gateway\'s own cost and sets nothing further'],
    [`c300-d1+${PACING}=false`, 'There is no profile'],
    [`fennec-18+${PACING}=false`, 'There is no profile'],
    [`${PACING}=false`, `${PACING} is a preference; to set it, write firefox-default+${PACING}=false`],
    [`c10-d1+${'x'.repeat(20_000)}=1`, `at most ${MAX_ID_LENGTH} characters, and this one 20009`],
    [`c10-d1+${'x'.repeat(5000)}=1`, "is not in Plumbfox's catalogue"],
    ['c10-d1+a"b<c>=1', '"a\\"b<c>" is not in Plumbfox'],
  ])('%s: %s', (text, message) => {
    const error = (() => {
      try {
        resolveProfiles([text]);
      } catch (caught) {
        return caught as Error;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(PlumbfoxError);
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain('\n');
    expect(error?.message.length).toBeLessThan(600);
    expect(findProfile(text)).toBeUndefined();
  });

  it('has room for every preference of the catalogue at once', () => {
    const all = CATALOGUE.filter(({ appliers }) => appliers.includes('about-config')).map(
      ({ preference, bounds }) => `${preference}=${bounds.type === 'boolean' ? 'false' : bounds.max}`,
    );
    const profile = resolved(`every=firefox-default+${all.join('+')}`);
    expect(Object.keys(profile.preferences)).toHaveLength(all.length);
    expect(() => checkProfile({ ...profile, id: profileExpression(profile) ?? '' })).not.toThrow();
    expect(profile.title.length).toBeLessThan(200);
  });
});

describe('an id', () => {
  it.each([
    ['c4-d6', true],
    [`c16-d1+${PACING}=false`, true],
    ['betterfox+network.dns.disablePrefetch=true', true],
    ['firefox-default+network.http.http3.max_data=1024', true],
    ['', false],
    ['+a=1', false],
    ['a+', false],
    ['a+b', false],
    ['a+b=', false],
    ['a+b=1 ', false],
    ['a+b=1\n', false],
    ['a+b=1\nuser_pref("x", 1);', false],
    ['a+b="1"', false],
    ["a+b='1'", false],
    ['a+b=<b>', false],
    ['a+b=$(x)', false],
    ['a+b=`x`', false],
    ['a+b=1;c', false],
    ['a+b=1&c', false],
    ['a+b=../..', false],
    ['a+../b=1', false],
    ['a+b=1,c', false],
    ['a+b=*/', false],
  ])('%j: %s', (text, is) => {
    expect(isProfileId(text)).toBe(is);
  });
});

describe('what a person reads for an expression', () => {
  it.each([
    [`c16-d1+${PACING}=false`, '16 connections, no request pacing', true],
    [`firefox-default+${HTTP3}=false`, 'no HTTP/3', false],
    [`firefox-default+${BURST}=30`, 'starts in one burst 30', false],
    ['firefox-default+network.http.keep-alive.timeout=300', 'idle life of a connection 300 s', false],
    ['firefox-default+network.dns.disablePrefetch=true', 'no DNS prefetching', false],
    ['firefox-default+network.dns.disablePrefetch=false', 'DNS prefetching', false],
    [`betterfox+${HTTP3}=false`, 'betterfox, no HTTP/3', true],
    [
      `c4-d6+${PACING}=false+${BURST}=30+${HTTP3}=false+network.prefetch-next=false`,
      '4 connections with up to 6 requests on each, no request pacing, starts in one burst 30, and 2 more',
      true,
    ],
    ['c4-d6+nothing=1', 'c4-d6+nothing=1', false],
  ])('%s: %s', (id, label, isPlural) => {
    expect(profileLabel(id)).toBe(label);
    expect(isPluralLabel(id)).toBe(isPlural);
  });
});
