import { expect, test } from 'vitest';
import { type MeasuredRun, provenance } from '../../../../src/cli/tune/report.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { provenanceNotes } from '../../../../src/core/report/lab-deviations.ts';
import { labPreferences } from '../../../../src/lab/firefox/lab-preferences.ts';
import type { LinkSpec } from '../../../../src/lab/link/link-spec.ts';
import { watchMachineLoad } from '../../../../src/lab/run/machine-load.ts';

const FAR: LinkSpec = { name: 'far-2m', rttMs: 300, downKbps: 2000, upKbps: 384, queue: 1000 };

const RUN: MeasuredRun = {
  options: { seed: 5, profiles: [], links: [FAR], servedBy: 'embedded', command: ['--pages', 'wiki'] },
  plannedBlocks: 3,
  opened: { notes: ['a note'], lane: { kind: 'packet', congestionControl: 'cubic' } },
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
  machine: { recorded: () => ({ atStart: 0.4, most: 1.9, processors: 2 }) },
};

test('it says that the gateway met every site for the first time, where a profile went through it', () => {
  const of = (id: string) => provenance({ ...RUN, options: { ...RUN.options, profiles: resolveProfiles([id]) } });
  expect(of('c4-d6').gateway).toBe('first-visit');
  expect(provenanceNotes(of('c4-d6'))).toContain(
    'Through the gateway: first visits, where the first 8 responses of a site come one at a time on each connection.',
  );
  expect(of('c8-d1').gateway).toBeUndefined();
});

test('the report lists every preference that was set for every profile, those of the real network too', () => {
  expect(provenance(RUN).labPreferences).toEqual(labPreferences());
  const cacheOff = { 'browser.cache.disk.enable': false };
  expect(provenance({ ...RUN, start: { preferences: cacheOff } }).labPreferences).toEqual({ ...labPreferences(), ...cacheOff });
});

test.each([
  ['embedded', undefined, 5],
  ['nginx', undefined, 5],
  ['https', false, 5],
  ['http3', false, 5],
  ['negotiated', false, 3],
] as const)('served by %s, it lists what that lane sets besides', (servedBy, thirdPartyRoots, trrMode) => {
  const { labPreferences: set } = provenance({ ...RUN, options: { ...RUN.options, servedBy } });
  expect(set?.['network.http.http3.disable_when_third_party_roots_found']).toBe(thirdPartyRoots);
  expect(set?.['network.trr.mode']).toBe(trrMode);
});

test('it says who switched profiles, and so in words where it was not the extension', () => {
  expect(provenance(RUN)).toMatchObject({ applier: 'experiment-api', seed: 5, congestionControl: 'cubic', notes: ['a note'] });
  const byDriver = provenance({ ...RUN, facts: { ...RUN.facts, applier: 'driver' } });
  expect(byDriver).toMatchObject({ applier: 'driver', notes: ['a note', expect.stringContaining('refuses Experiments')] });
});

const withLinks = (links: readonly LinkSpec[], congestionControl: 'reno' | 'cubic' | undefined) =>
  provenance({ ...RUN, options: { ...RUN.options, links }, opened: { notes: [], lane: { kind: 'packet', congestionControl } } });

test('it names what the links sent with, each once, and nothing where nothing was emulated packet by packet', () => {
  expect(withLinks([{ ...FAR, congestionControl: 'bbr' }, FAR, FAR], 'cubic').congestionControl).toBe('cubic, bbr');
  expect(withLinks([{ ...FAR, congestionControl: 'reno' }], 'cubic')).toMatchObject({ congestionControl: 'reno', notes: [] });
  expect(withLinks([FAR], undefined)).not.toHaveProperty('congestionControl');
});

test('a kernel without CUBIC is named where a link was to send with it', () => {
  expect(withLinks([FAR], 'reno')).toMatchObject({
    congestionControl: 'reno',
    notes: ['This kernel has no CUBIC: servers sent with Reno.'],
  });
});

test.each([
  ['packet', 'by-block'],
  ['relay', 'by-block'],
  ['real', undefined],
] as const)('over the %s lane it says how weather was drawn: %s', (kind, weather) => {
  const made = provenance({
    ...RUN,
    options: { ...RUN.options, links: [{ ...FAR, jitterMs: 5 }] },
    opened: { notes: [], lane: { kind, congestionControl: kind === 'packet' ? 'cubic' : undefined } },
  });
  expect(made.weather).toBe(weather);
  expect(provenance(RUN)).not.toHaveProperty('weather');
});

test('it holds what measures the same again, and how busy the machine was', () => {
  expect(provenance(RUN)).toMatchObject({ command: ['--pages', 'wiki'], machineLoad: { atStart: 0.4, most: 1.9, processors: 2 } });
  expect(provenance({ ...RUN, options: { ...RUN.options, command: undefined } })).not.toHaveProperty('command');
});

test('the load of the machine is the one at the start and the highest of all readings', () => {
  const averages = [0.41, 1.2, 3.456, 2];
  const machine = watchMachineLoad(() => averages.shift() ?? 0);
  for (let load = 0; load < 3; load++) machine.read();
  expect(machine.recorded()).toMatchObject({ atStart: 0.41, most: 3.46 });
});
