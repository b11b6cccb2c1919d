/** The catalogue, the Experiment's allow-list made from it, and the measuring browser's own preferences. */
import { expect, it } from 'vitest';
import { ROUTE_BOUNDS } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { READ_VERSIONS } from '../../src/core/profiles/knob.ts';
import { CONFOUNDERS } from '../../src/core/profiles/reference/confounders.ts';
import { EFFECTS } from '../../src/core/profiles/reference/effects.ts';
import { NARROWED_BOUNDS } from '../../src/core/profiles/reference/narrowed-bounds.ts';
import { SOURCES } from '../../src/core/profiles/reference/sources.ts';
import { referenceOf } from '../../src/core/profiles/reference.ts';
import { LAB_DEVIATIONS } from '../../src/core/report/lab-deviations.ts';
import {
  LAB_PREFERENCES,
  labPreferences,
  NAMED_SERVER_PREFERENCES,
  SECURE_SERVER_PREFERENCES,
} from '../../src/lab/firefox/lab-preferences.ts';
import { QUIET_PREFERENCES } from '../support/firefox-process.ts';
import { BUILDS_MODULE, buildFixtures, buildsModule, majorOf } from './support/builds-module.ts';
import { builtText } from './support/built.ts';
import { textOf } from './support/source-tree.ts';

const knobs = CATALOGUE.map(({ preference }) => preference);

it('has every preference once', () => {
  expect(new Set(knobs).size).toBe(knobs.length);
});

it.each(CATALOGUE)('$preference says what it does and where that is known from', ({ preference }) => {
  const { source, effect, confoundedBy } = referenceOf(preference) ?? expect.fail('nothing is said of it');
  // A URL, a bug, or a file of the Firefox tree.
  expect(source).toMatch(/https?:\/\/|bug \d+|\.(cpp|h|js|yaml|mjs)\b/);
  expect(effect).toMatch(/^[A-Z].{20,}\.$/s);
  for (const { why } of confoundedBy) expect(why).toMatch(/\.$/);
});

it('says nothing of preferences that it does not have, in its order', () => {
  expect(Object.keys(EFFECTS)).toEqual(knobs);
  expect(Object.keys(SOURCES)).toEqual(knobs);
  for (const some of [NARROWED_BOUNDS, CONFOUNDERS]) expect(Object.keys(some)).toEqual(knobs.filter((knob) => knob in some));
});

/** The Firefox whose defaults the catalogue has. */
const NEWEST_READ = 153;

it('has what was read out of builds of Firefox (repair: npm run read-preferences)', () => {
  const fixtures = buildFixtures();
  expect(fixtures.map(({ version }) => majorOf(version))).toEqual([...READ_VERSIONS]);
  expect(textOf(BUILDS_MODULE)).toBe(buildsModule(knobs, fixtures));
  for (const { catalogue, defaults } of fixtures) {
    // Nothing is left of a name that the catalogue has no more, and both ways of reading agree.
    expect(Object.keys(catalogue)).toEqual(knobs);
    for (const [name, read] of Object.entries(catalogue)) {
      if (/^(network|security)\./.test(name)) expect([name, read.default]).toEqual([name, defaults[name]]);
      if (read.default !== undefined) expect([name, read.occurs]).toEqual([name, 'whole']);
    }
  }
});

it('names each preference differently, for versions that exist', () => {
  expect(new Set(CATALOGUE.map(({ label }) => label)).size).toBe(CATALOGUE.length);
  const versions = CATALOGUE.flatMap(({ versions: { since, until } }) => [since, until]).filter((version) => version !== undefined);
  expect(versions.filter((version) => version > NEWEST_READ)).toEqual([]);
});

it('has the bounds of the clamp that the source names, or says why not', () => {
  const clamped = CATALOGUE.flatMap(({ preference, bounds }) => {
    const { source = '', whyBounds } = referenceOf(preference) ?? {};
    const [, min, max] = /\(clamp (\d+)\.\.(\d+)\)/.exec(source) ?? [];
    return min === undefined || max === undefined || whyBounds !== undefined
      ? []
      : [
          [
            preference,
            bounds,
            { type: 'integer', min: Number(min), max: Number(max), clamp: { min: Number(min), max: Number(max), beyond: 'nearest' } },
          ] as const,
        ];
  });
  expect(clamped.length).toBeGreaterThan(10);
  for (const [preference, bounds, clamp] of clamped) expect([preference, bounds]).toEqual([preference, clamp]);
});

it('the lab build may set the catalogue and the route, by the same bounds, and nothing else', () => {
  const script = builtText('extension-lab/experiment-api/network-preferences/api.js');
  const [, list] = /\bALLOWED=(\{(?:"[^"]+":\{[^{}]*\},?)+\})/.exec(script) ?? [];
  const bounds = CATALOGUE.filter(({ appliers }) => appliers.includes('experiment-api')).map((knob) => [
    knob.preference,
    knob.bounds.type === 'boolean' ? { type: 'boolean' } : { type: knob.bounds.type, min: knob.bounds.min, max: knob.bounds.max },
  ]);
  expect(JSON.parse(list ?? 'null')).toEqual({ ...Object.fromEntries(bounds), ...ROUTE_BOUNDS });
});

it('no preference of the measuring browser is a knob, or a route', () => {
  // Nothing answers DNS over HTTPS in a lane, unless a profile says otherwise.
  const set = [...LAB_PREFERENCES.map(({ preference }) => preference), ...Object.keys(QUIET_PREFERENCES)].filter(
    (preference) => preference !== 'network.trr.mode',
  );
  expect(set.length).toBeGreaterThan(10);
  expect(set.filter((preference) => knobs.includes(preference) || Object.hasOwn(ROUTE_BOUNDS, preference))).toEqual([]);
});

it('says of the lab only what it sets', () => {
  const set = [...LAB_PREFERENCES, ...SECURE_SERVER_PREFERENCES, ...NAMED_SERVER_PREFERENCES];
  for (const { preference, value } of LAB_DEVIATIONS) expect(set).toContainEqual(expect.objectContaining({ preference, value }));
  expect(Object.keys(labPreferences(['http3', 'negotiated'])).toSorted()).toEqual(
    [...new Set(set.map(({ preference }) => preference))].toSorted(),
  );
});
