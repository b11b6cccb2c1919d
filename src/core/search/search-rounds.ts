/**
 * A search in Firefox as a conversation: a race between the settings that the simulation left and Firefox's own (`race.ts`), then what each preference of
 * the fastest does. Pure: `tune --search` makes the loads in a real Firefox, the calibration draws them.
 */
import type { CompareOptions } from '../compare/compare-options.ts';
import { compareProfiles } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Comparison, VersusBaseline } from '../compare/comparison.ts';
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { affordableCandidates, type RaceLoads, type RaceOrder, type RaceOutcome, race } from '../experiment/race.ts';
import { FIREFOX_DEFAULT, profileOf } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import { withoutPreference } from './factorial.ts';
import type { Contribution, Proof, SearchAnswer, SearchStep } from './search-record.ts';

/** Loads to be made: every arm once on every page over every link in each of these blocks, Firefox's own settings first among the arms. */
export interface SearchOrder {
  readonly kind: SearchStep['kind'];
  readonly arms: readonly Profile[];
  /** Number of the first block: no two orders share one. */
  readonly firstBlock: number;
  readonly blocks: number;
}

export interface OrderedLoads extends RaceLoads {
  /** How many more can be made in the time that is left. */
  readonly loadsLeft: number;
  /** Why the first of these loads that is excluded is, in words; absent: none is. */
  readonly excludedBecause?: string | undefined;
}

export interface SearchRoundsOptions {
  /** Fastest by prediction first: the last ones are not measured where there are too few loads. */
  readonly candidates: readonly Profile[];
  readonly scenarios: number;
  readonly loads: number;
  /** Speed of settings over Firefox's own as predicted; absent: not modelled. */
  readonly predicted?: (profile: Profile) => number | undefined;
}

export interface SearchOutcome {
  readonly answer: SearchAnswer;
  readonly steps: readonly SearchStep[];
  /** The race that the answer rests on; `undefined`: no load was made. */
  readonly decisive: DecisiveBlocks | undefined;
}

/** Blocks of one comparison with its profiles. */
export interface DecisiveBlocks {
  readonly arms: readonly Profile[];
  readonly blocks: number;
  readonly plannedBlocks: number | undefined;
}

type Rounds<T> = Generator<SearchOrder, T, OrderedLoads>;

/** @throws PlumbfoxError as `compareProfiles` does. */
export function* searchRounds(options: SearchRoundsOptions): Rounds<SearchOutcome> {
  const { candidates, scenarios, loads } = options;
  const affordable = candidates.slice(0, affordableCandidates({ loads, scenarios, candidates: candidates.length }));
  const raced = yield* raceIn([FIREFOX_DEFAULT, ...affordable], options);
  const steps = [raceStep(raced, candidates.slice(affordable.length))];
  const { arms, outcome } = raced;
  const decisive = outcome.blocks === 0 ? undefined : { arms, blocks: outcome.blocks, plannedBlocks: outcome.plannedBlocks };
  const notMeasured = steps.flatMap((step) => step.arms).filter(({ outcome: own }) => own === 'not-measured' || own === 'no-loads');
  const answer = besidesNotMeasured(
    answerOf(raced),
    notMeasured.map(({ profileId }) => profileId),
  );
  if (answer.state !== 'faster') return { answer, steps, decisive };
  const best = arms.find(({ id }) => id === answer.best.profileId) ?? FIREFOX_DEFAULT;
  const found = yield* contributions(best, { options, raced, steps });
  return { answer: { ...answer, contributions: found }, steps, decisive };
}

interface Raced {
  readonly arms: readonly Profile[];
  readonly outcome: RaceOutcome;
  readonly comparison: Comparison;
  readonly loads: readonly ComparableLoad[];
  readonly loadsLeft: number;
  readonly excludedBecause: string | undefined;
}

function* raceIn(arms: readonly Profile[], { scenarios, loads: limit }: SearchRoundsOptions): Rounds<Raced> {
  const loads: ComparableLoad[] = [];
  let loadsLeft = limit;
  let excludedBecause: string | undefined;
  const rounds = race({ profiles: comparedArms(arms), scenarios, limit: { kind: 'loads', loads: limit } });
  const ordered = ({ profileIds, firstBlock, blocks }: RaceOrder): SearchOrder => {
    return { kind: 'race', arms: arms.filter(({ id }) => profileIds.includes(id)), firstBlock, blocks };
  };
  let step = rounds.next();
  while (step.done !== true) {
    const made = yield ordered(step.value);
    loads.push(...made.loads);
    loadsLeft = made.loadsLeft;
    excludedBecause ??= made.excludedBecause;
    step = rounds.next(made);
  }
  const outcome = step.value;
  const comparison = comparedWith(arms, loads, { plannedBlocks: outcome.plannedBlocks });
  return { arms, outcome, comparison, loads, loadsLeft, excludedBecause };
}

