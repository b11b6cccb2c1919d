/** The loads of a trial as they are judged. */
import { expect, test } from 'vitest';
import { trialLoads } from '../../../src/background/trial-loads.ts';
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import { loadSummary } from '../../../src/core/field/load-summary.ts';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import { entry, mainEvent, originOf, PAGE, pageTiming } from '../../support/observation-builders.ts';

const mark = (slot: number, profileId: string) => ({ trialId: 't', block: 0, slot, profileId, position: 1, washout: false });

const applied = (profileId: string) =>
  ({ profileId, applier: 'experiment-api', carrier: 'none', intended: {}, readBack: [], mismatches: [] }) as const;

/** A page that is its document alone, there after `tookMs`. */
function placed(slot: number, profileId: string, tookMs: number): MarkedPageLoad {
  const timing = pageTiming([], { navigation: entry(PAGE, 1, 1 + tookMs, { initiatorType: 'navigation' }) });
  const load = joinPageLoad(timing, [mainEvent('started', '1', 1), mainEvent('completed', '1', 1 + tookMs)], {
    applied: undefined,
    originOf,
  });
  return { ...load, trial: { mark: mark(slot, profileId) } };
}

test('a load that had not ended when its time was up enters at that time', async () => {
  const late = placed(0, 'firefox-default', 3_000);
  const {
    loads: [load, other],
  } = await trialLoads(
    [
      { ...late, observation: { ...late.observation, ended: 'time-limit' } },
      { ...placed(1, 'firefox-default', 3_000), observation: { ...late.observation, ended: 'page-left' } },
    ],
    'firefox-default',
  );
  expect(load).toMatchObject({ valid: true, loadTimeMs: 60_000, atBound: true });
  expect(other).toMatchObject({ loadTimeMs: undefined, efficiency: undefined });
});

/** The document came over this version. */
function over(version: 'http/1.1' | 'http/2', load: MarkedPageLoad): MarkedPageLoad {
  const requests = load.requests.map((request) => ({ ...request, wire: { ...request.wire, fromCache: false, httpVersion: version } }));
  return { ...load, requests };
}

const without = (load: MarkedPageLoad): MarkedPageLoad => ({ ...load, requests: load.requests.map(({ wire: _, ...request }) => request) });

test('a page has the protocol of its loads under the baseline, whatever a profile made of it', async () => {
  const { loads } = await trialLoads(
    [over('http/2', placed(0, 'firefox-default', 300)), over('http/1.1', { ...placed(1, 'c8-d1', 300), applied: applied('c8-d1') })],
    'firefox-default',
  );
  expect(loads.map(({ profileId, protocol }) => [profileId, protocol])).toEqual([
    ['firefox-default', 'http/2'],
    ['c8-d1', 'http/2'],
  ]);
});

test('a page keeps the protocol that the first draws of a trial gave it', async () => {
  const loads = [over('http/2', placed(0, 'firefox-default', 300)), over('http/1.1', placed(6, 'firefox-default', 300))];
  const protocols = async (protocolsUntilSlot?: number) =>
    (await trialLoads(loads, 'firefox-default', { protocolsUntilSlot })).loads.map(({ protocol }) => protocol);
  expect(await protocols(6)).toEqual(['http/2', 'http/2']);
  expect(await protocols()).toEqual(['mixed', 'mixed']);
});

test('a page without a load under the baseline has the protocol of its others, and one that never tells has none', async () => {
  const { loads } = await trialLoads([over('http/2', { ...placed(1, 'c8-d1', 300), applied: applied('c8-d1') })], 'firefox-default');
  expect(loads[0]?.protocol).toBe('http/2');
  const { loads: silent } = await trialLoads([without(placed(0, 'firefox-default', 300))], 'firefox-default');
  expect(silent[0]?.protocol).toBeUndefined();
});

test('a page that came from a cache within a step of the clock does not stop the judgement of the others', async () => {
  const { loads } = await trialLoads([placed(0, 'firefox-default', 0), placed(1, 'firefox-default', 50)], 'firefox-default');
  expect(loads.map(({ loadTimeMs }) => loadTimeMs)).toEqual([undefined, 50]);
  expect(compareProfiles(loads, { baseline: 'firefox-default' }).profiles.map((profile) => profile.loads)).toEqual([2]);
});

test('complete loads of the same pages from before the trial say what their pages take', async () => {
  const figures = loadSummary(placed(0, 'firefox-default', 300));
  const start = figures.startedAt;
  const { trial: _, ...before } = { ...figures, startedAt: start - 1000, rttMs: 50, downKbps: 10_000 };
  const elsewhere = { ...before, page: before.page + 1 };
  const others = [elsewhere, { ...before, startedAt: start + 1 }, { ...before, standing: 'cut-short' as const }, figures];
  const trial = [{ ...placed(0, 'firefox-default', 300) }, placed(1, 'c8-d1', 250)];
  const { loads, earlier } = await trialLoads(trial, 'firefox-default', { before: [...others, before] });
  expect(loads).toHaveLength(2);
  expect(earlier).toHaveLength(1);
  expect(earlier[0]).toMatchObject({ page: loads[0]?.page, valid: true, loadTimeMs: before.loadTimeMs });
  expect(earlier[0]?.block).toBeLessThan(0);
});
