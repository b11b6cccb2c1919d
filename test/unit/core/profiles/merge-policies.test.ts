import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import { mergePolicies, type PolicyDocumentOptions, policyDocument, withoutOurs } from '../../../../src/core/profiles/merge-policies.ts';
import { type PoliciesJson, policiesJson } from '../../../../src/core/profiles/policies-json.ts';
import { findProfile } from '../../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { countBar } from '../../../support/bar-count.ts';
import { heldType } from '../../../support/knob-values.ts';

const ID = 'plumbfox@plumbfox.org';
const WISH: PolicyDocumentOptions = { extensionId: ID, carrier: 'none', status: 'default', trial: undefined, extensionUrl: undefined };
const preset = (id: string): Profile => {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  return profile;
};
const ours = (id: string, more: Partial<PolicyDocumentOptions> = {}) => policyDocument(preset(id), { ...WISH, ...more });
const merge = (foreign: string | undefined, id: string, more?: Partial<PolicyDocumentOptions>) =>
  mergePolicies(foreign, ours(id, more), ID);

const SETS = process.env.PLUMBFOX_FULL === '1' ? 10_000 : 2_000;

const FOREIGN =
  '{"policies":{"DisableTelemetry":true,"Preferences":{"browser.a":{"Value":1e2}},"3rdparty":{"Extensions":{"u@b":{"x":1}}}}}\n';

describe('merged policies', () => {
  it('are ours alone where there are none', () => {
    const { policies } = JSON.parse(merge(undefined, 'c4-d1', { status: 'locked' })) as PoliciesJson;
    expect(policies).toEqual({
      Preferences: { [PER_SERVER]: { Value: 4, Status: 'locked', Type: 'number' } },
      '3rdparty': { Extensions: { [ID]: { profile: 'c4-d1', carrier: 'none', connections: 4, depth: 1, sets: { [PER_SERVER]: 4 } } } },
    });
  });

  it('keep what was there to the letter, and give it back', () => {
    const merged = merge(FOREIGN, 'betterfox');
    for (const piece of ['"DisableTelemetry":true', '"browser.a":{"Value":1e2}', '"u@b":{"x":1}']) expect(merged).toContain(piece);
    expect(withoutOurs(merged, ID)).toMatchObject({ text: FOREIGN, leftAlone: [] });
  });

  it('have ours once, also when it was there before, as another profile or from tune', () => {
    const first = merge(FOREIGN, 'betterfox', { status: 'locked', extensionUrl: 'file:///opt/lab.xpi', trial: { id: 'a' } });
    expect(merge(first, 'c4-d1')).toBe(merge(FOREIGN, 'c4-d1'));
    const fromTune = JSON.stringify(policiesJson(preset('betterfox'), { extensionId: ID, carrier: 'none' }));
    expect(JSON.parse(merge(fromTune, 'c4-d1'))).toEqual(JSON.parse(merge(undefined, 'c4-d1')));
  });

  it('install the lab build where that is wanted, and leave what it needs to those who want it already', () => {
    const extensionUrl = 'file:///opt/lab.xpi';
    const set = { Value: true, Status: 'default', Type: 'boolean' };
    const { policies } = JSON.parse(merge(undefined, 'firefox-default', { extensionUrl }));
    expect(policies.ExtensionSettings).toEqual({ [ID]: { installation_mode: 'normal_installed', install_url: extensionUrl } });
    expect(policies.Preferences).toEqual({
      'extensions.experiments.enabled': set,
      'xpinstall.signatures.required': { ...set, Value: false },
    });
    const foreign = '{"policies": {"Preferences": {"extensions.experiments.enabled": true}}}';
    const merged = merge(foreign, 'c4-d1', { extensionUrl });
    expect(JSON.parse(merged).policies.Preferences['extensions.experiments.enabled']).toBe(true);
    expect(withoutOurs(merged, ID).text).toBe(foreign);
    const against = '{"policies": {"Preferences": {"xpinstall.signatures.required": {"Value": true}}}}';
    expect(() => merge(against, 'c4-d1', { extensionUrl })).toThrow(/xpinstall.signatures.required: .*take that out/);
  });

  it.each([
    [`{"policies": {"Preferences": {"${PER_SERVER}": {"Value": 4, "Status": "default", "Type": "number"}}}}`, PER_SERVER],
    [`{"policies": {"Preferences": {"${PER_SERVER}": 4}}}`, PER_SERVER],
  ])('are refused where somebody else has one of our names: %s', (foreign, name) => {
    expect(() => merge(foreign, 'c4-d1')).toThrow(expect.objectContaining({ kind: 'preference-refused', preference: name }));
  });

  it('are refused where the extension is installed from elsewhere, or our entry cannot be understood', () => {
    const elsewhere = `{"policies": {"ExtensionSettings": {"${ID}": {"installation_mode": "normal_installed", "install_url": "https://a/b"}}}}`;
    expect(() => merge(elsewhere, 'c4-d1', { extensionUrl: 'file:///opt/lab.xpi' })).toThrow(/ExtensionSettings/);
    expect(withoutOurs(merge(elsewhere, 'c4-d1'), ID).text).toBe(elsewhere);
    const strange = `{"policies": {"3rdparty": {"Extensions": {"${ID}": {"profile": "of-the-future"}}}}}`;
    expect(() => merge(strange, 'c4-d1')).toThrow(/remove that part first/);
  });

  it.each(['{"policies": []}', '{"policies": {"Preferences": "{}"}}', '{"policies": {"3rdparty": 1}}', '{"policies": null}'])(
    'are refused where Firefox would ignore them: %s',
    (foreign) => {
      expect(() => merge(foreign, 'c4-d1')).toThrow(/not an object/);
    },
  );
});

