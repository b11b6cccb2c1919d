/** The work left of a plan, and how many lanes it is worth. Pure. */

import type { Profile } from '../../core/profiles/profile.ts';
import { isSettled } from '../../core/report/validity.ts';
import { controlledIn } from '../run/limit-control.ts';
import { isolationOf } from './interference.ts';
import { type StudyRecord, standingLoads } from './study-log.ts';
import { cellKey, expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';

/** The time that a load takes besides its own, ms; for the time left only, the log has the measured ones. */
export const LOAD_OVERHEAD_MS = 600;
/** Predicted times are uncertain: parallel work must outlast the check even at half its predicted time. */
const CHECKS_LONG = 2;

type Logged = Pick<StudyRecord, 'loads' | 'interference'>;

/** Blocks with the loads that are still to be made. */
export function remainingBlocks({ blocks }: Pick<StudyPlan, 'blocks'>, logged: Logged): readonly StudyBlock[] {
  const settled = standingLoads(logged).filter(({ validity }) => isSettled(validity));
  const done = new Set(settled.map(cellKey));
  return blocks
    .map((block) => ({ ...block, loads: block.loads.filter((load) => !done.has(cellKey(load))) }))
    .filter(({ loads }) => loads.length > 0);
}

/** Likely time of what is left of a block, ms; each page over each link is predicted once. */
export function blockTimes({ profiles }: Pick<StudyPlan, 'profiles'>): (block: StudyBlock) => number {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return (block) => {
    const key = JSON.stringify([block.page.name, block.link.name]);
    const times = known.get(key) ?? expectedLoadMs(block, profiles);
    known.set(key, times);
    return block.loads.reduce((sum, { profileId }) => sum + (times.get(profileId) ?? 0) + LOAD_OVERHEAD_MS, 0);
  };
}

/** The profiles that show their limit before the loads of a block, see `limit-control.ts`. */
export function profilesToControl(
  { page, link, repeat }: Pick<StudyBlock, 'page' | 'link' | 'repeat'>,
  { blocks, profiles }: Pick<StudyPlan, 'blocks' | 'profiles'>,
): readonly Profile[] {
  const groups = blocks.filter((block) => block.repeat === repeat);
  const group = groups.findIndex((block) => block.page.name === page.name && block.link.name === link.name);
  return controlledIn(group, { groups: groups.length, profiles });
}

/** The time that a check of a link takes, besides a number of its round trips (docs/links.md: 4 to 7 s, 15 s where one takes 660 ms). */
const CHECK_MS = 4000;
const CHECK_ROUND_TRIPS = 16;
/** A load of the page of held pictures (250 ms), and its overhead. */
const CONTROL_MS = 250 + LOAD_OVERHEAD_MS;

/** Likely time before a block's loads: the check of its link, and limits that are shown. */
export const beforeBlockMs = (block: StudyBlock, plan: Pick<StudyPlan, 'blocks' | 'profiles'>): number =>
  CHECK_MS + CHECK_ROUND_TRIPS * block.link.rttMs + CONTROL_MS * profilesToControl(block, plan).length;

interface WorkOrder {
  readonly plan: Pick<StudyPlan, 'blocks'>;
  readonly logged: Logged;
  readonly session: number;
  /** The most lanes that may be opened. */
  readonly maxLanes: number;
  readonly blockMs: (block: StudyBlock) => number;
  /** Likely time of the check whether lanes disturb each other, ms. */
  readonly checkMs: number;
}

/** `lanes`: as many as are worth being opened. */
export interface Work {
  readonly lanes: number;
  readonly blocks: readonly StudyBlock[];
}

/**
 * The remaining blocks, and how many lanes work on them. Loads of a session that ended before its check wait for the check of this one, where that
 * covers them: if it passes they stay valid and are not repeated.
 */
export function remainingWork(order: WorkOrder): Work {
  const { plan, logged, session } = order;
  const all = remainingBlocks(plan, logged);
  const lanes = lanesWorth(all, order);
  const passed = { session, lanes, ok: true, page: '', link: '', profiles: [] };
  const without = lanes > 1 ? remainingBlocks(plan, { ...logged, interference: [...logged.interference, passed] }) : all;
  return { lanes, blocks: lanesWorth(without, order) < lanes ? all : without };
}

/** Every lane beside the check has work for as long as that takes; where lanes are known not to disturb each other, this is not required. */
function lanesWorth(blocks: readonly StudyBlock[], { logged, maxLanes, blockMs, checkMs }: WorkOrder): number {
  const beside = Math.floor(blocks.reduce((sum, block) => sum + Math.min(1, blockMs(block) / (CHECKS_LONG * checkMs)), 0));
  const stands = isolationOf(logged.interference);
  for (let lanes = Math.min(maxLanes, blocks.length); lanes > 1; lanes--) {
    if (lanes <= 1 + beside || stands({ session: undefined, lanes })) return lanes;
  }
  return 1;
}

/** The likely time left, estimated from what was predicted and from how predictions have fared so far. */
interface TimeLeft {
  loadDone(load: { readonly expectedMs: number; readonly tookMs: number }): void;
  /** Work besides loads that was expected to take this long is done. */
  overheadDone(expectedMs: number): void;
  /** ms of one lane's work. */
  leftMs(): number;
}

/** Starts with all that is to be done. `aroundMs`: besides the loads, which no prediction of loads covers. */
export function timeLeft({ loadsMs, aroundMs }: { readonly loadsMs: number; readonly aroundMs: number }): TimeLeft {
  let stillMs = loadsMs;
  let stillAroundMs = aroundMs;
  let expected = 0;
  let took = 0;
  return {
    loadDone: (load) => {
      stillMs -= load.expectedMs;
      expected += load.expectedMs;
      took += load.tookMs;
    },
    overheadDone: (ms) => {
      stillAroundMs -= ms;
    },
    leftMs: () => Math.max(0, stillAroundMs) + (expected > 0 ? (Math.max(0, stillMs) * took) / expected : Math.max(0, stillMs)),
  };
}
