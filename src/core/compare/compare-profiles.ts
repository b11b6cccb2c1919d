/** Profiles compared with a baseline, from loads to verdicts and a recommendation (design: from loads to a recommendation). */
import { PlumbfoxError } from '../errors.ts';
import { blockNoise } from './block-noise.ts';
import type { ComparedProfile } from './compared-profile.ts';
import type { ComparableLoad, Comparison, ControlCheck, VersusBaseline } from './comparison.ts';
import { controlCheck } from './control-check.ts';
import { indexLoads, type LoadIndex } from './load-index.ts';
import { lostLoads } from './lost-loads.ts';
import { pairLoads } from './pair-loads.ts';
import { recommend } from './recommend.ts';
import { type Separation, separate } from './separation.ts';
import { summariseProfile } from './summarise-profile.ts';
import { summariseScenarios } from './summarise-scenarios.ts';
import { DEFAULT_ALPHA } from './thresholds.ts';
import { baselineVerdict, verdictOf } from './verdict.ts';

export interface CompareOptions {
  readonly baseline: string;
  /** The baseline included; in the order in which they are to be shown. */
  readonly profiles: readonly ComparedProfile[];
  /** Chance, over all intervals and all looks, that any of them misses the truth; 0.05 unless said. */
  readonly alpha?: number;
}

/**
 * Blocked by page, link and block: only blocks in which both profiles have a usable load count, and only their log ratio. How
 * much the ratios vary is asked of the pair and of all other profiles of the run (see `blockNoise`, `moderatedVariances`).
 * Every interval holds at every look (see `sequentialTInterval`) and is adjusted for their number by Bonferroni: Holm's
 * steps are more powerful for tests but give no simple intervals.
 *
 * @throws PlumbfoxError bad-input: baseline not among the profiles, a profile twice, two controls, alpha outside (0, 1), or
 *   a load whose figures are not positive and finite.
 */
export function compareProfiles(loads: readonly ComparableLoad[], options: CompareOptions): Comparison {
  checkOptions(options);
  const { baseline, profiles } = options;
  const index = indexLoads(
    loads,
    profiles.map(({ id }) => id),
  );
  const alpha = (options.alpha ?? DEFAULT_ALPHA) / intervalCount(options);
  const noise = blockNoise(index);
  const compare: Compare = (id, against) => separate(pairLoads(index, id, against), { alpha, noise });
  const control = checkControl(options, index, compare);
  const versus = new Map(profiles.map((profile) => [profile.id, versusOf(profile, { options, index, compare, control })]));
  const shownOf = (id: string): VersusBaseline => versus.get(id) ?? baselineVerdict(baseline);
  const summaries = new Map(profiles.map(({ id }) => [id, summariseProfile([...(index.get(id)?.values() ?? [])])]));
  const medianOf = (id: string) => summaries.get(id)?.loadTimeMs.median;
  return {
    baseline,
    profiles: profiles.map(({ id, carrier, role }) => {
      const summary = summaries.get(id) ?? summariseProfile([]);
      return { id, carrier, role, ...summary, versusBaseline: shownOf(id) };
    }),
    scenarios: summariseScenarios(index),
    control,
    recommendation: recommend({
      baseline,
      baselineMedianLoadTimeMs: medianOf(baseline),
      baselineFault: lostLoads(index, baseline),
      candidates: profiles
        .filter(({ id, role }) => id !== baseline && role !== 'control')
        .map((profile) => ({
          profile,
          shown: shownOf(profile.id),
          gain: compare(profile.id, baseline),
          medianLoadTimeMs: medianOf(profile.id),
        })),
      separate: compare,
    }),
  };
}

type Compare = (profileId: string, against: string) => Separation;

interface Context {
  readonly options: CompareOptions;
  readonly index: LoadIndex;
  readonly compare: Compare;
  readonly control: ControlCheck | undefined;
}

/**
 * Intervals a reader may be shown: each profile against the baseline and, because which of the two is shown depends on the
 * data, each gateway profile against the control as well.
 */
function intervalCount({ baseline, profiles }: CompareOptions): number {
  const others = profiles.filter(({ id }) => id !== baseline);
  const hasControl = others.some(({ role }) => role === 'control');
  const againstControl = hasControl ? others.filter(needsGateway).length : 0;
  return Math.max(1, others.length + againstControl);
}

function needsGateway({ carrier, role }: ComparedProfile): boolean {
  return carrier === 'gateway' && role !== 'control';
}

function checkControl({ baseline, profiles }: CompareOptions, index: LoadIndex, compare: Compare): ControlCheck | undefined {
  const control = profiles.find(({ role }) => role === 'control');
  if (control === undefined) return undefined;
  const fault = lostLoads(index, control.id) ?? lostLoads(index, baseline);
  return controlCheck({ controlId: control.id, baselineId: baseline, separation: compare(control.id, baseline), fault });
}

function versusOf(profile: ComparedProfile, { options, index, compare, control }: Context): VersusBaseline {
  const { baseline } = options;
  if (profile.id === baseline) return baselineVerdict(baseline);
  const against = control?.used && needsGateway(profile) ? control.profileId : baseline;
  const fault = lostLoads(index, profile.id) ?? lostLoads(index, against) ?? controlFault(profile, index, control);
  return verdictOf({ profileId: profile.id, against, separation: compare(profile.id, against), fault });
}

function controlFault(profile: ComparedProfile, index: LoadIndex, control: ControlCheck | undefined): string | undefined {
  if (control === undefined || !needsGateway(profile) || (index.get(profile.id)?.size ?? 0) === 0) return undefined;
  const lost = lostLoads(index, control.profileId);
  if (lost !== undefined) return lost;
  return control.ratio === undefined ? `the gateway's own cost is not known, as ${control.profileId} has no pair of loads yet` : undefined;
}

function checkOptions({ baseline, profiles, alpha = DEFAULT_ALPHA }: CompareOptions): void {
  const ids = profiles.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new PlumbfoxError('bad-input', `Profile ${twice} is named twice in one comparison`);
  if (!ids.includes(baseline))
    throw new PlumbfoxError('bad-input', `The baseline ${baseline} is not among the profiles: ${ids.join(', ')}`);
  if (profiles.filter(({ role }) => role === 'control').length > 1) {
    throw new PlumbfoxError('bad-input', 'A comparison has one control at most');
  }
  if (!(alpha > 0 && alpha < 1)) throw new PlumbfoxError('bad-input', `alpha is a chance in (0, 1), not ${alpha}`);
}
