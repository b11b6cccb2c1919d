/** What every applier must do, run against the fake and against each real one in its real surroundings. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PreferenceRefused } from '../../src/core/errors.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import type { Applier, Profile } from '../../src/core/profiles/profile.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const DNS_EXPIRATION = 'network.dnsCacheExpiration';
const PREFETCH = 'network.prefetch-next';
const PACING = 'network.http.pacing.requests.enabled';

export const FOUR: Profile = {
  id: 'c4-d1',
  title: 'four',
  connections: 4,
  depth: 1,
  preferences: { [PER_SERVER]: 4, [DNS_EXPIRATION]: 90 },
};
const TWO: Profile = { id: 'c2-d1', title: 'two', connections: 2, depth: 1, preferences: { [PER_SERVER]: 2, [PREFETCH]: false } };

export interface ApplierHarness {
  readonly applier: Applier;
  /** The effective value, read by another way than the applier's. */
  readonly effective: (preference: string) => Promise<PreferenceValue | undefined>;
  /** What somebody else does: sets a user value, or clears it. */
  readonly setByUser: (preference: string, value: PreferenceValue | undefined) => Promise<void>;
  readonly setLocked: (preference: string, locked: boolean) => Promise<void>;
  readonly hasUserValue: (preference: string) => Promise<boolean>;
}

export interface ContractOptions {
  /** Asked to change, refuse and revert as well. */
  readonly live: boolean;
  /** A profile of integers that the surroundings let this applier apply; c4-d1 with one more preference unless said otherwise. */
  readonly profile?: Profile;
  /** What is read back is what this applier has written, because nothing lets it ask Firefox itself. */
  readonly readsOwnOnly?: boolean;
}

/** `start` is called once per test; what it starts may be shared. */
export function applierContract(name: string, start: () => Promise<ApplierHarness>, options: ContractOptions): void {
  const { live, profile = FOUR, readsOwnOnly = false } = options;
  const expected = Object.entries(profile.preferences).toSorted();
  describe(`applier: ${name}`, () => {
    let harness: ApplierHarness;
    beforeEach(async () => {
      harness = await start();
    });

    test('puts a profile in effect and says so', async () => {
      const applied = await harness.applier.apply(profile);
      expect(applied).toMatchObject({ profileId: profile.id, applier: harness.applier.kind, carrier: 'none', mismatches: [] });
      expect(applied.intended).toEqual(profile.preferences);
      const held = applied.readBack.map(({ preference, value, type }) => [preference, value, type]);
      expect(held.toSorted()).toEqual(expected.map(([preference, value]) => [preference, value, 'integer']));
      for (const [preference, value] of expected) expect(await harness.effective(preference)).toBe(value);
    });

    test('applied twice is applied once', async () => {
      await harness.applier.apply(profile);
      expect((await harness.applier.apply(profile)).mismatches).toEqual([]);
    });

    test('reads the catalogue back with type and lock', async () => {
      await harness.applier.apply(profile);
      const held = await harness.applier.readBack();
      expect(held.find(({ preference }) => preference === PER_SERVER)).toMatchObject({ value: 4, type: 'integer', locked: false });
      const other = held.find(({ preference }) => preference === PREFETCH);
      if (readsOwnOnly) expect(other).toBeUndefined();
      else expect(other).toMatchObject({ value: true, type: 'boolean' });
    });

    test('answers what it reverted, and what it left alone', async () => {
      await harness.applier.apply(profile);
      const { restored, leftAlone } = await harness.applier.revert();
      expect([...restored, ...leftAlone].toSorted()).toEqual(expected.map(([preference]) => preference));
    });

    if (live) liveContract(() => harness);
  });
}

