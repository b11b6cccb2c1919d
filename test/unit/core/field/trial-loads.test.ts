/** The summaries of a trial's loads say what the whole loads say, as long as these are kept. */
import { expect, it } from 'vitest';
import { trialLoads } from '../../../../src/background/trial-loads.ts';
import { loadSummary } from '../../../../src/core/field/load-summary.ts';
import { comparableTrialLoads, placedFigures } from '../../../../src/core/field/trial-loads.ts';
import { joinPageLoad } from '../../../../src/core/measure/join-page-load.ts';
import { armOfSlot, blockOfSlot } from '../../../../src/core/trial/assignment.ts';
import type { MarkedPageLoad } from '../../../../src/core/trial/trial-mark.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { entry, mainEvent, originOf, PAGE, pageTiming } from '../../../support/observation-builders.ts';
import { planOf } from '../trial/trial-driver.ts';

const plan = planOf();

/** The load of a slot that began as `position` there, after all before it. */
function placed(slot: number, position: number, more: Partial<MarkedPageLoad> = {}): MarkedPageLoad {
  const timing = pageTiming([], { navigation: entry(PAGE, 1, 300, { initiatorType: 'navigation' }) });
  const load = joinPageLoad(timing, [mainEvent('started', '1', 1), mainEvent('completed', '1', 300)], { applied: undefined, originOf });
  const profileId = armOfSlot(plan, slot);
  const applied = { profileId, applier: 'experiment-api', carrier: 'none', intended: {}, readBack: [], mismatches: [] } as const;
  const mark = { trialId: plan.id, block: blockOfSlot(plan, slot), slot, profileId, position, washout: position === 0 };
  return { ...load, startedAt: milliseconds(1_000 * (10 * slot + position)), applied, trial: { mark }, ...more };
}

it('takes them for the same loads', async () => {
  const late = placed(1, 2);
  const loads = [
    placed(0, 0),
    placed(0, 1),
    placed(1, 0),
    placed(1, 1, { applied: { ...placed(0, 1).applied, mismatches: ['a.preference'] } as MarkedPageLoad['applied'] }),
    { ...late, observation: { ...late.observation, ended: 'time-limit' as const } },
    placed(2, 0),
    placed(2, 1),
  ];
  const excluded = { ...placed(2, 2), trial: { mark: placed(2, 2).trial?.mark as never, void: 'a pause came in between' } };
  const whole = await trialLoads([...loads, excluded], plan.baseline);
  const summarised = comparableTrialLoads(placedFigures(plan, [...loads, excluded].map(loadSummary)), plan.baseline);
  expect(whole.loads).toHaveLength(loads.length);
  expect(summarised).toEqual(whole);
});
