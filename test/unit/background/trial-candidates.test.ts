import { expect, test } from 'vitest';
import { trialOffer, trialPolicy, whyNot } from '../../../src/background/trial-candidates.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../src/core/profiles/profile.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

useBrowser(fakeBrowser());

const profile = (id: string): Profile => {
  const found = findProfile(id);
  if (found === undefined) throw new Error(`There is no profile ${id}`);
  return found;
};

/** Connections only, the same with faster pacing and without any, and the list. */
const DIRECT = [
  ...['c1-d1', 'c2-d1', 'c4-d1', 'c8-d1', 'c10-d1', 'c16-d1'],
  ...['hz=320', 'enabled=false'].flatMap((pacing) =>
    ['firefox-default', 'c10-d1', 'c16-d1'].map((base) => `${base}+network.http.pacing.requests.${pacing}`),
  ),
  'betterfox',
];

const live = { live: true, gateway: false };
const atStart = { live: false, gateway: false };

test.each([live, atStart])('offers what takes effect without the gateway, the baseline aside ($live)', (means) => {
  const { baseline, offered, gateway, notOffered } = trialOffer(means);
  expect(gateway).toBeUndefined();
  expect(baseline).toBe('firefox-default');
  expect(offered.map(({ id }) => id)).toEqual(DIRECT);
  expect(notOffered.map(({ id }) => id)).toEqual(['c6-d1', 'control', 'cN-dM']);
  for (const { id } of offered) expect(whyNot(profile(id), means)).toBeUndefined();
});

test('says why a profile cannot be tried', () => {
  expect(whyNot(profile('c4-d6'), live)).toContain('needs the gateway');
  expect(whyNot(profile('control'), live)).toContain('gateway');
  expect(whyNot(profile('c6-d1'), live)).toContain("Firefox's own values");
});

test.each([true, false])('with the gateway, offers what goes through it; the control is part of it by itself (live: %s)', (isLive) => {
  const means = { live: isLive, gateway: true };
  const { offered, gateway, notOffered } = trialOffer(means);
  expect(offered.map(({ id }) => id)).toEqual(DIRECT);
  expect(gateway?.map(({ id }) => id)).toEqual(['c4-d6', 'c6-d4', 'c2-d6', 'c1-d6']);
  expect(notOffered.map(({ id }) => id)).toEqual(['c6-d1', 'control']);
  for (const { id } of gateway ?? []) expect(whyNot(profile(id), means)).toBeUndefined();
  // 4 x 8 are as many as Firefox sends to a proxy, 5 x 8 are more.
  expect([whyNot(profile('c4-d8'), means), whyNot(profile('c5-d8'), means)]).toEqual([
    undefined,
    expect.stringContaining('no more than 32'),
  ]);
});

test('where a policy has to set it, refuses what a policy leaves out', () => {
  // No Firefox that has policies heeds it (policies-json.ts).
  const odd = { ...profile('firefox-default'), id: 'odd', preferences: { 'network.http.pipelining': true } };
  expect(whyNot(odd, live)).toBeUndefined();
  expect(whyNot(odd, atStart)).toContain('a policy cannot set it');
});

test('where it switches while Firefox runs, refuses what Firefox reads only as it starts', () => {
  const threads = profile('firefox-default+network.dns.max_any_priority_threads=8');
  expect(whyNot(threads, live)).toContain('only as it starts');
  expect(whyNot(threads, atStart)).toBeUndefined();
  const own = [{ name: 'Threads', profileId: threads.id }];
  expect(trialOffer(live, own).notOffered).toContainEqual({ id: 'Threads', why: expect.stringContaining('only as it starts') });
  expect(trialOffer(live, own).offered.map(({ id }) => id)).toEqual(DIRECT);
  expect(trialOffer(atStart, own).offered.map(({ id }) => id)).toEqual([...DIRECT, threads.id]);
});

test('refuses what lasts into the other turns, and says why', () => {
  const cached = profile('firefox-default+browser.cache.disk.capacity=512000');
  const why = "what browser.cache.disk.capacity leaves in Firefox lasts into the other's turns, and can neither be cleared nor waited for";
  expect([whyNot(cached, live), whyNot(cached, atStart)]).toEqual([why, why]);
  expect(trialOffer(live, [{ name: 'Cache', profileId: cached.id }]).notOffered).toContainEqual({ id: 'Cache', why });
});

test('names each profile in its policies.json, the baseline too', () => {
  const managed = (id: string) => JSON.parse(trialPolicy(profile(id))).policies['3rdparty'].Extensions['plumbfox@plumbfox.org'].profile;
  expect([managed('c8-d1'), managed('firefox-default')]).toEqual(['c8-d1', 'firefox-default']);
});
