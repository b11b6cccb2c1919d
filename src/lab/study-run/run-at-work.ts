/** What lanes side by side share: the queue, the log, and what makes them stop. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { failedControls } from '../run/limit-control.ts';
import { blockQueue } from './block-queue.ts';
import { standsBeside } from './interference.ts';
import type { LaneWork } from './lane-work.ts';
import type { OthersAtWork } from './others-at-work.ts';
import type { StudyLane } from './study-lane.ts';
import { appendStudyLine, readStudyLog } from './study-log.ts';
import type { InterferenceLine, StudyLogLine } from './study-log-lines.ts';
import { cellKey, type StudyBlock, type StudyPlan } from './study-plan.ts';
import { timeLeft } from './time-left.ts';
import { AROUND_LOAD_MS, type Work } from './work-left.ts';

export interface StudyProgress {
  readonly done: number;
  readonly total: number;
  /** Likely time left, ms. */
  readonly leftMs: number;
  readonly label: string;
}

/** A run as far as its lanes are concerned. */
export interface RunAtWork {
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
}

export interface SharedWork extends LaneWork {
  readonly atWork: OthersAtWork;
  /** Writes it; where loads of so many lanes do not stand with it, they are to be made fewer from that moment on. */
  readonly onInterference: (line: InterferenceLine) => void;
  readonly tooMany: () => boolean;
  /** How much longer a load took beside the others, as a share, where that was measured. */
  readonly longer: () => number | undefined;
}

export function sharedWork(run: RunAtWork, { lanes, blocks, atWork }: Work & { readonly atWork: OthersAtWork }): SharedWork {
  const { plan, logPath, session, now, say, reopen, blockMs } = run;
  const checks = readStudyLog(logPath).interference;
  let failed = false;
  let tooMany = false;
  let longer: number | undefined;
  const total = plan.loads;
  let done = total - blocks.reduce((sum, { loads }) => sum + loads.length, 0);
  const left = timeLeft(blocks.reduce((sum, block) => sum + blockMs(block), 0));
  return {
    ...{ plan, session, lanes, now, say, reopen, atWork, failedControls: failedControls() },
    queue: blockQueue(blocks.map((block) => ({ block, expectedMs: blockMs(block) }))),
    stopped: () => run.interrupted() || tooMany || failed,
    tooMany: () => tooMany,
    longer: () => longer,
    onLink: (link) => guarded({ link }),
    onInterference: (interference) => {
      longer = interference.longer;
      tooMany = !standsBeside([...checks, interference])({ session, lanes });
      guarded({ interference });
    },
    onLoad: (line) => {
      guarded(line);
      if (line.load.validity.state !== 'valid') return;
      done += 1;
      const { page, link, profileId } = line.load;
      left.made({ expectedMs: expectedOf(line.load), tookMs: (line.load.measures?.loadTimeMs ?? 0) + AROUND_LOAD_MS });
      run.onProgress({ done, total, leftMs: left.leftMs() / lanes, label: `${profileId} on ${page} over ${link}` });
    },
  };
  function expectedOf(load: PlannedLoad): number {
    const block = blocks.find(({ loads }) => loads.some((each) => cellKey(each) === cellKey(load)));
    return block ? blockMs({ ...block, loads: [load] }) : 0;
  }
  /** A log that cannot be written stops every lane: nothing may be measured that is not kept. */
  function guarded(line: StudyLogLine): void {
    // Another lane has told it already.
    if (failed) return;
    try {
      appendStudyLine(logPath, line);
    } catch (error) {
      failed = true;
      throw error;
    }
  }
}