function raceStep({ arms, outcome, comparison, loads }: Raced, beyond: readonly Profile[]): SearchStep {
  const droppedAs = new Map(outcome.dropped.map(({ profileId, because }) => [profileId, because]));
  const outcomeOf = (id: string): SearchStep['arms'][number]['outcome'] =>
    ratioOf(comparison, id) === undefined ? 'no-loads' : (droppedAs.get(id) ?? 'kept');
  return {
    kind: 'race',
    blocks: outcome.blocks,
    loads: loads.length,
    arms: [
      ...arms.slice(1).map((arm) => ({ ...named(arm), ...figure('ratio', ratioOf(comparison, arm.id)), outcome: outcomeOf(arm.id) })),
      ...beyond.map((arm) => ({ ...named(arm), outcome: 'not-measured' as const })),
    ],
  };
}

/** Where something was not measured, nothing is known to beat Firefox's own settings, and nothing is known not to. */
function besidesNotMeasured(answer: SearchAnswer, notMeasured: readonly string[]): SearchAnswer {
  if (notMeasured.length === 0) return answer;
  switch (answer.state) {
    case 'nothing-beats':
      return { state: 'undecided', ...(answer.closest !== undefined && { closest: answer.closest }), notMeasured: [...notMeasured] };
    case 'undecided':
    case 'faster':
      return { ...answer, notMeasured: [...notMeasured] };
    case 'no-verdict':
    case 'interrupted':
      return answer;
    default:
      return assertNever(answer);
  }
}

function answerOf({ comparison, arms, outcome, loads, excludedBecause }: Raced): SearchAnswer {
  const proofs = arms.slice(1).map((arm) => proofOf(arm, comparison, loads));
  const bySpeed = proofs.filter(({ ratio }) => ratio !== undefined).toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  const fastest = bySpeed.find(({ verdict }) => verdict === 'better');
  const { state, profileId, sentence } = comparison.recommendation.settingsAlone;
  if (state === 'recommended' && fastest !== undefined) {
    const cheapest = proofs.find((proof) => proof.profileId === profileId) ?? fastest;
    const { bestOf } = comparison.recommendation.settingsAlone;
    return { state: 'faster', best: fastest, cheapest, ...figure('bestOf', bestOf), contributions: [] };
  }
  const [closest] = bySpeed;
  const nearest = closest !== undefined && { closest };
  if (outcome.end === 'interrupted') return { state: 'interrupted', ...nearest };
  if (closest === undefined) return { state: 'no-verdict', reason: whyNothingCompared(excludedBecause) };
  if (state === 'none') return { state: 'no-verdict', reason: sentence };
  const isAhead = (closest.ratio ?? 1) >= 1 + MIN_LEAD;
  if (isAhead && outcome.end !== 'answered') return { state: 'undecided', closest };
  return { state: 'nothing-beats', because: isAhead ? 'not-proven' : 'none-ahead', ...nearest, ...notSeen(comparison) };
}

/** A smaller lead at the end of the time is not worth another search: half of what a verdict asks for. */
const MIN_LEAD = MEANINGFUL_CHANGE / 2;

function whyNothingCompared(excludedBecause: string | undefined): string {
  const why = excludedBecause === undefined ? '' : `: ${excludedBecause}`;
  return `No settings have a load that can be compared with one of Firefox's own${why}.`;
}

/** Which gains may be there and were not seen. */
function notSeen({
  baseline,
  profiles,
}: Comparison): Pick<Extract<SearchAnswer, { readonly state: 'nothing-beats' }>, 'highest' | 'unseenBelow'> {
  const arms = profiles.filter(({ id, versusBaseline }) => id !== baseline && versusBaseline.ratio !== undefined);
  const open = arms.filter(({ versusBaseline: { high } }) => high === undefined || high > 1 + MEANINGFUL_CHANGE);
  return {
    ...figure('highest', largest(arms.map(({ versusBaseline: { high } }) => high))),
    ...figure('unseenBelow', largest(open.map(({ versusBaseline: { detectableChange } }) => detectableChange))),
  };
}

/** `undefined`: one is not known, or there is none. */
function largest(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((each) => each !== undefined);
  return known.length === 0 || known.length < figures.length ? undefined : Math.max(...known);
}

