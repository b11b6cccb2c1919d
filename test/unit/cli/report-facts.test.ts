import { expect, test } from 'vitest';
import { provenance, type RunFacts } from '../../../src/cli/report-facts.ts';
import { labPreferences } from '../../../src/lab/firefox/lab-preferences.ts';

const RUN: RunFacts = {
  options: { seed: 5 },
  opened: { notes: ['a note'], lane: { congestionControl: 'cubic' } },
  facts: {
    browser: {
      name: 'Firefox',
      version: '153.7.0',
      buildId: '20260101000000',
      os: 'Linux',
      architecture: 'x86_64',
      experimentApi: true,
      policies: 'inactive',
    },
    applier: 'experiment-api',
    untouched: [],
  },
  start: {},
};

test('the report lists every preference that was set for every profile, those of the real network too', () => {
  expect(provenance(RUN).labPreferences).toEqual(labPreferences());
  const cacheOff = { 'browser.cache.disk.enable': false };
  expect(provenance({ ...RUN, start: { preferences: cacheOff } }).labPreferences).toEqual({ ...labPreferences(), ...cacheOff });
});

test('it says who switched profiles, and so in words where it was not the extension', () => {
  expect(provenance(RUN)).toMatchObject({ applier: 'experiment-api', seed: 5, congestionControl: 'cubic', notes: ['a note'] });
  const byDriver = provenance({ ...RUN, facts: { ...RUN.facts, applier: 'driver' } });
  expect(byDriver).toMatchObject({ applier: 'driver', notes: ['a note', expect.stringContaining('refuses Experiments')] });
});
