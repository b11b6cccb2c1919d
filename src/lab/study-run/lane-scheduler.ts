/** The shared state of lanes side by side: the queue of blocks, who is at work, the log, and what makes them stop. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { isSettled } from '../../core/report/validity.ts';
import { type FailedControls, failedControls } from '../run/limit-control.ts';
import { isolationOf } from './interference.ts';
import { isCaptured } from './study-captures.ts';
import type { StudyLane } from './study-lane.ts';
import { appendStudyLine, type InterferenceLine, type LinkLine, type LoadLine, readStudyLog, type StudyLogLine } from './study-log.ts';
import { cellKey, type StudyBlock, type StudyPlan } from './study-plan.ts';
import { beforeBlockMs, LOAD_OVERHEAD_MS, timeLeft, type Work } from './work-left.ts';

interface StudyProgress {
  readonly done: number;
  readonly total: number;
  /** Likely time left. */
  readonly leftMs: number;
  readonly label: string;
}

/** The run as a lane needs it. */
export interface LaneRun {
  readonly plan: StudyPlan;
  readonly logPath: string;
  readonly session: number;
  readonly now: () => number;
  readonly notify: (line: string) => void;
  readonly onProgress: (progress: StudyProgress) => void;
  readonly interrupted: () => boolean;
  readonly reopen: (number: number) => Promise<StudyLane>;
  /** Likely time of what is left of a block. */
  readonly blockMs: (block: StudyBlock) => number;
  /** Where captures go; absent: none are made. */
  readonly captures?: string | undefined;
}

/** The state that a lane at work shares with the others. */
export interface LaneWork {
  readonly plan: StudyPlan;
  readonly queue: BlockQueue<StudyBlock>;
  readonly session: number;
  readonly lanes: number;
  readonly now: () => number;
  readonly reopen: (number: number) => Promise<StudyLane>;
  /** These two throw when the log cannot be written: then nothing more is measured. */
  readonly onLink: (line: LinkLine) => void;
  readonly onLoad: (line: LoadLine) => void;
  readonly notify: (line: string) => void;
  readonly failedControls: FailedControls;
  /** Notified before every load, and when the lane breaks. */
  readonly atWork: Pick<BusyLanes, 'begins' | 'breaks'>;
  /** Asked before every load: interrupted, the log cannot be written, or these lanes are to be made fewer. */
  readonly stopped: () => boolean;
}

export interface LaneScheduler extends LaneWork {
  readonly atWork: BusyLanes;
  /** Logs a check; where loads of this many lanes do not stand with it, fewer lanes go on. */
  readonly onInterference: (line: InterferenceLine) => void;
  readonly tooMany: () => boolean;
  /** How much longer a load took beside the others, as a share, where that was measured. */
  readonly longer: () => number | undefined;
}

export function laneScheduler(run: LaneRun, { lanes, blocks, atWork }: Work & { readonly atWork: BusyLanes }): LaneScheduler {
  const { plan, logPath, session, now, notify, reopen, blockMs } = run;
  const checks = readStudyLog(logPath).interference;
  let failed = false;
  let tooMany = false;
  let longer: number | undefined;
  const total = plan.loads;
  let done = total - blocks.reduce((sum, { loads }) => sum + loads.length, 0);
  const left = progressOf(run, blocks);
  return {
    ...{ plan, session, lanes, now, notify, reopen, atWork, failedControls: failedControls() },
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
    ended: ({ load, overheadMs = LOAD_OVERHEAD_MS }) => {
      const key = cellKey(load);
      const block = blockOf.get(key);
      if (!block || settled.has(key)) return;
      if (!begun.has(block)) left.overheadDone(beforeBlockMs(block, plan));
      begun.add(block);
      if (!isSettled(load.validity)) return;
      settled.add(key);
      const { loadTimeMs } = load.measures ?? {};
      const expected = expectedMs(block, load);
      const warmed = block.page.connections === 'warm' ? 2 : 1;
      // Of one without a load time nothing is learnt.
      const tookMs = loadTimeMs === undefined ? expected : times(load) * (warmed * loadTimeMs + overheadMs);
      left.loadDone({ expectedMs: expected, tookMs });
    },
  };
}

interface WaitingBlock<Block> {
  readonly block: Block;
  readonly expectedMs: number;
}

const SHORTEST_EVERY = 4;

/** Decides which lane does which block when. */
interface BlockQueue<Block> {
  /** The next block for a lane; `undefined`: nothing is left to begin. */
  take(lane: number): Block | undefined;
  /** A block that came to no end goes back, to be done first. */
  giveBack(waiting: WaitingBlock<Block>): void;
  /** Likely time of what no lane has begun, ms. */
  waitingMs(): number;
}

/**
 * One lane of four takes the shortest block left, the others the longest: loads over fast links keep the processor busy, so that only few lanes
 * may be at them at once, and those over slow links leave room for them from beginning to end. What is left for the end is of middling length.
 * Measured on two cores: with every other lane at the shortest, 8 lanes disturb each other (7.5 % longer), and 6 do not.
 */
export function blockQueue<Block>(blocks: readonly WaitingBlock<Block>[]): BlockQueue<Block> {
  const waiting = blocks.toSorted((a, b) => a.expectedMs - b.expectedMs);
  return {
    take: (lane) => (lane % SHORTEST_EVERY === 1 ? waiting.shift() : waiting.pop())?.block,
    giveBack: (back) => {
      waiting.push(back);
    },
    waitingMs: () => waiting.reduce((sum, { expectedMs }) => sum + expectedMs, 0),
  };
}

/** Which of the lanes beside a check are at work: what is measured while one of them is not, is not measured beside all. */
export interface BusyLanes {
  /** A load begins. Lanes that are not among the others may report it too. */
  begins(lane: number): void;
  /** The lane broke; it is at work again with the next load it begins. */
  breaks(lane: number): void;
  /** There is nothing more for it to do, or it was given up. */
  ends(lane: number): void;
  /** Settles with `true` once all are at work, with `false` as soon as one has ended: then they never will be. */
  all(): Promise<boolean>;
  /** How often one of them ceased to be at work so far. */
  lapses(): number;
}

export function busyLanes(numbers: readonly number[]): BusyLanes {
  const others = new Set(numbers);
  const busy = new Set<number>();
  let lapses = 0;
  let hasEnded = false;
  let waiting: ((isSo: boolean) => void)[] = [];
  const notify = (): void => {
    if (!hasEnded && busy.size < others.size) return;
    for (const settle of waiting) settle(!hasEnded);
    waiting = [];
  };
  const ceases = (lane: number): void => {
    if (busy.delete(lane)) lapses += 1;
  };
  return {
    begins: (lane) => {
      if (others.has(lane)) busy.add(lane);
      notify();
    },
    breaks: ceases,
    ends: (lane) => {
      if (!others.has(lane)) return;
      ceases(lane);
      hasEnded = true;
      notify();
    },
    all: () =>
      new Promise((settle) => {
        waiting.push(settle);
        notify();
      }),
    lapses: () => lapses,
  };
}