function liveContract(harness: () => ApplierHarness): void {
  afterEach(async () => {
    for (const preference of [PER_SERVER, DNS_EXPIRATION, PREFETCH]) await harness().setLocked(preference, false);
    await harness().applier.revert();
    for (const preference of [PER_SERVER, DNS_EXPIRATION, PREFETCH]) await harness().setByUser(preference, undefined);
  });

  const refusal = async (profile: Profile): Promise<unknown> => {
    const error = await harness()
      .applier.apply(profile)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(PreferenceRefused);
    return error instanceof PreferenceRefused ? [error.preference, error.reason] : error;
  };
  const withPreferences = (preferences: Profile['preferences']): Profile => ({ ...FOUR, id: 'broken', preferences });

  test('replaces one profile by another: what only the first set is as it was', async () => {
    const { applier, effective, hasUserValue } = harness();
    const before = await effective(DNS_EXPIRATION);
    await applier.apply(FOUR);
    await applier.apply(TWO);
    expect([await effective(PER_SERVER), await effective(PREFETCH), await effective(DNS_EXPIRATION)]).toEqual([2, false, before]);
    expect(await hasUserValue(DNS_EXPIRATION)).toBe(false);
  });

  test('puts an expression in effect, a preference of each type, and reverts it', async () => {
    const { applier, effective, hasUserValue } = harness();
    const decimal = CATALOGUE.find(({ bounds }) => bounds.type === 'decimal')?.preference;
    const profile = findProfile(`c16-d1+${PACING}=false${decimal === undefined ? '' : `+${decimal}=0.5`}`);
    if (profile === undefined) return expect.fail('not read');
    const names = Object.keys(profile.preferences).toSorted();
    const before = await Promise.all(names.map(effective));
    expect(await applier.apply(profile)).toMatchObject({ profileId: profile.id, intended: profile.preferences, mismatches: [] });
    expect(await Promise.all(names.map(effective))).toEqual(names.map((name) => profile.preferences[name]));
    expect((await applier.revert()).restored.toSorted()).toEqual(names);
    expect(await Promise.all(names.map(effective))).toEqual(before);
    expect(await Promise.all(names.map(hasUserValue))).toEqual(names.map(() => false));
  });

  test('reverts to what was there before the first profile, a user value as well as none', async () => {
    const { applier, effective, hasUserValue, setByUser } = harness();
    const shipped = await effective(DNS_EXPIRATION);
    await setByUser(PER_SERVER, 11);
    await applier.apply(FOUR);
    await applier.apply(TWO);
    await applier.apply(FOUR);
    const { restored, leftAlone } = await applier.revert();
    expect(restored.toSorted()).toEqual([DNS_EXPIRATION, PER_SERVER]);
    expect(leftAlone).toEqual([]);
    expect(await effective(PER_SERVER)).toBe(11);
    expect(await effective(DNS_EXPIRATION)).toBe(shipped);
    expect([await hasUserValue(PER_SERVER), await hasUserValue(DNS_EXPIRATION)]).toEqual([true, false]);
  });

  test('has nothing to revert when nothing was applied', async () => {
    expect(await harness().applier.revert()).toEqual({ restored: [], leftAlone: [] });
  });

  test.each([
    ['a preference outside the catalogue', { 'browser.startup.page': 3 }, ['browser.startup.page', 'not-in-catalogue']],
    ['a name of the prototype', { isPrototypeOf: 3 }, ['isPrototypeOf', 'not-in-catalogue']],
    ['a value out of range', { [PER_SERVER]: 256 }, [PER_SERVER, 'out-of-range']],
    ['a string for a number', { [PER_SERVER]: '4' }, [PER_SERVER, 'wrong-type']],
    ['a boolean for a number', { [PER_SERVER]: true }, [PER_SERVER, 'wrong-type']],
    ['a number for a boolean', { [PREFETCH]: 0 }, [PREFETCH, 'wrong-type']],
  ])('refuses %s, and changes nothing', async (_, preferences, expected) => {
    const { applier, effective } = harness();
    await applier.apply(FOUR);
    expect(await refusal(withPreferences({ [DNS_EXPIRATION]: 33, ...preferences }))).toEqual(expected);
    expect([await effective(PER_SERVER), await effective(DNS_EXPIRATION)]).toEqual([4, 90]);
  });

  test('refuses a locked preference, and changes nothing', async () => {
    const { effective, setLocked } = harness();
    const before = [await effective(PER_SERVER), await effective(DNS_EXPIRATION)];
    await setLocked(PER_SERVER, true);
    expect(await refusal(FOUR)).toEqual([PER_SERVER, 'locked']);
    expect([await effective(PER_SERVER), await effective(DNS_EXPIRATION)]).toEqual(before);
  });

  test('backs off from what somebody else has changed since: no other profile, and left alone at the revert', async () => {
    const { applier, effective, setByUser } = harness();
    await applier.apply(FOUR);
    await setByUser(PER_SERVER, 9);
    expect(await refusal(TWO)).toEqual([PER_SERVER, 'changed-by-someone-else']);
    expect([await effective(PER_SERVER), await effective(PREFETCH)]).toEqual([9, true]);
    expect(await applier.revert()).toEqual({ restored: [DNS_EXPIRATION], leftAlone: [PER_SERVER] });
    expect(await effective(PER_SERVER)).toBe(9);
  });

  test('what is locked at the revert is kept and named, and put back by the next revert after the lock is lifted', async () => {
    const { applier, effective, hasUserValue, setByUser, setLocked } = harness();
    const shipped = await effective(PER_SERVER);
    await setByUser(PER_SERVER, 11);
    await applier.apply(FOUR);
    await setLocked(PER_SERVER, true);
    expect(await applier.revert()).toEqual({ restored: [DNS_EXPIRATION], leftAlone: [], locked: [PER_SERVER] });
    expect(await applier.revert()).toEqual({ restored: [], leftAlone: [], locked: [PER_SERVER] });
    expect(await effective(PER_SERVER)).toBe(shipped);
    // What is locked stands in nobody's way.
    await applier.apply({ ...TWO, preferences: { [PREFETCH]: false } });
    expect(await applier.revert()).toEqual({ restored: [PREFETCH], leftAlone: [], locked: [PER_SERVER] });
    await setLocked(PER_SERVER, false);
    expect(await applier.revert()).toEqual({ restored: [PER_SERVER], leftAlone: [] });
    expect([await effective(PER_SERVER), await hasUserValue(PER_SERVER)]).toEqual([11, true]);
    expect(await applier.revert()).toEqual({ restored: [], leftAlone: [] });
  });

  test('applied again once the lock is lifted, what was there before the first time is what comes back', async () => {
    const { applier, effective, setByUser, setLocked } = harness();
    await setByUser(PER_SERVER, 11);
    await applier.apply(FOUR);
    await setLocked(PER_SERVER, true);
    await applier.revert();
    expect(await refusal(TWO)).toEqual([PER_SERVER, 'locked']);
    await setLocked(PER_SERVER, false);
    await applier.apply(TWO);
    expect(await effective(PER_SERVER)).toBe(2);
    await applier.revert();
    expect(await effective(PER_SERVER)).toBe(11);
  });

  test('with a route, leads through the gateway, and reverting takes the route away', async () => {
    const { applier, effective } = harness();
    const proxyBefore = await effective('network.proxy.type');
    const route = { host: '127.0.0.1', port: 40_123, secret: 'secret-secret-secret' } as const;
    const applied = await applier.apply(FOUR, { route });
    expect(applied).toMatchObject({ carrier: 'gateway', mismatches: [] });
    expect(applied.intended).toMatchObject({ 'network.proxy.http_port': 40_123, 'network.http.max-persistent-connections-per-proxy': 255 });
    expect(JSON.stringify(applied)).not.toContain(route.secret);
    expect(await effective('network.proxy.type')).toBe(1);
    await applier.revert();
    expect(await effective('network.proxy.type')).toBe(proxyBefore);
  });
}
