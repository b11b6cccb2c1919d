/** The loads of a trial as its judgement reads them: their place, whether they can be used, and how efficient they were. */
import { estimateLink } from '../core/measure/estimate-link.ts';
import { isMeasurable, measureLoad } from '../core/measure/measure-load.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import type { TrialLoad } from '../core/trial/trial-load.ts';
import { FIELD_LINK } from './field-loads.ts';

/** Loads that are measured before others get their turn in this process, the popup's clicks among them. Our own choice: some 10 ms. */
const AT_ONCE = 25;

/** Void loads are left out: they are not of the trial. */
export async function trialLoads(loads: readonly PageLoad[]): Promise<readonly TrialLoad[]> {
  const link = estimateLink(loads);
  const result: TrialLoad[] = [];
  for (const [at, load] of loads.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((done) => setTimeout(done));
    const { trial } = load;
    if (trial === undefined || trial.void !== undefined) continue;
    const inEffect = wasInEffect(load, trial.mark.profileId);
    const measures = isMeasurable(load) ? measureLoad(load, { link }) : undefined;
    result.push({
      mark: trial.mark,
      startedAt: load.startedAt,
      inEffect,
      profileId: trial.mark.profileId,
      page: load.url.split('#', 1)[0] ?? load.url,
      link: FIELD_LINK,
      block: trial.mark.block,
      slot: trial.mark.slot,
      valid: inEffect && measures !== undefined,
      efficiency: measures?.efficiency,
      loadTimeMs: measures?.loadTimeMs,
    });
  }
  return result;
}

/** As it was read back when the load began. Without anything applied by Plumbfox or a policy it is Firefox as it ships. */
function wasInEffect({ applied }: PageLoad, profileId: string): boolean {
  return (applied?.profileId ?? BASELINE_ID) === profileId && (applied?.mismatches.length ?? 0) === 0;
}
