/** A study from its plan to its log: opens lanes, finds how many may work side by side, and has them do what is left. */
import { PlumbfoxError } from '../../core/errors.ts';
import { closeAll } from '../process/process-lifetimes.ts';
import type { Study } from '../studies/study.ts';
import { fewerLanes } from './interference.ts';
import { busyLanes, type LaneRun, laneScheduler } from './lane-scheduler.ts';
import { reasonOf, workThrough } from './lane-work.ts';
import { checkLanes, checkMs, measureAlone, noneLeft, type Reference, type ReferenceCell, referenceCell } from './lanes-check.ts';
import { openStudyLane, type StudyLane, type StudyLaneOptions } from './study-lane.ts';
import { appendStudyLine, readStudyLog, type SessionLine } from './study-log.ts';
import { blockTimes, remainingBlocks, remainingWork, type Work } from './work-left.ts';

interface StudyRun
  extends Pick<StudyLaneOptions, 'program' | 'prefix' | 'clock' | 'captures'>,
    Omit<LaneRun, 'reopen' | 'blockMs' | 'captures'> {
  readonly study: Study;
  /** Longest a load may take. */
  readonly timeoutMs: number;
  /** The most lanes side by side. */
  readonly lanes: number;
  readonly facts: { readonly plumbfox: string; readonly os: string; readonly node: string; readonly cores: number };
  /** Receives a function that closes all lanes at once. */
  readonly onOpen: (close: () => Promise<void>) => void;
}

/** Settles when nothing is left, or interrupted. @throws PlumbfoxError when the lab cannot go on; what was measured is in the log. */
export async function runStudy(run: StudyRun): Promise<void> {
  const lanes = laneHolder(run);
  run.onOpen(lanes.closeAll);
  try {
    if (remainingBlocks(run.plan, readStudyLog(run.logPath)).length > 0) await measure(run, lanes);
  } catch (error) {
    // Report what broke the study, not what breaks because of that.
    await lanes.closeAll().catch(() => {});
    throw error;
  }
  await lanes.closeAll();
}

interface LaneHolder {
  open(number: number): Promise<StudyLane>;
  closeAll(): Promise<void>;
}

function laneHolder({ program, prefix, plan, timeoutMs, now, clock, captures, interrupted }: StudyRun): LaneHolder {
  const closers = new Map<number, () => Promise<void>>();
  return {
    open: (number) =>
      openStudyLane({
        ...{ number, program, prefix, plan, now, clock, captures },
        timeoutMs,
        onOpen: (close) => {
          closers.set(number, close);
          // Whoever stopped the study did so while this lane was being opened.
          if (interrupted()) close().catch(() => {});
        },
      }),
    closeAll: () => closeAll([...closers.values()]),
  };
}

async function measure(run: StudyRun, holder: LaneHolder): Promise<void> {
  run.notify('Starting the first lane ...');
  const opened = await holder.open(0);
  logSession(run, opened);
  const atWork: LaneRun = { ...run, reopen: holder.open, blockMs: blockTimes(run.plan) };
  const left = remainingBlocks(run.plan, readStudyLog(run.logPath));
  const cell = run.lanes > 1 ? referenceCell({ ...run.plan, blocks: left }, run.study.baseline) : undefined;
  const wanted = workOf(atWork, run.lanes, cell).lanes;
  const { lane: first, reference } = cell && wanted > 1 ? await measureAlone(atWork, opened, { cell, lanes: wanted }) : { lane: opened };
  const others = await openOthers(run, holder, reference ? wanted - 1 : 0);
  await workSideBySide(atWork, [first, ...others], reference);
}

function logSession({ logPath, session, now, facts }: StudyRun, lane: StudyLane): void {
  const { browser, applier } = lane.facts;
  const versions: RunVersions = {
    firefox: { version: browser.version, buildId: browser.buildId },
    applier,
    congestionControl: lane.congestionControl,
    servers: lane.versions,
  };
  const other = otherVersions(readStudyLog(logPath).sessions.at(-1), versions);
  if (other !== undefined)
    throw new PlumbfoxError('bad-input', `The run was begun with something else: ${other}. Begin anew, without --resume`);
  appendStudyLine(logPath, {
    session: {
      number: session,
      startedAt: new Date(now()).toISOString(),
      plumbfox: facts.plumbfox,
      ...versions,
      weather: 'by-block',
      os: facts.os,
      node: facts.node,
    },
  });
}

/** More at once than there are processors would only wait for each other. */
async function openOthers(run: StudyRun, { open }: LaneHolder, count: number): Promise<readonly StudyLane[]> {
  if (count > 0) run.notify(`Starting ${count} more ...`);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return openLanes({ numbers, atOnce: run.facts.cores, open, notify: run.notify, interrupted: run.interrupted });
}

/** What may not change in the middle of a run. */
type RunVersions = Pick<SessionLine, 'firefox' | 'applier' | 'congestionControl' | 'servers'>;

