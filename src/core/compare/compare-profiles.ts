import { adjustedEstimate } from './adjusted-estimate.ts';
import { adjustedFit, loadColumns } from './adjusted-fit.ts';
import { BLOCKS_PER_DRAW, drawOf } from './block-order.ts';
import { compareByProtocol, type DescribedLoads, type JudgedLoads } from './by-protocol.ts';
import { type BlindSpread, blindSpread, type CommonFinding, commonEffect } from './common-effect.ts';
import { type CompareOptions, checkOptions, methodOf, needsGateway, type Options, profilesOf, ruleOf } from './compare-options.ts';
import type { ComparableLoad, ComparedProfile, Comparison, ComparisonMethod, SetAside, VersusBaseline } from './comparison.ts';
import { formatRecommendation } from './format-recommendation.ts';
import { formatBaseline, formatControl, formatNotPooled, formatVersus } from './format-verdict.ts';
import type { IntervalRule } from './interval-rule.ts';
import { indexLoads, type LoadIndex } from './load-index.ts';
import { slowerPages } from './page-harm.ts';
import { pagePenalty } from './page-penalty.ts';
import { orSameByCommon, type PaintFinding, type PaintOutcome, paintLoads } from './paint-effect.ts';
import {
  type BlockNoise,
  blockNoise,
  clockStepMs,
  type EffectEstimate,
  type PairedRatios,
  pairedEstimate,
  pairLoads,
  typicalTimes,
} from './paired-estimate.ts';
import { type Candidate, type RecommendationInput, recommend, setsTheSame } from './recommend.ts';
import { type Separation, separate } from './separation.ts';
import { describedLoads, summariseProfile } from './summaries.ts';
import {
  type ControlFinding,
  controlFinding,
  lostLoads,
  setAside,
  unequalLosses,
  type VerdictFault,
  type VerdictFinding,
  verdictOf,
} from './verdict.ts';

/**
 * Paired: only pages, links and blocks in which both profiles have a usable load count, by their log ratio. How much the ratios vary is
 * estimated from the pair and from all other profiles of the run (see `blockNoise`, `moderatedVariances`). Adjusted: see `adjustedFit`.
 * Every interval holds at every look (see `sequentialTCritical`) unless there is only one, and is adjusted for their number by Bonferroni:
 * Holm's steps are more powerful for tests but give no simple intervals. Loads of several protocols are never pooled (`compareByProtocol`).
 *
 * @throws PlumbfoxError bad-input: baseline not among the profiles, a profile twice, two controls, alpha outside (0, 1), or
 *   a load whose figures are not positive and finite, or whose block is not finite.
 */
export function compareProfiles(loads: readonly ComparableLoad[], given: CompareOptions): Comparison {
  const options: Options = { ...given, profiles: given.profiles ?? profilesOf(loads, given.baseline) };
  checkOptions(options);
  return compareByProtocol(loads, options, { whole: compareTogether, described: describeTogether, judged: judgeTogether });
}

/** What a trial and a race decide by: every candidate, and the one recommended. */
export interface JudgedCandidates {
  readonly candidates: readonly Candidate[];
  readonly recommended: Candidate | undefined;
  readonly control: ControlFinding | undefined;
}

/** The findings of `compareProfiles`, without its sentences. @param loads of one protocol. @throws PlumbfoxError as `compareProfiles`. */
export function judgeCandidates(loads: readonly ComparableLoad[], options: Options): JudgedCandidates {
  checkOptions(options);
  const { control, input } = weigh(loads, options);
  const { overall } = recommend(input);
  const recommended = overall.state === 'recommended' ? overall.chosen : undefined;
  return { candidates: input.candidates, recommended, control };
}

function compareTogether(loads: readonly ComparableLoad[], options: Options): Comparison {
  const weighed = weigh(loads, options);
  const { method, profiles, control, recommendation } = judgedLoads(weighed, options);
  return { ...describedLoads(weighed, { method, profiles }, options), control, recommendation };
}

