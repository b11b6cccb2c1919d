/** The check whether lanes disturb each other: the reference alone, and again beside the others at work. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { bodyBytes } from '../pages/page-recipe.ts';
import { interferenceVerdict, stepsFrom } from './interference.ts';
import type { BusyLanes, LaneRun, LaneScheduler } from './lane-scheduler.ts';
import { openedAnew, reasonOf } from './lane-work.ts';
import { longerText, movedText } from './run-notes.ts';
import type { StudyLane } from './study-lane.ts';
import type { InterferenceLine } from './study-log.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';
import { LOAD_OVERHEAD_MS } from './work-left.ts';

export interface Reference {
  readonly cell: ReferenceCell;
  /** Load times of each profile with no lane beside, ms. */
  readonly alone: readonly (readonly number[])[];
  /** Numbers of lanes that may be tried (`stepsFrom`). */
  readonly steps: number;
}

/**
 * Loads of each profile alone, and beside the others: where loads vary by 1 %, lanes that do not disturb each other pass in
 * 85 % of searches at the first step of 8 lanes (simulated, `test/calibration/lanes-check.test.ts`).
 */
export const ROUNDS_ALONE = 16;
export const ROUNDS_BESIDE = 16;
/** With fewer loads of a profile there is no verdict. */
const MIN_ROUNDS = 12;

/** Likely time of the loads beside the others. */
export function checkMs({ block, profiles }: ReferenceCell, plan: StudyPlan): number {
  const expected = expectedLoadMs(block, plan.profiles);
  return ROUNDS_BESIDE * profiles.reduce((sum, id) => sum + (expected.get(id) ?? 0) + LOAD_OVERHEAD_MS, 0);
}

/** @returns without `reference` where there is none even in a lane opened again: then one lane goes on. @throws where that does not start. */
export async function measureAlone(
  run: Pick<LaneRun, 'interrupted' | 'notify' | 'reopen'>,
  first: StudyLane,
  { cell, lanes }: { readonly cell: ReferenceCell; readonly lanes: number },
): Promise<{ readonly lane: StudyLane; readonly reference?: Reference }> {
  const recovery = { ...run, stopped: run.interrupted };
  let lane = first;
  for (let tries = 1; !run.interrupted(); tries++) {
    try {
      const { times } = await referenceTimes(lane, cell, { rounds: ROUNDS_ALONE, from: 0, lanes: 1, stopped: run.interrupted });
      if (isEnough(times)) return { lane, reference: { cell, alone: times, steps: stepsFrom(lanes) } };
      if (!run.interrupted()) run.notify('How long loads take alone is unknown, because all were excluded: one lane continues');
      return { lane };
    } catch (error) {
      if (run.interrupted()) return { lane };
      run.notify(`How long loads take alone could not be measured${tries > 1 ? ', one lane continues' : ''}: ${reasonOf(error)}`);
    }
    if (tries > 1) break;
    const again = await openedAnew(recovery, lane, 1);
    if (!again && !run.interrupted()) throw noneLeft();
    lane = again?.lane ?? lane;
  }
  return { lane };
}

const isEnough = (times: ReferenceTimes['times']): boolean => times.every(({ length }) => length >= MIN_ROUNDS);

export const noneLeft = () => new PlumbfoxError('environment', 'Every lane broke too often: see above what became of each');

interface CheckOrder {
  readonly lane: StudyLane;
  readonly reference: Reference;
}

/**
 * Measures the reference beside the others, and writes the verdict.
 * @returns the lane, another than at first where it broke; `undefined`: it was given up.
 */
export async function checkLanes(run: LaneRun, work: LaneScheduler, { lane, reference }: CheckOrder): Promise<StudyLane | undefined> {
  const { cell } = reference;
  const { lanes } = work;
  // Numbers go on from those of the loads alone, and from those of a check with more lanes.
  const from = ROUNDS_FOR_ONE * (ROUNDS_ALONE + (1000 - lanes) * ROUNDS_BESIDE);
  const place = { session: run.session, lanes, page: cell.block.page.name, link: cell.block.link.name };
  let measured: ReferenceTimes;
  try {
    measured = await referenceTimes(lane, cell, { rounds: ROUNDS_BESIDE, from, lanes, stopped: work.stopped, others: work.atWork });
  } catch (error) {
    if (work.stopped()) return lane;
    // What comes to no end beside the others proves nothing: then too many lanes are at work.
    run.notify(`Whether ${lanes} lanes disturb each other could not be measured: ${reasonOf(error)}`);
    work.onInterference({ ...place, profiles: [], ok: false });
    return (await openedAnew({ ...run, stopped: run.interrupted }, lane, 1))?.lane;
  }
  if (work.stopped()) return lane;
  const { line, text } = verdictOf(measured, { reference, lanes });
  run.notify(text);
  work.onInterference({ ...place, ...line });
  return lane;
}

type Verdict = Pick<InterferenceLine, 'profiles' | 'longer' | 'ratioMoves' | 'ok' | 'notMeasured'>;

