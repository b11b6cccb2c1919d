/**
 * A search in Firefox as a conversation: it orders loads, is given them, and ends with an answer. Halving chooses, and what it chose is compared with
 * Firefox's own settings on blocks that chose nothing, by the same rule as every other comparison. Pure: `tune --search` makes the loads in a real
 * Firefox, the calibration draws them.
 */
import { type CompareOptions, compareProfiles } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Comparison, VersusBaseline } from '../compare/comparison.ts';
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { compareCost } from '../profiles/compare-cost.ts';
import { FIREFOX_DEFAULT, profileOf } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import { withoutPreference } from './factorial.ts';
import { affordableArms, confirmationBlocks, halve, isTimeFor, keptToConfirm, MIN_BLOCKS_EACH, MIN_LEAD, roundBlocks } from './halving.ts';
import type { Contribution, Proof, SearchAnswer, SearchStep } from './search-record.ts';

/** Loads to be made: every arm once on every page over every link in each of these blocks, Firefox's own settings first among the arms. */
export interface SearchOrder {
  readonly kind: SearchStep['kind'];
  readonly arms: readonly Profile[];
  /** Number of the first block: no two orders share one. */
  readonly firstBlock: number;
  readonly blocks: number;
}

export interface OrderedLoads {
  readonly loads: readonly ComparableLoad[];
  /** How many more can be made in the time that is left. */
  readonly loadsLeft: number;
  /** The person has ended the search: nothing further is ordered. */
  readonly interrupted: boolean;
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
  /** The blocks that the answer rests on: the confirmation where there was one, else all rounds. */
  readonly decisive: DecisiveBlocks | undefined;
}

/** Blocks of one comparison with its profiles; `plannedBlocks` was known before its first load. */
export interface DecisiveBlocks {
  readonly arms: readonly Profile[];
  readonly firstBlock: number;
  readonly blocks: number;
  readonly plannedBlocks: number | undefined;
}

type Rounds<T> = Generator<SearchOrder, T, OrderedLoads>;

/** @throws PlumbfoxError as `compareProfiles` does. */
export function* searchRounds(options: SearchRoundsOptions): Rounds<SearchOutcome> {
  const state = new SearchState(options);
  const chosen = yield* halving(state);
  if (state.interrupted) return state.outcome({ state: 'interrupted' });
  if (chosen === 'nothing-compared') return state.outcome({ state: 'no-verdict', reason: state.whyNothingCompared() });
  if (chosen === undefined)
    return state.outcome(besidesNotMeasured({ state: 'nothing-beats', because: 'none-ahead', ...state.notSeen() }, state.notMeasured));
  const confirmed = yield* confirmation(state, chosen);
  const answered = answerOf(confirmed, state.interrupted);
  const seen = answered.state === 'nothing-beats' ? { ...answered, ...state.notSeen() } : answered;
  const answer = besidesNotMeasured(seen, state.notMeasured);
  if (answer.state !== 'faster') return state.outcome(answer);
  return state.outcome({ ...answer, contributions: yield* contributions(state, profileNamed(confirmed.arms, answer.best.profileId)) });
}

class SearchState {
  readonly options: SearchRoundsOptions;
  readonly steps: SearchStep[] = [];
  decisive: DecisiveBlocks | undefined;
  block = 0;
  loadsLeft: number;
  interrupted = false;
  #excludedBecause: string | undefined;
  /** The last comparison that each arm was in. */
  readonly #versus = new Map<string, VersusBaseline>();

  constructor(options: SearchRoundsOptions) {
    this.options = options;
    this.loadsLeft = options.loads;
  }

  get budget() {
    return { loads: this.loadsLeft, scenarios: this.options.scenarios };
  }

  /** Orders the loads of some blocks, and notes what is left. */
  *order(kind: SearchStep['kind'], arms: readonly Profile[], blocks: number): Rounds<readonly ComparableLoad[]> {
    const made = yield { kind, arms, firstBlock: this.block, blocks };
    this.block += blocks;
    this.loadsLeft = made.loadsLeft;
    this.interrupted = made.interrupted;
    this.#excludedBecause ??= made.excludedBecause;
    return made.loads;
  }

  whyNothingCompared(): string {
    const why = this.#excludedBecause === undefined ? '' : `: ${this.#excludedBecause}`;
    return `No settings have a load that can be compared with one of Firefox's own${why}.`;
  }

  compared({ baseline, profiles }: Comparison): void {
    for (const { id, versusBaseline } of profiles) if (id !== baseline) this.#versus.set(id, versusBaseline);
  }