interface Answered {
  readonly options: SearchRoundsOptions;
  readonly raced: Raced;
  /** Gets a step where loads are made. */
  readonly steps: SearchStep[];
}

/** Leaves one preference out at a time, on further blocks, where there are several and there is time. Predictions are there in any case. */
function* contributions(best: Profile, { options, raced, steps }: Answered): Rounds<readonly Contribution[]> {
  const parts = Object.entries(best.preferences).map(([preference, value]) => ({
    preference,
    value,
    without: profileOf({ depth: 1, preferences: withoutPreference(best.preferences, preference) }),
  }));
  const predicted = parts.map(({ preference, value, without }) => ({
    preference,
    value,
    ...figure('predicted', predictedGain(options, best, without)),
  }));
  if (parts.length < 2) return predicted;
  const arms = [best, ...parts.map(({ without }) => without)];
  const perBlock = arms.length * options.scenarios;
  const blocks = Math.min(MAX_CONTRIBUTION_BLOCKS, Math.floor(raced.loadsLeft / perBlock));
  if (raced.outcome.end === 'interrupted' || blocks < MIN_CONTRIBUTION_BLOCKS) return predicted;
  // An even number, as two blocks are one draw.
  const firstBlock = 2 * Math.ceil(raced.outcome.blocks / 2);
  const { loads } = yield { kind: 'contributions', arms, firstBlock, blocks };
  steps.push({
    kind: 'contributions',
    blocks,
    loads: loads.length,
    arms: arms.map((arm) => ({ ...named(arm), outcome: 'kept' as const })),
  });
  return predicted.map((each, at) => {
    const without = parts[at]?.without;
    // The intervals of all parts hold together.
    const method = { plannedBlocks: blocks, alpha: DEFAULT_ALPHA / parts.length };
    const compared = without && comparedWith([without, best], loads, method).profiles.find(({ id }) => id === best.id);
    const { ratio, low, high, pairs = 0 } = compared?.versusBaseline ?? {};
    return ratio === undefined ? each : { ...each, measured: { ratio, ...figure('low', low), ...figure('high', high), pairs } };
  });
}

const MIN_CONTRIBUTION_BLOCKS = 3;
const MAX_CONTRIBUTION_BLOCKS = 8;

function predictedGain({ predicted }: SearchRoundsOptions, best: Profile, without: Profile): number | undefined {
  const [whole, rest] = [predicted?.(best), without.id === BASELINE_ID ? 1 : predicted?.(without)];
  return whole === undefined || rest === undefined ? undefined : whole / rest;
}

/** @param arms - The one that the others are compared with first. */
function comparedWith(
  arms: readonly Profile[],
  loads: readonly ComparableLoad[],
  method: Pick<CompareOptions, 'plannedBlocks' | 'alpha'> = {},
): Comparison {
  const ids = new Set(arms.map(({ id }) => id));
  const own = loads.filter(({ profileId }) => ids.has(profileId));
  return compareProfiles(own, { baseline: arms[0]?.id ?? BASELINE_ID, profiles: comparedArms(arms), ...method });
}

const comparedArms = (arms: readonly Profile[]): readonly ComparedProfile[] =>
  arms.map(({ id, connections, depth, preferences }, at): ComparedProfile => {
    return { id, connections, depth, intended: preferences, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate' };
  });

function proofOf(arm: Profile, { profiles }: Comparison, loads: readonly ComparableLoad[]): Proof {
  const own = profiles.find(({ id }) => id === arm.id);
  const baseline = profiles.find(({ id }) => id === BASELINE_ID);
  const { ratio, low, high, verdict, pairs = 0 } = own?.versusBaseline ?? {};
  return {
    ...named(arm),
    ...figure('ratio', ratio),
    ...figure('low', low),
    ...figure('high', high),
    verdict: verdict === undefined || verdict === 'baseline' ? 'no-verdict' : verdict,
    pairs,
    blocks: new Set(loads.flatMap(({ profileId, block }) => (profileId === arm.id ? [block] : []))).size,
    ...figure('loadTimeMs', own?.loadTimeMs.median),
    ...figure('baselineMs', baseline?.loadTimeMs.median),
  };
}

const named = ({ id, preferences }: Profile) => ({ profileId: id, settings: preferences });

const ratioOf = (comparison: Comparison, id: string): number | undefined => ratedIn(comparison, id)?.ratio;

const ratedIn = ({ profiles }: Comparison, id: string): VersusBaseline | undefined =>
  profiles.find((each) => each.id === id)?.versusBaseline;

const figure = <Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, number>);
