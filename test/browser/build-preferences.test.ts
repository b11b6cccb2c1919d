/** What a build of Firefox is read for: default values, and whether a name occurs in its files. Held against a real one. */
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../src/core/profiles/catalogue.ts';
import { readBuildNames } from '../../src/lab/firefox/build-preferences.ts';
import { findFirefox } from '../../src/lab/firefox/find-firefox.ts';

/** Left without a default value by the build, and read by name: AddonManager.sys.mjs, the coverage ping. */
const HIDDEN = ['extensions.enabledScopes', 'toolkit.coverage.opt-out'];
/** Gone since Firefox 54, or misspelt, as lists of tweaks have them; the second begins a longer name. */
const DEAD = ['network.http.pipelining', 'network.http.max-persistent', 'network.http.pipelining.maxrequrests'];

it('tells preferences with a default value from hidden and dead ones, among 200 names', async () => {
  const found = await findFirefox();
  if (found === undefined) throw new Error('No Firefox was found');
  const knobs = CATALOGUE.map(({ preference }) => preference);
  const nonsense = Array.from(
    { length: 200 - knobs.length - HIDDEN.length - DEAD.length },
    (_, index) => `network.nonsense.number-${index}`,
  );
  const names = [...knobs, ...HIDDEN, ...DEAD, ...nonsense];
  expect(names).toHaveLength(200);
  const build = await readBuildNames(found.path, names);
  expect(build.names.map(({ name }) => name)).toEqual(names);
  expect(build.version).toMatch(/^\d+\.\d/);
  const of = new Map(build.names.map((one) => [one.name, one]));
  // Whatever has a default value stands somewhere by itself.
  expect(build.names.filter(({ type, occurs }) => type !== 'none' && occurs !== 'whole')).toEqual([]);
  expect(HIDDEN.map((name) => of.get(name))).toEqual(HIDDEN.map((name) => ({ name, type: 'none', occurs: 'whole' })));
  expect(DEAD.map((name) => of.get(name)?.occurs)).toEqual(['nowhere', 'part', 'nowhere']);
  expect(nonsense.filter((name) => of.get(name)?.occurs !== 'nowhere')).toEqual([]);
  expect(of.get('network.http.pacing.requests.min-parallelism')).toMatchObject({ type: 'integer', value: 6 });
  expect(of.get('network.http.focused_window_transaction_ratio')).toMatchObject({ type: 'string', value: '0.9' });
});