/** The verdicts, without what describes single pages. */
function judgeTogether(loads: readonly ComparableLoad[], options: Options): JudgedLoads {
  return judgedLoads(weigh(loads, options), options);
}

/** What describes the loads, without verdicts: those are of each protocol. */
function describeTogether(loads: readonly ComparableLoad[], options: Options): DescribedLoads {
  const { baseline } = options;
  const gauged = gauge(loads, options);
  const againstOf = comparedWith(gauged.control, baseline);
  const profiles = profileFigures(gauged, options, (profile) => formatNotPooled(againstOf(profile)));
  return describedLoads(gauged, { method: gauged.method, profiles }, options);
}

function judgedLoads(weighed: ReturnType<typeof weigh>, options: Options): JudgedLoads {
  const { method, control, versus, input } = weighed;
  const { baseline } = options;
  return {
    method,
    profiles: profileFigures(weighed, options, ({ id }) => {
      const found = versus.get(id);
      return found ? formatVersus(found) : formatBaseline(baseline);
    }),
    control: control && formatControl(control),
    recommendation: formatRecommendation(recommend(input), baseline),
  };
}

function profileFigures(
  { index, aside, faultOf }: Pick<Gauged, 'index' | 'aside' | 'faultOf'>,
  { baseline, profiles }: Options,
  versusOthers: (profile: ComparedProfile) => VersusBaseline,
): Comparison['profiles'] {
  // Where the baseline cannot be used at all nothing is compared, and each has its own figures.
  const asideForAll = faultOf(baseline) === undefined ? aside.filter(({ profileId }) => profileId === baseline) : [];
  return profiles.map((profile) => {
    const { id, carrier, role } = profile;
    const versusBaseline = id === baseline ? formatBaseline(baseline) : versusOthers(profile);
    return { id, carrier, role, ...summariseProfile(index, id, asideForAll), versusBaseline };
  });
}

type Gauged = ReturnType<typeof gauge>;

/** What comparisons rest on; each is made when it is needed. */
function gauge(loads: readonly ComparableLoad[], options: Options) {
  const { baseline, profiles } = options;
  const index = indexLoads(
    loads,
    profiles.map(({ id }) => id),
  );
  const method = methodOf(loads, options);
  const rule = ruleOf(options, index, method);
  const blocksPerDraw = loads.some(({ drawnAlone }) => drawnAlone) ? 1 : BLOCKS_PER_DRAW;
  const pairs = method.estimate === 'paired' ? indexPairs(index, blocksPerDraw) : undefined;
  const compare = comparer(loads, { options, index, rule, pairs });
  const paints = once(() => paintComparers(loads, { options, method, rule, blocksPerDraw }));
  const paintsOf = (id: string, against: string) =>
    paints().map(({ outcome, comparison }): PaintFinding => ({ outcome, separation: comparison(id, against) }));
  const slowerPagesOf = (id: string) =>
    pairs === undefined ? [] : slowerPages(pairs.of(id, baseline), { index, profileId: id, noise: pairs.noise(), alpha: method.alpha });
  const isUnrandomised = options.turns === 'as-they-came';
  const everyPage = method.estimate === 'paired' && !isUnrandomised;
  const faultOf = (id: string) => lostLoads(index, id, { everyPage }) ?? (isUnrandomised && id !== baseline ? UNRANDOMISED : undefined);
  const aside = setAside(index, { everyPage });
  const unequal = (id: string, against: string) => (everyPage && id !== against ? unequalLosses(index, id, against) : undefined);
  const control = checkControl(options, { compare, faultOf, unequal });
  const common = (id: string, against: string) =>
    pairs && commonEffect(pairs.of(id, against), { profileId: id, noise: pairs.noise(), blind: pairs.blind(), rule });
  return { index, method, compare, paintsOf, slowerPagesOf, faultOf, unequal, common, aside, control };
}

