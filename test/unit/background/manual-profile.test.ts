/** A profile set by hand counts from the next start of Firefox on, and so does that it was taken back. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createManualProfile } from '../../../src/background/manual-profile.ts';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const browser = useBrowser(fakeBrowser());
const history: InEffectSince[] = [];
const { manualFacts, manualProfileThisSession, noteManual, settleManual } = createManualProfile({
  stores: fakeStores({}, history),
  networkPreferences: () => undefined,
});

const now = () => history.at(-1)?.applied;
/** What lies in `storage.session` ends with Firefox. */
async function startFirefoxAnew() {
  browser.storage.session.held.clear();
  await settleManual();
}

beforeEach(() => {
  history.length = 0;
  browser.state.os = 'linux';
  browser.storage.session.held.clear();
});

describe('a profile set by hand', () => {
  test('is not offered where the helper can do it, but is shown where one is set', async () => {
    await browser.storage.session.set({ helperRun: { awaitsConfirmation: false } });
    expect(await manualFacts()).toBeUndefined();
    await browser.storage.session.set({ helperRun: { awaitsConfirmation: false, problem: { why: 'silent' } } });
    await noteManual('c8-d1');
    await browser.storage.session.set({ helperRun: { awaitsConfirmation: false } });
    expect((await manualFacts())?.said).toEqual({ profileId: 'c8-d1', state: 'waits' });
  });

  test('waits for the next start of Firefox, and no load counts until then', async () => {
    await noteManual('c8-d1');
    expect(now()).toEqual({
      profileId: 'c8-d1',
      applier: 'manual',
      carrier: 'none',
      intended: { [PER_SERVER]: 8 },
      readBack: [],
      mismatches: [PER_SERVER],
    });
    // The event page may end and wake as often as it likes.
    await settleManual();
    expect((await manualFacts())?.said).toEqual({ profileId: 'c8-d1', state: 'waits' });
    await startFirefoxAnew();
    expect(now()).toMatchObject({ profileId: 'c8-d1', applier: 'manual', mismatches: [] });
    expect((await manualFacts())?.said).toEqual({ profileId: 'c8-d1', state: 'in-effect' });
    const entries = history.length;
    await startFirefoxAnew();
    expect(history).toHaveLength(entries);
  });

  test('is taken back in the same way', async () => {
    await noteManual('c8-d1');
    await startFirefoxAnew();
    await noteManual(undefined);
    expect(now()).toMatchObject({ profileId: 'firefox-default', intended: {}, mismatches: [PER_SERVER] });
    expect((await manualFacts())?.said).toEqual({ profileId: 'firefox-default', state: 'going-back' });
    await startFirefoxAnew();
    expect(now()).toBeNull();
    expect(await manualFacts()).not.toHaveProperty('said');
  });

  test('is what a session runs under from its start on, and not before', async () => {
    expect(await manualProfileThisSession()).toBeUndefined();
    await noteManual('c8-d1');
    expect(await manualProfileThisSession()).toBe('what was changed by hand meanwhile');
    await startFirefoxAnew();
    expect(await manualProfileThisSession()).toBe('c8-d1');
    await noteManual(undefined);
    expect(await manualProfileThisSession()).toBe('what was changed by hand meanwhile');
    await startFirefoxAnew();
    expect(await manualProfileThisSession()).toBeUndefined();
  });

  test('may follow another that was taken back, without a start in between', async () => {
    await noteManual('c8-d1');
    await noteManual(undefined);
    await noteManual('c10-d1');
    expect((await manualFacts())?.said).toEqual({ profileId: 'c10-d1', state: 'waits' });
    await startFirefoxAnew();
    expect(now()).toMatchObject({ profileId: 'c10-d1', mismatches: [] });
  });
});

describe('is refused', () => {
  test('over another that is set', async () => {
    await noteManual('c8-d1');
    await expect(noteManual('c10-d1')).rejects.toThrow('c8-d1 is set manually: undo it first');
  });
  test.each(['c8d1', 'firefox-default', '__proto__'])('%j', async (id) => {
    await expect(noteManual(id)).rejects.toMatchObject({ kind: 'bad-input' });
    expect(history).toEqual([]);
  });
  test('going back where nothing is set', async () => {
    await expect(noteManual(undefined)).rejects.toThrow('No profile is set manually');
  });
  test.each(['policy', 'helper'] as const)('where a %s has put a profile in place', async (applier) => {
    history.push({ since: 1, applied: { profileId: 'c8-d1', applier, carrier: 'none', intended: {}, readBack: [], mismatches: [] } });
    expect(await manualFacts()).toBeUndefined();
    await expect(noteManual('c10-d1')).rejects.toThrow('Profiles are not set manually here');
    await startFirefoxAnew();
    expect(history).toHaveLength(1);
  });
});

test('only profiles whose depth needs nothing are offered, with the system', async () => {
  browser.state.os = 'android';
  const facts = await manualFacts();
  expect(facts?.platform).toBe('android');
  expect(facts?.offered.map(({ id }) => id)).toEqual(expect.arrayContaining(['c8-d1', 'betterfox']));
  expect(facts?.offered.every(({ id }) => findProfile(id)?.depth === 1)).toBe(true);
});
