/** The loads of a trial as they are judged. */
import { expect, test } from 'vitest';
import { trialLoads } from '../../../src/background/trial-loads.ts';
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import type { PageLoad } from '../../../src/core/measure/page-load.ts';
import { entry, mainEvent, originOf, PAGE, pageTiming } from '../../support/observation-builders.ts';

const mark = (slot: number, profileId: string) => ({ trialId: 't', block: 0, slot, profileId, position: 1, washout: false });

/** A page that is its document alone, there after `tookMs`. */
function placed(slot: number, profileId: string, tookMs: number): PageLoad {
  const timing = pageTiming([], { navigation: entry(PAGE, 1, 1 + tookMs, { initiatorType: 'navigation' }) });
  const load = joinPageLoad(timing, [mainEvent('started', '1', 1), mainEvent('completed', '1', 1 + tookMs)], {
    applied: undefined,
    originOf,
  });
  return { ...load, trial: { mark: mark(slot, profileId) } };
}

test('a load that had not ended when its time was up enters at that time', async () => {
  const late = placed(0, 'firefox-default', 3_000);
  const [load, other] = await trialLoads([
    { ...late, observation: { ...late.observation, ended: 'time-limit' } },
    { ...placed(1, 'firefox-default', 3_000), observation: { ...late.observation, ended: 'page-left' } },
  ]);
  expect(load).toMatchObject({ valid: true, loadTimeMs: 60_000, atBound: true });
  expect(other).toMatchObject({ loadTimeMs: undefined, efficiency: undefined });
});

test('a page that came from a cache within a step of the clock does not stop the judgement of the others', async () => {
  const loads = await trialLoads([placed(0, 'firefox-default', 0), placed(1, 'firefox-default', 50)]);
  expect(loads.map(({ loadTimeMs }) => loadTimeMs)).toEqual([undefined, 50]);
  expect(compareProfiles(loads, { baseline: 'firefox-default' }).profiles.map((profile) => profile.loads)).toEqual([2]);
});
