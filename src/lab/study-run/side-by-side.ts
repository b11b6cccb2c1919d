/** Lanes at work side by side: the first sees whether they disturb each other, and fewer go on where they do. */
import { fewerLanes } from './interference.ts';
import { workThrough } from './lane-work.ts';
import { checkLanes, checkMs, noneLeft, type Reference } from './lanes-check.ts';
import { othersAtWork } from './others-at-work.ts';
import type { ReferenceCell } from './reference-cell.ts';
import { type RunAtWork, sharedWork } from './run-at-work.ts';
import type { StudyLane } from './study-lane.ts';
import { readStudyLog } from './study-log.ts';
import { leftOf, type Work, workFor } from './work-left.ts';

/** How many lanes are worth opening, and what is there to do. */
export function workOf(
  run: Pick<RunAtWork, 'plan' | 'logPath' | 'session' | 'blockMs'>,
  most: number,
  cell: ReferenceCell | undefined,
): Work {
  const logged = readStudyLog(run.logPath);
  if (!cell) return { lanes: 1, blocks: leftOf(run.plan, logged) };
  return workFor({ ...run, logged, most, checkMs: checkMs(cell, run.plan) });
}

/**
 * The first lane measures the reference beside the others, which are at work already; then it joins them, or some of them go.
 * @throws PlumbfoxError when no lane is left, or the log cannot be written.
 */
export async function workSideBySide(run: RunAtWork, lanes: readonly StudyLane[], reference: Reference | undefined): Promise<void> {
  if (run.interrupted()) return;
  const { lanes: count, blocks } = workOf(run, lanes.length, reference?.cell);
  for (const lane of lanes.slice(count)) await lane.close();
  if (blocks.length === 0) return;
  const [first, ...others] = lanes.slice(0, count);
  if (!first) throw noneLeft();
  const atWork = othersAtWork(others.map(({ number }) => number));
  const work = sharedWork(run, { lanes: count, blocks, atWork });
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
  run.say(`${fewer} go on, and what was measured beside each other is measured again`);
  for (const lane of left.slice(fewer)) await lane.close();
  await workSideBySide(run, left.slice(0, fewer), reference);
}

/** All of them, so that none is still at work when the first failure is told: what breaks a lane is not one, what breaks the log is. */
async function settled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