function weigh(loads: readonly ComparableLoad[], options: Options) {
  const { baseline, profiles } = options;
  const gauged = gauge(loads, options);
  const { index, method, compare, paintsOf, slowerPagesOf, faultOf, unequal } = gauged;
  const context: Context = { options, ...gauged };
  const versus = new Map(profiles.filter(({ id }) => id !== baseline).map((profile) => [profile.id, versusOf(profile, context)]));
  const pairsOnly = method.estimate === 'paired';
  const own = profiles.find(({ id }) => id === baseline);
  const input: RecommendationInput = {
    baseline,
    isBaseline: (profile) => own !== undefined && setsTheSame(profile, own),
    baselineFault: faultOf(baseline),
    candidates: profiles.flatMap((profile) => {
      const shown = profile.role === 'control' ? undefined : versus.get(profile.id);
      if (shown === undefined) return [];
      const times = typicalTimes(index, { profileId: profile.id, against: baseline, pairsOnly });
      const harm = { paints: paintsOf(profile.id, baseline), slowerPages: slowerPagesOf(profile.id) };
      return [{ profile, shown, gain: compare(profile.id, baseline), times, ...harm }];
    }),
    separate: (id, against) => held(compare(id, against), unequal(id, against)),
  };
  return { ...gauged, versus, input };
}

const UNRANDOMISED: VerdictFault = { kind: 'unrandomised' };

type Compare = (profileId: string, against: string) => Separation;

/** Every pair is compared once, however often it is requested. */
function comparer(
  loads: readonly ComparableLoad[],
  {
    options,
    index,
    rule,
    pairs,
  }: { readonly options: Options; readonly index: LoadIndex; readonly rule: IntervalRule; readonly pairs: RunPairs | undefined },
): Compare {
  const estimate =
    pairs === undefined
      ? adjustedEstimates(loads, options, index)
      : (id: string, against: string) => pairedEstimate(pairs.of(id, against), pairs.noise());
  const known = new Map<string, Map<string, Separation>>(options.profiles.map(({ id }) => [id, new Map()]));
  return (id, against) => {
    const found = known.get(id)?.get(against) ?? separate(estimate(id, against), rule);
    known.get(id)?.set(against, found);
    return found;
  };
}

/** Each paint in the place of the load time. A profile whose loads lack it more often than the other's has no finding. */
function paintComparers(
  loads: readonly ComparableLoad[],
  {
    options,
    method,
    rule,
    blocksPerDraw,
  }: { readonly options: Options; readonly method: ComparisonMethod; readonly rule: IntervalRule; readonly blocksPerDraw: number },
): readonly { readonly outcome: PaintOutcome; readonly comparison: Compare }[] {
  return paintLoads(loads).map(({ outcome, loads: painted }) => {
    const index = indexLoads(
      painted,
      options.profiles.map(({ id }) => id),
    );
    const pairs = method.estimate === 'paired' ? indexPairs(index, blocksPerDraw) : undefined;
    const compare = comparer(painted, { options, index, rule, pairs });
    const common = (id: string, against: string) =>
      pairs && commonEffect(pairs.of(id, against), { profileId: id, noise: pairs.noise(), blind: pairs.blind(), rule });
    return {
      outcome,
      comparison: (id, against) =>
        held(
          orSameByCommon(compare(id, against), () => common(id, against)),
          unequalLosses(index, id, against),
        ),
    };
  });
}

type Estimates = (profileId: string, against: string) => EffectEstimate;

/** What every paired estimate of a run rests on. */
interface RunPairs {
  readonly of: (profileId: string, against: string) => PairedRatios;
  readonly noise: () => BlockNoise;
  readonly blind: () => BlindSpread;
}

function indexPairs(index: LoadIndex, blocksPerDraw: number): RunPairs {
  const clock = once(() => clockStepMs(index));
  const of = (profileId: string, against: string) => pairLoads(index, { profileId, against, clockStepMs: clock(), blocksPerDraw });
  return { of, noise: once(() => blockNoise(index)), blind: once(() => blindSpread(index)) };
}

