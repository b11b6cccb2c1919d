/** What preferences leave behind, and what becomes of it at a switch. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findKnob } from '../../../../src/core/profiles/catalogue.ts';
import { HANDLING, LEFT_BEHIND, leftBehindBy, notByTurns } from '../../../../src/core/profiles/reference/left-behind.ts';

it('names preferences of the catalogue', () => {
  expect(Object.keys(LEFT_BEHIND).filter((preference) => findKnob(preference) === undefined)).toEqual([]);
});

it('clears all that it says it clears: the privileged script knows each of them, and no other', () => {
  const script = readFileSync(new URL('../../../../src/experiment-api/network-preferences/api.js', import.meta.url), 'utf8');
  const clearing = /const CLEARING = \{(.*?)\n\};/s.exec(script)?.[1] ?? '';
  const known = [...clearing.matchAll(/^ {2}'([a-z-]+)':/gm)].map(([, kind]) => kind);
  const cleared = Object.entries(HANDLING).filter(([, how]) => how === 'cleared');
  expect(known.toSorted()).toEqual(cleared.map(([kind]) => kind).toSorted());
});

it('is of every preference of a profile, each kind once; connections are closed at every switch and not named', () => {
  expect(leftBehindBy(['network.dnsCacheExpiration', 'network.prefetch-next', 'network.dns.disablePrefetch'])).toEqual([
    'dns-cache',
    'prefetched',
  ]);
  expect(leftBehindBy(['network.http.max-persistent-connections-per-server'])).toEqual([]);
});

it('leaves out of trials what can neither be cleared nor waited for: Alt-Svc only where Firefox restarts for a turn', () => {
  expect(notByTurns(['network.http.http3.enable'], true)).toBeUndefined();
  expect(notByTurns(['network.http.http3.enable'], false)).toContain('network.http.http3.enable');
  expect(notByTurns(['network.trr.mode'], true)).toContain('network.trr.mode');
  expect(notByTurns(['network.trr.mode'], false)).toBeUndefined();
  for (const live of [true, false]) {
    expect(notByTurns(['network.prefetch-next', 'browser.cache.disk.enable'], live)).toMatch(/^what browser\.cache\.disk\.enable leaves/);
    expect(notByTurns(['network.prefetch-next', 'network.dnsCacheExpiration'], live)).toBeUndefined();
  }
});