describe('what somebody has changed since', () => {
  it('is left alone and named', () => {
    const changed = merge(FOREIGN, 'betterfox').replace('"Value":1800', '"Value":900');
    const { text, removed, leftAlone } = withoutOurs(changed, ID);
    expect(leftAlone).toEqual(['network.http.max-connections']);
    expect(removed).not.toContain('network.http.max-connections');
    expect(JSON.parse(text).policies.Preferences).toEqual({
      'browser.a': { Value: 100 },
      'network.http.max-connections': { Value: 900, Status: 'default', Type: 'number' },
    });
  });
});

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), fc.string({ unit: 'binary' })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const anyForeign = fc
  .record({
    others: fc.dictionary(fc.string(), json, { maxKeys: 4 }),
    preferences: fc.option(fc.dictionary(fc.string(), json, { maxKeys: 3 })),
    extensions: fc.option(fc.dictionary(fc.string(), json, { maxKeys: 3 })),
    indent: fc.constantFrom(undefined, 0, 1, 4, '\t'),
  })
  .map(({ others, preferences, extensions, indent }) => {
    const policies = {
      ...others,
      ...(preferences && { Preferences: preferences }),
      ...(extensions && { '3rdparty': { Extensions: extensions, other: 1 } }),
    };
    return `${JSON.stringify({ policies, beside: others }, null, indent)}\n`;
  });

describe('whatever is there', () => {
  it('stays, value for value, and comes back', () => {
    fc.assert(
      fc.property(anyForeign, fc.constantFrom('c4-d1', 'betterfox', 'firefox-default'), (foreign, id) => {
        const merged = merge(foreign, id, { extensionUrl: 'file:///opt/lab.xpi' });
        const before = JSON.parse(foreign);
        const after = JSON.parse(merged);
        const { Preferences, ExtensionSettings, '3rdparty': thirdParty, ...others } = after.policies;
        const { Preferences: former = {}, ExtensionSettings: __, '3rdparty': formerParty = {}, ...formerOthers } = before.policies;
        expect(others).toEqual(formerOthers);
        expect(after.beside).toEqual(before.beside);
        expect(Preferences).toMatchObject(former);
        expect(thirdParty.Extensions).toMatchObject(formerParty.Extensions ?? {});
        expect(Object.keys(ExtensionSettings)).toContain(ID);
        const back = withoutOurs(merged, ID);
        expect(back.leftAlone).toEqual([]);
        expect(withoutEmpty(JSON.parse(back.text))).toEqual(withoutEmpty(before));
      }),
    );
  });
});

/** Taking out the last member of a policy takes the empty policy with it, which says nothing. */
function withoutEmpty({ policies, beside }: { policies: Record<string, unknown>; beside: unknown }) {
  const { Preferences, '3rdparty': thirdParty, ...others } = policies as Record<string, Record<string, unknown> | undefined>;
  const { Extensions, ...rest } = (thirdParty ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const full = (value: object | undefined) => (value !== undefined && Object.keys(value).length > 0 ? value : undefined);
  return { others, beside, Preferences: full(Preferences), Extensions: full(Extensions), rest: full(rest) };
}

/** Any value at all under any name of the catalogue. */
const anySet = fc.dictionary(
  fc.constantFrom(
    ...CATALOGUE.map(({ preference }) => preference),
    'network.http.max-connections',
    PER_SERVER,
    'network.of.nobody',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom(
      0,
      1,
      -1,
      6,
      1.5,
      Number.NaN,
      2 ** 31,
      2 ** 31 - 1,
      2 ** 32 + 1,
      Number.POSITIVE_INFINITY,
      '6',
      '',
      'true',
      true,
      false,
    ),
    fc.integer({ min: 0, max: 300 }),
    fc.boolean(),
  ),
  { maxKeys: 3 },
);

describe('any set of preferences', () => {
  it('is refused, or written with the type that Firefox holds it in, and never wider than it can', () => {
    const types = new Map(CATALOGUE.map((knob) => [knob.preference, heldType(knob)]));
    let [written, refused] = [0, 0];
    fc.assert(
      fc.property(anySet, (preferences) => {
        let merged: PoliciesJson;
        try {
          const profile: Profile = { id: 'any', title: 'any', connections: undefined, depth: 1, preferences };
          merged = JSON.parse(mergePolicies(FOREIGN, policyDocument(profile, WISH), ID)) as PoliciesJson;
        } catch (error) {
          expect((error as { kind?: string }).kind).toBe('preference-refused');
          refused += 1;
          return;
        }
        const { 'browser.a': _, ...set } = merged.policies.Preferences as Record<string, { Value: unknown; Type: string }>;
        expect(Object.fromEntries(Object.entries(set).map(([name, { Value }]) => [name, Value]))).toEqual({ ...preferences });
        for (const [name, { Value, Type }] of Object.entries(set)) {
          expect([Type, typeof Value]).toEqual([types.get(name), types.get(name)]);
          if (typeof Value === 'number') expect(Value).toBe(Value | 0);
        }
        written += 1;
      }),
      { numRuns: SETS },
    );
    expect(written).toBeGreaterThan(SETS / 20);
    expect(refused).toBeGreaterThan(SETS / 20);
    countBar(15, 'sets refused or written to a policy with their types', written + refused, SETS);
  });
});
