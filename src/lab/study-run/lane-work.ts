/** A lane at work on a study: takes blocks until none is left, tries void loads again, opens anew when it breaks. */

import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { StudyLoad } from '../studies/study-load.ts';
import type { BlockQueue } from './block-queue.ts';
import { intended, type StudyLane } from './study-lane.ts';
import type { LinkLine, LoadLine } from './study-log-lines.ts';
import type { StudyBlock, StudyPlan } from './study-plan.ts';

/** A load that is void is made again so often, at the end of its block. */
const MOST_TRIES = 3;
/** A lane that breaks more often is given up. */
const MOST_OPENINGS = 6;

export interface LaneWork {
  readonly plan: StudyPlan;
  readonly queue: BlockQueue<StudyBlock>;
  readonly session: number;
  readonly lanes: number;
  readonly now: () => number;
  readonly reopen: (number: number) => Promise<StudyLane>;
  readonly onLink: (line: LinkLine) => void;
  readonly onLoad: (line: LoadLine) => void;
  readonly say: (line: string) => void;
  /** Asked before every load: interrupted, or these lanes are to be made fewer. */
  readonly stopped: () => boolean;
}

/** Settles when the queue is empty, or stopped. @returns the lane, which may be another than at first. */
export async function workThrough(work: LaneWork, first: StudyLane): Promise<StudyLane> {
  let lane = first;
  let openings = 1;
  for (let block = work.queue.take(lane.number); block && !work.stopped(); block = work.queue.take(lane.number)) {
    const left = await doBlock(work, lane, block);
    if (left.length === 0 || work.stopped()) continue;
    if (openings >= MOST_OPENINGS) throw new PlumbfoxError('environment', `Lane ${lane.number} broke ${openings} times and is given up`);
    work.say(`Lane ${lane.number} is opened anew`);
    await lane.close();
    lane = await work.reopen(lane.number);
    openings += 1;
    work.queue.giveBack({ block: { ...block, loads: left }, expectedMs: Number.POSITIVE_INFINITY });
  }
  return lane;
}

/** @returns the loads that are still to be made because the lane broke; empty: the block is done. */
async function doBlock(work: LaneWork, lane: StudyLane, block: StudyBlock): Promise<readonly PlannedLoad[]> {
  const link = await linkInPlace(work, lane, block);
  if (link !== 'in-place') return link === 'broken' && !work.stopped() ? block.loads : [];
  let waiting = block.loads.map((planned) => ({ planned, attempt: 0 }));
  while (waiting.length > 0 && !work.stopped()) {
    const [next, ...rest] = waiting;
    if (!next) break;
    const made = await attempt(work, { lane, block, ...next });
    if (work.stopped() && made.broken) return [];
    const tries = next.attempt + 1;
    const again = made.valid || tries >= MOST_TRIES ? [] : [{ planned: next.planned, attempt: tries }];
    waiting = [...rest, ...again];
    if (made.broken) return waiting.map(({ planned }) => planned);
  }
  return [];
}

/** A link that is not what was asked voids its block: said, and the study goes on. */
async function linkInPlace(work: LaneWork, lane: StudyLane, { link, page, loads }: StudyBlock): Promise<'in-place' | 'refused' | 'broken'> {
  const at = work.now();
  try {
    const { measured, verdict } = await lane.check(link);
    if (work.stopped()) return 'refused';
    work.onLink({ name: link.name, lane: lane.number, at, measured, ok: verdict.ok, ...(!verdict.ok && { reason: verdict.reason }) });
    if (verdict.ok) return 'in-place';
    work.say(`${page.name}: not measured, the emulated link is not what was asked: ${verdict.reason}`);
    for (const planned of loads) work.onLoad(voidLine(work, { lane, planned, attempt: 0, reason: verdict.reason }));
    return 'refused';
  } catch (error) {
    if (!(error instanceof PlumbfoxError) || error.kind === 'internal') throw error;
    if (!work.stopped()) work.say(`Lane ${lane.number} broke while link ${link.name} was checked: ${error.message}`);
    return 'broken';
  }
}

interface Attempt {
  readonly lane: StudyLane;
  readonly block: StudyBlock;
  readonly planned: PlannedLoad;
  readonly attempt: number;
}

async function attempt(work: LaneWork, { lane, block, planned, attempt: number }: Attempt): Promise<{ valid: boolean; broken: boolean }> {
  const { page, link } = block;
  try {
    const { load, overheadMs } = await lane.load({ page, link, planned, attempt: number, lanes: work.lanes });
    work.onLoad({ load, session: work.session, attempt: number, ...(overheadMs !== undefined && { overheadMs }) });
    return { valid: load.validity.state === 'valid', broken: false };
  } catch (error) {
    if (!(error instanceof PlumbfoxError) || error.kind === 'internal') throw error;
    if (work.stopped()) return { valid: false, broken: true };
    work.say(`${planned.profileId} on ${page.name} over ${link.name}: void, ${error.message}`);
    work.onLoad(voidLine(work, { lane, planned, attempt: number, reason: error.message }));
    // Whoever does not answer in time may never answer again.
    return { valid: false, broken: true };
  }
}

function voidLine(
  { session, lanes, now, plan }: LaneWork,
  { lane, planned, attempt: number, reason }: Pick<Attempt, 'lane' | 'planned' | 'attempt'> & { reason: string },
): LoadLine {
  const profile = plan.profiles.find(({ id }) => id === planned.profileId);
  if (!profile) throw new PlumbfoxError('internal', `The plan names ${planned.profileId}, which is not there`);
  const place = { ...planned, startedAt: now(), validity: { state: 'void', reason } as const, readBack: [] };
  const load: StudyLoad = { ...place, lane: lane.number, lanes, intended: intended(profile) };
  return { load, session, attempt: number };
}
