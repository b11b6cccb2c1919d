/** What lanes side by side share: the queue, the log, and what makes them stop. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { isSettled } from '../../core/report/validity.ts';
import { failedControls } from '../run/limit-control.ts';
import { blockQueue } from './block-queue.ts';
import type { BusyLanes } from './busy-lanes.ts';
import { isolationOf } from './interference.ts';
import type { LaneWork } from './lane-work.ts';
import { isCaptured } from './study-captures.ts';
import type { StudyLane } from './study-lane.ts';
import { appendStudyLine, type InterferenceLine, type LoadLine, readStudyLog, type StudyLogLine } from './study-log.ts';
import { cellKey, type StudyBlock, type StudyPlan } from './study-plan.ts';
import { AROUND_LOAD_MS, beforeBlockMs, timeLeft, type Work } from './work-left.ts';

export interface StudyProgress {
  readonly done: number;
  readonly total: number;
  /** Likely time left, ms. */
  readonly leftMs: number;
  readonly label: string;
}

/** A run as far as its lanes are concerned. */
export interface LaneRun {
  readonly plan: StudyPlan;
  readonly logPath: string;
  readonly session: number;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly onProgress: (progress: StudyProgress) => void;
  readonly interrupted: () => boolean;
  readonly reopen: (number: number) => Promise<StudyLane>;
  /** Likely time of what is left of a block. */
  readonly blockMs: (block: StudyBlock) => number;
  /** Where captures go; absent: none are made. */
  readonly captures?: string | undefined;
}

export interface LaneScheduler extends LaneWork {
  readonly atWork: BusyLanes;
  /** Writes it; where loads of so many lanes do not stand with it, they are to be made fewer from that moment on. */
  readonly onInterference: (line: InterferenceLine) => void;
  readonly tooMany: () => boolean;
  /** How much longer a load took beside the others, as a share, where that was measured. */
  readonly longer: () => number | undefined;
}

export function laneScheduler(run: LaneRun, { lanes, blocks, atWork }: Work & { readonly atWork: BusyLanes }): LaneScheduler {
  const { plan, logPath, session, now, say, reopen, blockMs } = run;
  const checks = readStudyLog(logPath).interference;
  let failed = false;
  let tooMany = false;
  let longer: number | undefined;
  const total = plan.loads;
  let done = total - blocks.reduce((sum, { loads }) => sum + loads.length, 0);
  const left = progressOf(run, blocks);
  return {
    ...{ plan, session, lanes, now, say, reopen, atWork, failedControls: failedControls() },
    queue: blockQueue(blocks.map((block) => ({ block, expectedMs: blockMs(block) }))),
    stopped: () => run.interrupted() || tooMany || failed,
    tooMany: () => tooMany,
    longer: () => longer,
    onLink: (link) => guarded({ link }),
    onInterference: (interference) => {
      longer = interference.longer;
      tooMany = !isolationOf([...checks, interference])({ session, lanes });
      guarded({ interference });
    },
    onLoad: (line) => {
      guarded(line);
      left.ended(line);
      if (line.load.validity.state !== 'valid') return;
      done += 1;
      const { page, link, profileId } = line.load;
      run.onProgress({ done, total, leftMs: left.leftMs() / lanes, label: `${profileId} on ${page} over ${link}` });
    },
  };
  /** A log that cannot be written stops every lane: nothing may be measured that is not kept. */
  function guarded(line: StudyLogLine): void {
    // Another lane has reported it already.
    if (failed) return;
    try {
      appendStudyLine(logPath, line);
    } catch (error) {
      failed = true;
      throw error;
    }
  }
}

/** Time left of the blocks, by the lines of their loads. */
function progressOf(run: LaneRun, blocks: readonly StudyBlock[]): { ended(line: LoadLine): void; leftMs(): number } {
  const { plan, blockMs } = run;
  const blockOf = new Map(blocks.flatMap((block) => block.loads.map((load) => [cellKey(load), block] as const)));
  const begun = new Set<StudyBlock>();
  const settled = new Set<string>();
  /** A load that is captured is made twice. */
  const times = (load: PlannedLoad): number => (isCaptured(load, run) ? 2 : 1);
  const expectedMs = (block: StudyBlock, load: PlannedLoad): number => times(load) * blockMs({ ...block, loads: [load] });
  const left = timeLeft({
    loadsMs: blocks.reduce((sum, block) => sum + block.loads.reduce((own, load) => own + expectedMs(block, load), 0), 0),
    aroundMs: blocks.reduce((sum, block) => sum + beforeBlockMs(block, plan), 0),
  });
  return {
    leftMs: left.leftMs,
    ended: ({ load, overheadMs = AROUND_LOAD_MS }) => {
      const key = cellKey(load);
      const block = blockOf.get(key);
      if (!block || settled.has(key)) return;
      if (!begun.has(block)) left.around(beforeBlockMs(block, plan));
      begun.add(block);
      if (!isSettled(load.validity)) return;
      settled.add(key);
      const { loadTimeMs } = load.measures ?? {};
      const expected = expectedMs(block, load);
      const warmed = block.page.connections === 'warm' ? 2 : 1;
      // Of one without a load time nothing is learnt.
      const tookMs = loadTimeMs === undefined ? expected : times(load) * (warmed * loadTimeMs + overheadMs);
      left.made({ expectedMs: expected, tookMs });
    },
  };
}
