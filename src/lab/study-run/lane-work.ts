/** A lane at work on a study: takes blocks until none is left, tries excluded loads again, reopens when it breaks. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { isSettled, type VoidFinding, voided, voidReason } from '../../core/report/validity.ts';
import { congestionControlOf } from '../link/link-spec.ts';
import { NoAnswer } from '../process/rpc.ts';
import type { StudyLoad } from '../studies/study.ts';

import type { LaneWork } from './lane-scheduler.ts';
import { intended, type MadeLoad, type StudyLane } from './study-lane.ts';
import type { LoadLine } from './study-log.ts';
import { cellKey, type StudyBlock } from './study-plan.ts';
import { profilesToControl } from './work-left.ts';

/** A load excluded for a cause that cannot depend on its time is made again, at the end of its block. */
const MAX_TRIES = 3;
/** A lane that breaks more often is given up. */
const MAX_OPENINGS = 6;

interface Waiting {
  readonly planned: PlannedLoad;
  /** From 0. */
  readonly attempt: number;
}

/** Settles when the queue is empty, or stopped. @returns the lane, which may be another than at first; `undefined`: it was given up. */
export async function workThrough(work: LaneWork, first: StudyLane): Promise<StudyLane | undefined> {
  let lane = first;
  let openings = 1;
  for (let block = work.stopped() ? undefined : work.queue.take(lane.number); block; block = nextBlock(work, lane)) {
    const left = await doBlock(work, lane, block);
    if (left.length === 0 || work.stopped()) continue;
    work.atWork.breaks(lane.number);
    const tries = new Map(left.map(({ planned, attempt }) => [cellKey(planned), attempt]));
    // First of all: another lane may do it if this one comes to nothing.
    work.queue.giveBack({ block: { ...block, loads: left.map(({ planned }) => planned), tries }, expectedMs: Number.POSITIVE_INFINITY });
    const again = await openedAnew(work, lane, openings);
    if (!again) return undefined;
    lane = again.lane;
    openings = again.openings;
  }
  return lane;
}

const nextBlock = ({ queue, stopped }: LaneWork, { number }: StudyLane): StudyBlock | undefined =>
  stopped() ? undefined : queue.take(number);

/** @param before - How often it was opened so far. @returns `undefined` where it is given up, or all stop. */
export async function openedAnew(
  work: Pick<LaneWork, 'reopen' | 'notify' | 'stopped'>,
  broken: StudyLane,
  before: number,
): Promise<{ lane: StudyLane; openings: number } | undefined> {
  await broken.close();
  for (let openings = before + 1; openings <= MAX_OPENINGS && !work.stopped(); openings++) {
    work.notify(`Lane ${broken.number} is opened anew`);
    try {
      return { lane: await work.reopen(broken.number), openings };
    } catch (error) {
      if (!work.stopped()) work.notify(`Lane ${broken.number} does not start: ${reasonOf(error)}`);
    }
  }
  if (!work.stopped()) work.notify(`Lane ${broken.number} broke too often and is given up`);
  return undefined;
}

/** @returns the loads that are still to be made because the lane broke; empty: the block is done. */
async function doBlock(work: LaneWork, lane: StudyLane, block: StudyBlock): Promise<readonly Waiting[]> {
  let waiting: readonly Waiting[] = block.loads.map((planned) => ({ planned, attempt: block.tries?.get(cellKey(planned)) ?? 0 }));
  const link = await linkInPlace(work, lane, block);
  if (link !== 'in-place') return link === 'broken' ? waiting : [];
  if (!(await limitsShown(work, lane, block))) return waiting;
  while (waiting.length > 0 && !work.stopped()) {
    const [next, ...rest] = waiting;
    if (!next) break;
    const finding = work.failedControls.of(next.planned);
    if (finding) {
      work.onLoad(excludedLine(work, { lane, ...next, finding }));
      waiting = rest;
      continue;
    }
    const made = await attempt(work, { lane, block, ...next });
    const again = made.settled || next.attempt + 1 >= MAX_TRIES ? [] : [{ planned: next.planned, attempt: next.attempt + 1 }];
    waiting = [...rest, ...again];
    if (made.broken) return waiting;
  }
  return [];
}