/** Made with the first call: of everyday loads by the hundred thousand, not all is needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function adjustedEstimates(loads: readonly ComparableLoad[], { profiles, earlier }: Options, index: LoadIndex): Estimates {
  const ids = profiles.map(({ id }) => id);
  const columns = loadColumns(loads, ids, earlier);
  const fit = adjustedFit(columns, ids.length, pagePenalty(columns));
  return (id, against) => ({
    ...adjustedEstimate(fit, columns, { profile: ids.indexOf(id), against: ids.indexOf(against) }),
    tried: sharedDraws(index, id, against),
  });
}

/** Draws in which both profiles have a load of any page, usable or not. */
function sharedDraws(index: LoadIndex, id: string, against: string): number {
  const [own, others] = [id, against].map(
    (of) => new Set([...(index.get(of)?.values() ?? [])].flatMap(({ triedBlocks }) => triedBlocks.map(drawOf))),
  );
  return own === undefined || others === undefined ? 0 : [...own].filter((draw) => others.has(draw)).length;
}

interface Context {
  readonly options: Options;
  readonly index: LoadIndex;
  readonly compare: Compare;
  readonly paintsOf: (profileId: string, against: string) => readonly PaintFinding[];
  /** A check of the profile's loads that failed; then there is no verdict. */
  readonly faultOf: (profileId: string) => VerdictFault | undefined;
  /** Two profiles lost so different shares of their loads that neither can be compared with the other. */
  readonly unequal: (profileId: string, against: string) => VerdictFault | undefined;
  /** `undefined`: not estimated. */
  readonly common: (profileId: string, against: string) => CommonFinding | undefined;
  readonly aside: readonly SetAside[];
  readonly control: ControlFinding | undefined;
}

/** The profile that another is compared with. */
const comparedWith =
  (control: ControlFinding | undefined, baseline: string) =>
  (profile: ComparedProfile): string =>
    control?.used && needsGateway(profile) ? control.controlId : baseline;

function checkControl(
  { baseline, profiles }: Options,
  { compare, faultOf, unequal }: Pick<Context, 'compare' | 'faultOf' | 'unequal'>,
): ControlFinding | undefined {
  const control = profiles.find(({ role }) => role === 'control');
  if (control === undefined) return undefined;
  const fault = faultOf(control.id) ?? faultOf(baseline) ?? unequal(control.id, baseline);
  return controlFinding({ controlId: control.id, baselineId: baseline, separation: compare(control.id, baseline), fault });
}

function versusOf(profile: ComparedProfile, context: Context): VerdictFinding {
  const { options, compare, paintsOf, faultOf, unequal, control } = context;
  const { baseline } = options;
  const against = comparedWith(control, baseline)(profile);
  // What a person gains is always against the baseline, whatever the profile is shown against.
  const lost = unequal(profile.id, against) ?? unequal(profile.id, baseline);
  const fault = faultOf(profile.id) ?? faultOf(against) ?? lost ?? controlFault(profile, context);
  const without = context.aside.filter(({ profileId }) => profileId === profile.id || profileId === against);
  const [common, paints] = fault === undefined ? [context.common(profile.id, against), paintsOf(profile.id, against)] : [];
  return verdictOf({ profileId: profile.id, against, separation: compare(profile.id, against), fault, without, common, paints });
}

/** Undecided where what the two profiles lost may be what makes the difference. */
const held = (separation: Separation, fault: VerdictFault | undefined): Separation =>
  fault === undefined ? separation : { ...separation, finding: 'undecided' };

function controlFault(profile: ComparedProfile, { options, index, faultOf, unequal, control }: Context): VerdictFault | undefined {
  if (control === undefined || !needsGateway(profile) || (index.get(profile.id)?.size ?? 0) === 0) return undefined;
  const lost = faultOf(control.controlId) ?? unequal(control.controlId, options.baseline);
  if (lost !== undefined) return lost;
  return control.separation.ratio === undefined ? { kind: 'gateway-cost-not-known', controlId: control.controlId } : undefined;
}
