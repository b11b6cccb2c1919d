/** One profile's own figures: loads, efficiency over scenarios, median load time. */
import { positiveLog } from '../stats/log-ratio.ts';
import { median } from '../stats/median.ts';
import { stratifiedMean } from '../stats/stratified-mean.ts';
import { studentTQuantile } from '../stats/student-t.ts';
import type { ProfileComparison } from './comparison.ts';
import type { ScenarioLoads } from './load-index.ts';

/** Of the efficiency interval of one profile; it describes and decides nothing, so it is not adjusted for looks. */
const TWO_SIDED_95 = 0.975;

/** What describes a profile by itself, without the others. */
export type ProfileSummary = Pick<ProfileComparison, 'loads' | 'voidLoads' | 'efficiency' | 'loadTimeMs'>;

/**
 * Efficiency: geometric mean over scenarios of the geometric mean within each; its interval is Student's t on the logs with
 * the spread pooled within scenarios and N - S degrees of freedom.
 */
export function summariseProfile(scenarios: readonly ScenarioLoads[]): ProfileSummary {
  const total = (count: (scenario: ScenarioLoads) => number) => scenarios.reduce((sum, scenario) => sum + count(scenario), 0);
  return {
    loads: total((scenario) => scenario.valid),
    voidLoads: total((scenario) => scenario.void),
    efficiency: efficiencyOf(scenarios.map(({ logEfficiencies }) => logEfficiencies)),
    loadTimeMs: { median: typicalLoadTime(scenarios) },
  };
}

/**
 * Geometric mean over scenarios of the median in each. The median of all loads together would jump from one page to another
 * with a single lost load.
 */
function typicalLoadTime(scenarios: readonly ScenarioLoads[]): number | undefined {
  const medians = scenarios.map(({ loadTimesMs }) => median(loadTimesMs)).filter((time) => time !== undefined);
  const summary = stratifiedMean(medians.map((time) => [positiveLog(time)]));
  return summary && Math.exp(summary.mean);
}

function efficiencyOf(samples: readonly (readonly number[])[]): ProfileComparison['efficiency'] {
  const summary = stratifiedMean(samples);
  if (summary === undefined) return { estimate: undefined, low: undefined, high: undefined };
  const estimate = Math.exp(summary.mean);
  const { pooled } = summary;
  if (pooled === undefined) return { estimate, low: undefined, high: undefined };
  const t = studentTQuantile(TWO_SIDED_95, pooled.degreesOfFreedom);
  const half = (t * pooled.standardDeviation) / Math.sqrt(summary.effectiveCount);
  return { estimate, low: Math.exp(summary.mean - half), high: Math.exp(summary.mean + half) };
}
