/** A study from its plan to its log: opens lanes, finds how many may work side by side, and has them do what is left. */
import { PlumbfoxError } from '../../core/errors.ts';
import { closeAll } from '../close-all.ts';
import type { Study } from '../studies/study.ts';
import { measureAlone } from './lanes-check.ts';
import { openLanes } from './open-lanes.ts';
import { referenceCell } from './reference-cell.ts';
import type { RunAtWork } from './run-at-work.ts';
import { otherVersions, type RunVersions } from './same-versions.ts';
import { workOf, workSideBySide } from './side-by-side.ts';
import { openStudyLane, type StudyLane, type StudyLaneOptions } from './study-lane.ts';
import { appendStudyLine, readStudyLog } from './study-log.ts';
import { blockTimes, leftOf } from './work-left.ts';

export interface StudyRun
  extends Pick<StudyLaneOptions, 'program' | 'prefix' | 'clock' | 'captures'>,
    Omit<RunAtWork, 'reopen' | 'blockMs' | 'captures'> {
  readonly study: Study;
  /** Longest a load may take. */
  readonly timeoutMs: number;
  /** At most so many side by side. */
  readonly lanes: number;
  readonly facts: { readonly plumbfox: string; readonly os: string; readonly node: string; readonly cores: number };
  /** Given what ends all lanes at once. */
  readonly onOpen: (close: () => Promise<void>) => void;
}

/** Settles when nothing is left, or interrupted. @throws PlumbfoxError when the lab cannot go on; what was measured is in the log. */
export async function runStudy(run: StudyRun): Promise<void> {
  const lanes = laneHolder(run);
  run.onOpen(lanes.closeAll);
  try {
    if (leftOf(run.plan, readStudyLog(run.logPath)).length > 0) await measure(run, lanes);
  } catch (error) {
    // What broke the study is told, not what breaks because of that.
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
  run.say('Starting the first lane ...');
  const opened = await holder.open(0);
  tellSession(run, opened);
  const atWork: RunAtWork = { ...run, reopen: holder.open, blockMs: blockTimes(run.plan) };
  const left = leftOf(run.plan, readStudyLog(run.logPath));
  const cell = run.lanes > 1 ? referenceCell({ ...run.plan, blocks: left }, run.study.baseline) : undefined;
  const wanted = workOf(atWork, run.lanes, cell).lanes;
  const { lane: first, reference } = cell && wanted > 1 ? await measureAlone(atWork, opened, { cell, lanes: wanted }) : { lane: opened };
  const others = await openOthers(run, holder, reference ? wanted - 1 : 0);
  await workSideBySide(atWork, [first, ...others], reference);
}

function tellSession({ logPath, session, now, facts }: StudyRun, lane: StudyLane): void {
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

/** As many at once as there are processors: more would only wait for each other. */
async function openOthers(run: StudyRun, { open }: LaneHolder, count: number): Promise<readonly StudyLane[]> {
  if (count > 0) run.say(`Starting ${count} more ...`);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return openLanes({ numbers, atOnce: run.facts.cores, open, say: run.say, interrupted: run.interrupted });
}