function verdictOf(
  { times, rounds }: ReferenceTimes,
  { reference, lanes }: { readonly reference: Reference; readonly lanes: number },
): { readonly line: Verdict; readonly text: string } {
  const profiles = reference.cell.profiles.map((profileId, index) => ({
    profileId,
    aloneMs: [...(reference.alone[index] ?? [])],
    besideMs: [...(times[index] ?? [])],
  }));
  const unknown = `Whether ${lanes} lanes disturb each other could not be measured`;
  if (rounds < MIN_ROUNDS)
    return { line: { profiles, ok: false, notMeasured: true }, text: `${unknown}: not all of them were at work for long enough` };
  const verdict = isEnough(times) ? interferenceVerdict(profiles, reference.steps) : undefined;
  if (!verdict) return { line: { profiles, ok: false }, text: `${unknown}: the loads for it were excluded` };
  const figures = `a load takes ${longerText(verdict.longer)}, the ratio of the profiles moves ${movedText(verdict.ratioMoves)}`;
  return {
    line: { profiles, ...verdict },
    text: `${lanes} lanes side by side: ${figures}${verdict.ok ? '' : ', which is too much, or too uncertain'}`,
  };
}

/**
 * The cell that shows whether lanes disturb each other: the largest page over the quickest link of the study, which asks most of the
 * processors, and has least time of its own for a delay to hide in.
 */
export interface ReferenceCell {
  readonly block: StudyBlock;
  /** The baseline, and the profile that is likely the quickest there. */
  readonly profiles: readonly [string, string];
}

/** `undefined` where the plan has fewer than two profiles, or nothing to do. */
export function referenceCell({ blocks, profiles }: StudyPlan, baseline: string): ReferenceCell | undefined {
  const [hardest] = blocks.toSorted(
    (a, b) =>
      bodyBytes(b.page.recipe) - bodyBytes(a.page.recipe) ||
      b.link.downKbps - a.link.downKbps ||
      a.link.rttMs - b.link.rttMs ||
      a.repeat - b.repeat,
  );
  const other = hardest && [...expectedLoadMs(hardest, profiles)].filter(([id]) => id !== baseline).sort((a, b) => a[1] - b[1])[0]?.[0];
  return hardest && other !== undefined ? { block: hardest, profiles: [baseline, other] } : undefined;
}

/** Addresses that no load of the plan has: orders from here on. */
const REFERENCE_ORDERS = 1_000_000;

/** Rounds that are measured, at most, for each that is wanted: excluded loads, and rounds that were not beside all others, do not count. */
const ROUNDS_FOR_ONE = 2;

interface ReferenceOrder {
  readonly rounds: number;
  /** Number of the first round, so that no load has an address that was used before. */
  readonly from: number;
  readonly lanes: number;
  readonly stopped: () => boolean;
  /** Those at work beside it; absent: it is alone. */
  readonly others?: Pick<BusyLanes, 'all' | 'lapses'>;
}

interface ReferenceTimes {
  /** Load times of each profile, ms, without excluded loads. */
  readonly times: readonly (readonly number[])[];
  /** Rounds from beginning to end of which all others were at work. */
  readonly rounds: number;
}

/** Load times of each profile, in turns. @throws PlumbfoxError when a load comes to no end, or the lane broke. */
async function referenceTimes(lane: StudyLane, cell: ReferenceCell, order: ReferenceOrder): Promise<ReferenceTimes> {
  const { rounds: wanted, others, stopped } = order;
  await lane.use(cell.block.link);
  const times: readonly number[][] = cell.profiles.map(() => []);
  let rounds = 0;
  for (let round = 0; round < wanted * ROUNDS_FOR_ONE && times.some(({ length }) => length < wanted); round++) {
    if (others && !(await others.all())) break;
    const lapses = others?.lapses();
    const made = await oneRound(lane, cell, { ...order, round });
    if (stopped()) break;
    if (others?.lapses() !== lapses) continue;
    rounds += 1;
    for (const [index, ms] of made.entries()) if (ms !== undefined) times[index]?.push(ms);
  }
  return { times, rounds };
}

/** `undefined`: that load was excluded, or not begun. */
async function oneRound(
  lane: StudyLane,
  { block, profiles }: ReferenceCell,
  { from, round, lanes, stopped }: ReferenceOrder & { readonly round: number },
): Promise<readonly (number | undefined)[]> {
  const made: (number | undefined)[] = [];
  for (const [index, profileId] of profiles.entries()) {
    if (stopped()) break;
    const order = REFERENCE_ORDERS + (from + round) * profiles.length + index;
    // The same weather alone and beside the others, round by round.
    const planned: PlannedLoad = { page: block.page.name, link: block.link.name, profileId, block: round, order };
    const { load } = await lane.load({ page: block.page, link: block.link, planned, attempt: 0, lanes });
    made.push(load.validity.state === 'valid' ? load.measures?.loadTimeMs : undefined);
  }
  return made;
}
