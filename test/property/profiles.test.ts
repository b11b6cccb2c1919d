import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { isHeeded, preferencesFor } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE, PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import { checkProfile } from '../../src/core/profiles/check-profile.ts';
import { compareCost } from '../../src/core/profiles/compare-cost.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { policiesJson } from '../../src/core/profiles/policies-json.ts';
import { findProfile, formatProfileId, parseProfileId, profileExpression, profileLabel } from '../../src/core/profiles/presets.ts';
import type { Carrier, Profile } from '../../src/core/profiles/profile.ts';
import { isProfileId } from '../../src/core/profiles/profile-id.ts';
import { resolveProfiles } from '../../src/core/profiles/resolve-profiles.ts';
import { userJs } from '../../src/core/profiles/user-js.ts';
import { preferenceLiteral } from '../../src/core/profiles/user-pref.ts';
import { parsePreferences } from '../fixtures/preferences-grammar.ts';
import { anyValue } from '../support/knob-values.ts';

const extensionId = 'plumbfox@plumbfox.org';
const carrier: fc.Arbitrary<Carrier> = fc.constantFrom('none', 'gateway', 'http2', 'legacy');

const preference: fc.Arbitrary<[string, PreferenceValue]> = fc
  .constantFrom(...CATALOGUE.filter(({ appliers }) => appliers.includes('policy')))
  .chain((knob) => anyValue(knob).map((value): [string, PreferenceValue] => [knob.preference, value]));

const profile: fc.Arbitrary<Profile> = fc
  .record({
    id: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,63}$/),
    title: fc.string({ unit: 'binary' }),
    depth: fc.integer({ min: 1, max: 64 }),
    preferences: fc.array(preference).map((pairs) => Object.fromEntries(pairs)),
  })
  .map((parts) => ({ ...parts, connections: parts.preferences[PER_SERVER] as number | undefined }));

const expression = (base: string, parts: readonly (readonly [string, PreferenceValue])[]): string =>
  [base, ...parts.map(([name, value]) => `${name}=${value}`)].join('+');

describe('any profile', () => {
  it('written as user.js reads back to what it sets, and older pipelining with it', () => {
    fc.assert(
      fc.property(profile, carrier, fc.array(fc.string({ unit: 'binary' })), (profile, carrier, notes) => {
        checkProfile(profile);
        const text = userJs(profile, { carrier, notes });
        const read = parsePreferences(text);
        expect(new Set(read.map(([name]) => name)).size).toBe(read.length);
        expect(Object.fromEntries(read.filter(([name]) => isHeeded(name)))).toEqual(
          Object.fromEntries(Object.entries(preferencesFor(profile, carrier)).filter(([name]) => isHeeded(name))),
        );
        const pipelining = read.find(([name]) => name === 'network.http.pipelining.maxrequests')?.[1];
        expect(pipelining).toBe(profile.depth > 1 ? profile.depth : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('written as a policy survives JSON, with a type on every value', () => {
    fc.assert(
      fc.property(profile, fc.constantFrom('none', 'gateway', 'http2'), (profile, carrier) => {
        const policy = policiesJson(profile, { extensionId, carrier });
        const text = JSON.stringify(policy);
        expect(text.charCodeAt(0)).toBe('{'.charCodeAt(0));
        expect(JSON.parse(text)).toEqual(policy);
        const values = Object.entries(policy.policies.Preferences).map(([name, { Value, Type }]) => {
          expect(Type).toBe(typeof Value);
          if (typeof Value === 'number') expect(Value | 0).toBe(Value);
          return [name, Value];
        });
        expect(Object.fromEntries(values)).toEqual(preferencesFor(profile, carrier));
      }),
      { numRuns: 300 },
    );
  });

  it('has one name per cN-dM', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 255 }), fc.integer({ min: 1, max: 64 }), (connections, depth) => {
        const id = formatProfileId({ connections, depth });
        expect(parseProfileId(id)).toEqual({ connections, depth });
        expect(resolveProfiles([id])[0]).toMatchObject({ id, connections, depth, preferences: { [PER_SERVER]: connections } });
      }),
    );
  });

  it('has one expression, whatever the order of its parts, and is read from it', () => {
    const base = fc.constantFrom('firefox-default', 'betterfox', 'c1-d1', 'c16-d1', 'c4-d6', 'c255-d64');
    const parts = fc.uniqueArray(preference, { selector: ([name]) => name, maxLength: CATALOGUE.length });
    const shuffled = parts.chain((parts) => fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length })));
    fc.assert(
      fc.property(base, shuffled, (base, [parts, others]) => {
        const profile = findProfile(expression(base, parts)) ?? expect.fail('not read');
        checkProfile(profile);
        expect(isProfileId(profile.id)).toBe(true);
        expect(profile.preferences).toEqual({ ...findProfile(base)?.preferences, ...Object.fromEntries(parts) });
        expect(profile.connections).toBe(profile.preferences[PER_SERVER]);
        expect(findProfile(profile.id)).toEqual(profile);
        expect(profileExpression({ ...profile, id: 'alias' })).toBe(profile.id);
        expect(findProfile(expression(base, others))).toEqual(profile);
        if (profile.depth === 1) expect(findProfile(expression('firefox-default', Object.entries(profile.preferences)))).toEqual(profile);
        expect(profileLabel(profile.id).length).toBeLessThan(200);
      }),
      { numRuns: 300 },
    );
  });

  it('has a cost that orders: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(profile, profile, profile, (a, b, c) => {
        expect(Math.sign(compareCost(a, b)) + Math.sign(compareCost(b, a))).toBe(0);
        if (compareCost(a, b) <= 0 && compareCost(b, c) <= 0) expect(compareCost(a, c)).toBeLessThanOrEqual(0);
        expect(compareCost(a, { ...a })).toBe(0);
        expect(compareCost(a, { depth: a.depth, connections: a.connections, intended: a.preferences })).toBe(0);
      }),
    );
  });
});

describe('any text', () => {
  it('resolves to profiles or ends in one short line', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('c', 'd', '-', '=', '1', '4', '6', ' ', '+', PER_SERVER) }),
    );
    fc.assert(
      fc.property(fc.array(text), (names) => {
        try {
          for (const profile of resolveProfiles(names)) checkProfile(profile);
        } catch (error) {
          expect(error).toBeInstanceOf(PlumbfoxError);
          expect(error).toMatchObject({ kind: expect.stringMatching(/^(bad-input|preference-refused)$/) });
          expect((error as Error).message).not.toMatch(/[\r\n]/);
          expect((error as Error).message.length).toBeLessThan(600);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('as a preference reads back as itself, or is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), (value) => {
        const written = typeof value === 'string' && value.includes('\0') ? undefined : `user_pref("a", ${preferenceLiteral(value)});\n`;
        if (written === undefined) expect(() => preferenceLiteral(value)).toThrow(PlumbfoxError);
        else expect(parsePreferences(written)).toEqual([['a', value]]);
      }),
      { numRuns: 500 },
    );
  });
});