/** @returns what differs, in words; `undefined`: nothing does, or nothing was measured before. */
export function otherVersions(before: RunVersions | undefined, now: RunVersions): string | undefined {
  if (before === undefined) return undefined;
  const names = [...new Set([...Object.keys(before.servers), ...Object.keys(now.servers)])];
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['Firefox', `${before.firefox.version} (${before.firefox.buildId})`, `${now.firefox.version} (${now.firefox.buildId})`],
    ['the applier', before.applier, now.applier],
    ['congestion control', before.congestionControl, now.congestionControl],
    ...names.map((name) => [name, before.servers[name], now.servers[name]] as const),
  ];
  const other = pairs.find(([, was, is]) => was !== is);
  return other && `${other[0]} was ${other[1] ?? 'not there'}, now it is ${other[2] ?? 'not there'}`;
}

/** What keeps one from starting may pass, as a machine that is busy for a moment does; what stays would cost this long every time. */
const MAX_TRIES = 2;

interface OpenLanes<Lane> {
  readonly numbers: readonly number[];
  /** How many are opened at a time; at least 1. */
  readonly atOnce: number;
  /** Leaves nothing behind when it throws. */
  readonly open: (number: number) => Promise<Lane>;
  readonly notify: (line: string) => void;
  readonly interrupted: () => boolean;
}

/** @returns those that started, in the order of their numbers. Never throws: a study goes on with fewer. */
export async function openLanes<Lane>(options: OpenLanes<Lane>): Promise<readonly Lane[]> {
  const { numbers, atOnce, interrupted } = options;
  const waiting = [...numbers];
  const opened = new Map<number, Lane>();
  await Promise.all(
    Array.from({ length: Math.max(1, atOnce) }, async () => {
      for (let number = waiting.shift(); number !== undefined && !interrupted(); number = waiting.shift()) {
        const lane = await openOne(options, number);
        if (lane !== undefined) opened.set(number, lane);
      }
    }),
  );
  return numbers.flatMap((number) => opened.get(number) ?? []);
}

async function openOne<Lane>({ open, notify, interrupted }: OpenLanes<Lane>, number: number): Promise<Lane | undefined> {
  for (let tries = 1; !interrupted(); tries++) {
    try {
      return await open(number);
    } catch (error) {
      const isLast = tries >= MAX_TRIES;
      if (!interrupted()) notify(`Lane ${number} does not start, and is ${isLast ? 'not used' : 'opened again'}: ${reasonOf(error)}`);
      if (isLast) return undefined;
    }
  }
  return undefined;
}

/** How many lanes are worth opening, and what is there to do. */
export function workOf(
  run: Pick<LaneRun, 'plan' | 'logPath' | 'session' | 'blockMs'>,
  most: number,
  cell: ReferenceCell | undefined,
): Work {
  const logged = readStudyLog(run.logPath);
  if (!cell) return { lanes: 1, blocks: remainingBlocks(run.plan, logged) };
  return remainingWork({ ...run, logged, maxLanes: most, checkMs: checkMs(cell, run.plan) });
}

/**
 * The first lane measures the reference beside the others, which are at work already; then it joins them, or some of them go.
 * @throws PlumbfoxError when no lane is left, or the log cannot be written.
 */
export async function workSideBySide(run: LaneRun, lanes: readonly StudyLane[], reference: Reference | undefined): Promise<void> {
  if (run.interrupted()) return;
  const { lanes: count, blocks } = workOf(run, lanes.length, reference?.cell);
  for (const lane of lanes.slice(count)) await lane.close();
  if (blocks.length === 0) return;
  const [first, ...others] = lanes.slice(0, count);
  if (!first) throw noneLeft();
  const atWork = busyLanes(others.map(({ number }) => number));
  const work = laneScheduler(run, { lanes: count, blocks, atWork });
  const working = others.map((lane) => workThrough(work, lane).finally(() => atWork.ends(lane.number)));
  const own = async (): Promise<StudyLane | undefined> => {
    const lane = reference && others.length > 0 ? await checkLanes(run, work, { lane: first, reference }) : first;
    return lane && workThrough(work, lane);
  };
  const left = (await settled([own(), ...working])).filter((lane) => lane !== undefined);
  if (run.interrupted()) return;
  if (left.length === 0) throw noneLeft();
  // A lane that was given up leaves its block, perhaps when the others had nothing left to do.
  if (!work.tooMany()) return left.length < count && work.queue.waitingMs() > 0 ? workSideBySide(run, left, reference) : undefined;
  const fewer = Math.min(left.length, fewerLanes(count, work.longer()));
  run.notify(`${fewer} continue, and what was measured side by side is measured again`);
  for (const lane of left.slice(fewer)) await lane.close();
  await workSideBySide(run, left.slice(0, fewer), reference);
}

/** All of them, so that none is still at work when the first failure is thrown: what breaks a lane is not one, what breaks the log is. */
async function settled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