  /** Which gains may be there and were not seen. */
  notSeen(): Pick<Extract<SearchAnswer, { readonly state: 'nothing-beats' }>, 'highest' | 'unseenBelow'> {
    const arms = [...this.#versus.values()].filter(({ ratio }) => ratio !== undefined);
    const open = arms.filter(({ high }) => high === undefined || high > 1 + MEANINGFUL_CHANGE);
    return {
      ...figure('highest', largest(arms.map(({ high }) => high))),
      ...figure('unseenBelow', largest(open.map(({ detectableChange }) => detectableChange))),
    };
  }

  /** Ids of candidates without a load that counts. */
  get notMeasured(): readonly string[] {
    const arms = this.steps.flatMap((step) => step.arms);
    return arms.filter(({ outcome }) => outcome === 'not-measured' || outcome === 'no-loads').map(({ profileId }) => profileId);
  }

  outcome(answer: SearchAnswer): SearchOutcome {
    return { answer, steps: this.steps, decisive: this.decisive };
  }
}

/** `undefined`: one is not known, or there is none. */
function largest(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((each) => each !== undefined);
  return known.length === 0 || known.length < figures.length ? undefined : Math.max(...known);
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

interface Chosen {
  readonly best: Profile;
  /** Cheaper, and within 3 % of the best so far; absent: there is none. */
  readonly cheaper: Profile | undefined;
}

/** @returns `undefined` where nothing is ahead. */
function* halving(state: SearchState): Rounds<Chosen | 'nothing-compared' | undefined> {
  const kept = keptToConfirm(state.budget);
  const affordable = affordableArms(state.budget);
  let arms = state.options.candidates.slice(0, affordable);
  const beyond = state.options.candidates.slice(affordable);
  const loads: ComparableLoad[] = [];
  const ratios = new Map<string, number>();
  const firstArms = [FIREFOX_DEFAULT, ...arms];
  const firstBlock = state.block;
  let isFirst = true;
  while (arms.length > 0 && !state.interrupted) {
    const blocks = roundBlocks(arms.length, state.budget, kept);
    if (!isFirst && !isTimeFor(blocks, arms.length + 1, state.budget)) break;
    const measured = [FIREFOX_DEFAULT, ...arms];
    const made = yield* state.order('halving', measured, blocks);
    loads.push(...made);
    state.decisive = { arms: firstArms, firstBlock, blocks: state.block - firstBlock, plannedBlocks: undefined };
    const comparison = comparedWith(measured, loads);
    state.compared(comparison);
    const rated = arms.map(({ id }) => ({ id, ...ratedIn(comparison, id) }));
    const outcomes = halve(rated);
    for (const { id, ratio } of rated) if (ratio !== undefined) ratios.set(id, ratio);
    state.steps.push({
      kind: 'halving',
      blocks,
      loads: made.length,
      arms: [
        ...arms.map((arm) => ({
          ...named(arm),
          ...figure('ratio', ratioOf(comparison, arm.id)),
          outcome: outcomes.get(arm.id) ?? 'no-loads',
        })),
        ...(isFirst ? beyond.map((arm) => ({ ...named(arm), outcome: 'not-measured' as const })) : []),
      ],
    });
    const hasLead = ![...outcomes.values()].includes('open');
    const isLast = hasLead && arms.length <= 2 && !isFirst;
    arms = arms.filter(({ id }) => ['kept', 'open'].includes(outcomes.get(id) ?? 'no-loads'));
    isFirst = false;
    if (isLast || (hasLead && arms.length <= 1)) break;
    // What is kept for a confirmation is not spent on what is not ahead.
    if (!hasLead && !isTimeFor(MIN_BLOCKS_EACH, arms.length + 1, { ...state.budget, loads: state.loadsLeft - kept })) break;
  }
  if (ratios.size === 0) return 'nothing-compared';
  const [best] = arms.toSorted((a, b) => (ratios.get(b.id) ?? 0) - (ratios.get(a.id) ?? 0));
  const lead = best && ratios.get(best.id);
  if (best === undefined || lead === undefined || lead < 1 + MIN_LEAD) return undefined;
  return { best, cheaper: cheaperThan(best, { lead, ratios, among: state.options.candidates }) };
}

interface Rated {
  readonly lead: number;
  readonly ratios: ReadonlyMap<string, number>;
  readonly among: readonly Profile[];
}

function cheaperThan(best: Profile, { lead, ratios, among }: Rated): Profile | undefined {
  return among
    .filter((profile) => (ratios.get(profile.id) ?? 0) >= lead * (1 - MEANINGFUL_CHANGE) && costOrder(profile, best) < 0)
    .toSorted(costOrder)[0];
}

/** The order is that of `compareCost`; of equally cheap ones the one that sets less goes first. */
const costOrder = (a: Profile, b: Profile): number =>
  compareCost(a, b) || Object.keys(a.preferences).length - Object.keys(b.preferences).length;

interface Confirmed {
  readonly arms: readonly Profile[];
  readonly best: Profile;
  readonly comparison: Comparison;
  readonly blocks: number;
}

/** Ends as soon as every arm has its verdict or there is no time for another block, at the latest with the planned block. */
function* confirmation(state: SearchState, { best, cheaper }: Chosen): Rounds<Confirmed> {
  const arms = [FIREFOX_DEFAULT, best, ...(cheaper === undefined ? [] : [cheaper])];
  const plannedBlocks = confirmationBlocks(arms.length - 1, state.budget);
  const loads: ComparableLoad[] = [];
  const firstBlock = state.block;
  let blocks = 0;
  let comparison = comparedWith(arms, loads, { plannedBlocks });
  while (blocks < plannedBlocks && !state.interrupted && !isSettled(comparison) && isTimeFor(1, arms.length, state.budget)) {
    loads.push(...(yield* state.order('confirmation', arms, 1)));
    blocks += 1;
    comparison = comparedWith(arms, loads, { plannedBlocks });
  }
  if (blocks === 0) return { arms, best, comparison, blocks };
  state.compared(comparison);
  state.decisive = { arms, firstBlock, blocks, plannedBlocks };
  state.steps.push({
    kind: 'confirmation',
    blocks,
    loads: loads.length,
    arms: arms.slice(1).map((arm) => ({ ...named(arm), ...figure('ratio', ratioOf(comparison, arm.id)), outcome: 'kept' as const })),
  });
  return { arms, best, comparison, blocks };
}

/** Every arm has its verdict, and of several that are faster it is known which: the recommended one is the fastest. */
function isSettled({ profiles, recommendation }: Comparison): boolean {
  if (profiles.some(({ versusBaseline: { verdict } }) => verdict === 'need-more-loads' || verdict === 'no-verdict')) return false;
  const faster = profiles.filter(({ versusBaseline: { verdict } }) => verdict === 'better');
  const fastest = Math.max(...faster.map(({ versusBaseline }) => versusBaseline.ratio ?? 0));
  return faster.every(({ id, versusBaseline }) => versusBaseline.ratio !== fastest || recommendation.profileId === id);
}

function answerOf({ comparison, arms, best, blocks }: Confirmed, interrupted: boolean): SearchAnswer {
  const proofs = arms.slice(1).map((arm) => proofOf(arm, comparison, blocks));
  const { state, profileId, sentence } = comparison.recommendation.settingsAlone;
  const proven = proofs.filter(({ verdict }) => verdict === 'better').sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  const [fastest] = proven;
  const closest = proofs.find((proof) => proof.profileId === best.id);
  if (state === 'recommended' && fastest !== undefined) {
    return {
      state: 'faster',
      best: fastest,
      cheapest: proven.find((proof) => proof.profileId === profileId) ?? fastest,
      contributions: [],
    };
  }
  if (interrupted) return { state: 'interrupted', ...(closest !== undefined && { closest }) };
  if (blocks === 0 && closest !== undefined) return { state: 'undecided', closest };
  if (state === 'none' || closest === undefined) return { state: 'no-verdict', reason: sentence };
  if (state === 'keep-baseline') return { state: 'nothing-beats', because: 'not-confirmed', closest };
  return { state: 'undecided', closest };
}

/** Leaves one preference out at a time, on further blocks, where there are several and there is time. Predictions are there in any case. */
function* contributions(state: SearchState, best: Profile): Rounds<readonly Contribution[]> {
  const parts = Object.entries(best.preferences).map(([preference, value]) => ({
    preference,
    value,
    without: profileOf({ depth: 1, preferences: withoutPreference(best.preferences, preference) }),
  }));
  const predicted = parts.map(({ preference, value, without }) => ({
    preference,
    value,
    ...figure('predicted', predictedGain(state, best, without)),
  }));
  if (parts.length < 2) return predicted;
  const arms = [best, ...parts.map(({ without }) => without)];
  const perBlock = arms.length * state.options.scenarios;
  const blocks = Math.min(MAX_CONTRIBUTION_BLOCKS, Math.floor(state.loadsLeft / perBlock));
  if (state.interrupted || blocks < MIN_CONTRIBUTION_BLOCKS) return predicted;
  const loads = yield* state.order('contributions', arms, blocks);
  state.steps.push({
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

function predictedGain({ options: { predicted } }: SearchState, best: Profile, without: Profile): number | undefined {
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
  const profiles = arms.map(({ id, connections, depth, preferences }, at): ComparedProfile => {
    return { id, connections, depth, intended: preferences, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate' };
  });
  const own = loads.filter(({ profileId }) => ids.has(profileId));
  return compareProfiles(own, { baseline: profiles[0]?.id ?? BASELINE_ID, profiles, ...method });
}

function proofOf(arm: Profile, { profiles }: Comparison, blocks: number): Proof {
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
    blocks,
    ...figure('loadTimeMs', own?.loadTimeMs.median),
    ...figure('baselineMs', baseline?.loadTimeMs.median),
  };
}

const named = ({ id, preferences }: Profile) => ({ profileId: id, settings: preferences });

const ratioOf = (comparison: Comparison, id: string): number | undefined => ratedIn(comparison, id)?.ratio;

const ratedIn = ({ profiles }: Comparison, id: string): VersusBaseline | undefined =>
  profiles.find((each) => each.id === id)?.versusBaseline;

const profileNamed = (arms: readonly Profile[], id: string): Profile => arms.find((arm) => arm.id === id) ?? FIREFOX_DEFAULT;

const figure = <Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, number>);