/** A link that is not what was asked excludes its block; the study goes on. */
async function linkInPlace(work: LaneWork, lane: StudyLane, { link, page, loads }: StudyBlock): Promise<'in-place' | 'refused' | 'broken'> {
  const at = work.now();
  let checked: Awaited<ReturnType<StudyLane['check']>>;
  try {
    checked = await lane.check(link);
  } catch (error) {
    if (!work.stopped()) work.notify(`Lane ${lane.number} broke while link ${link.name} was checked: ${reasonOf(error)}`);
    return 'broken';
  }
  if (work.stopped()) return 'refused';
  const { measured, verdict } = checked;
  const sender = congestionControlOf(link, lane.congestionControl === 'unknown' ? undefined : lane.congestionControl);
  const reason = !verdict.ok && { reason: verdict.reason };
  work.onLink({ ...{ name: link.name, lane: lane.number, at, measured }, ...sender, ok: verdict.ok, ...reason });
  if (verdict.ok) return 'in-place';
  work.notify(`${page.name}: not measured, the emulated link is not what was asked: ${verdict.reason}`);
  for (const planned of loads) {
    const finding = { cause: 'link-not-as-asked', why: verdict.reason } as const;
    work.onLoad(excludedLine(work, { lane, planned, attempt: 0, finding }));
  }
  return 'refused';
}

/** Has the profiles whose turn it is show their limits (`limit-control.ts`). @returns `false`: the lane broke. */
async function limitsShown(work: LaneWork, lane: StudyLane, block: StudyBlock): Promise<boolean> {
  const { plan, now } = work;
  try {
    for (const [at, profile] of profilesToControl(block, plan).entries()) {
      if (work.stopped()) return true;
      const token = `control-${now().toString(36)}-${at}`;
      const finding = await lane.control({ profile, token });
      if (!finding) continue;
      work.notify(`${voidReason(finding)}: its loads of block ${block.repeat + 1} from here on do not count`);
      work.failedControls.add(block.repeat, finding);
    }
    await lane.use(block.link);
    return true;
  } catch (error) {
    if (!work.stopped()) work.notify(`Lane ${lane.number} broke while limits were shown: ${reasonOf(error)}`);
    return false;
  }
}

interface Attempt extends Waiting {
  readonly lane: StudyLane;
  readonly block: StudyBlock;
}

interface Attempted {
  /** Nothing may take this load's place, see `isSettled`. */
  readonly settled: boolean;
  /** Whoever does not answer in time, or answers nonsense, may never do better. */
  readonly broken: boolean;
}

async function attempt(work: LaneWork, { lane, block, planned, attempt: number }: Attempt): Promise<Attempted> {
  const { page, link } = block;
  let made: MadeLoad;
  work.atWork.begins(lane.number);
  try {
    made = await lane.load({ page, link, planned, attempt: number, lanes: work.lanes });
  } catch (error) {
    if (work.stopped()) return { settled: false, broken: true };
    work.notify(`${planned.profileId} on ${page.name} over ${link.name}: void, ${reasonOf(error)}`);
    const line = excludedLine(work, { lane, planned, attempt: number, finding: brokenBy(error) });
    work.onLoad(line);
    return { settled: isSettled(line.load.validity), broken: true };
  }
  const { load, overheadMs, captureMissing } = made;
  if (captureMissing !== undefined) work.notify(`${planned.profileId} on ${page.name} over ${link.name}: not captured, ${captureMissing}`);
  work.onLoad({
    ...{ load, session: work.session, attempt: number },
    ...(overheadMs !== undefined && { overheadMs }),
    ...(captureMissing !== undefined && { captureMissing }),
  });
  return { settled: isSettled(load.validity), broken: false };
}

/** The first line of the message of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** A load without a record may have been a slow one. A lane that does not answer hangs, whatever the page: its loads end by their own limits. */
const brokenBy = (error: unknown): VoidFinding => ({
  cause: error instanceof PlumbfoxError && error.kind === 'run-void' && !(error instanceof NoAnswer) ? 'no-record' : 'lane-broke',
  why: reasonOf(error),
});

function excludedLine(
  { session, lanes, now, plan }: LaneWork,
  { lane, planned, attempt: number, finding }: Pick<Attempt, 'lane' | 'planned' | 'attempt'> & { readonly finding: VoidFinding },
): LoadLine {
  const profile = plan.profiles.find(({ id }) => id === planned.profileId);
  if (!profile) throw new PlumbfoxError('internal', `The plan names ${planned.profileId}, which is not there`);
  const place = { ...planned, startedAt: now(), validity: voided(finding), readBack: [] };
  const load: StudyLoad = { ...place, lane: lane.number, lanes, intended: intended(profile) };
  return { load, session, attempt: number };
}
