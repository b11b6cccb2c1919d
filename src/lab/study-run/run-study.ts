/** A study from its plan to its log: opens lanes, finds how many may work side by side, and has them do what is left. */
import { PlumbfoxError } from '../../core/errors.ts';
import type { Study } from '../studies/study.ts';
import { type BlockQueue, blockQueue } from './block-queue.ts';
import { judgeInterference } from './interference.ts';
import { type LaneWork, workThrough } from './lane-work.ts';
import { type ReferenceCell, referenceCell, referenceTimes } from './reference-cell.ts';
import { otherVersions, type RunVersions } from './same-versions.ts';
import { openStudyLane, type StudyLane, type StudyLaneOptions } from './study-lane.ts';
import { appendStudyLine, readStudyLog, standingLoads } from './study-log.ts';
import type { InterferenceLine, StudyLogLine } from './study-log-lines.ts';
import { cellKey, expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';

export interface StudyProgress {
  readonly done: number;
  readonly total: number;
  /** Likely time left, ms. */
  readonly leftMs: number;
  readonly label: string;
}

export interface StudyRun extends Pick<StudyLaneOptions, 'program' | 'prefix' | 'now' | 'clock' | 'captures'> {
  readonly study: Study;
  /** Longest a load may take. */
  readonly timeoutMs: number;
  readonly plan: StudyPlan;
  readonly logPath: string;
  readonly session: number;
  /** At most so many side by side. */
  readonly lanes: number;
  readonly facts: { readonly plumbfox: string; readonly os: string; readonly node: string; readonly cores: number };
  readonly say: (line: string) => void;
  readonly onProgress: (progress: StudyProgress) => void;
  readonly interrupted: () => boolean;
  /** Given what ends all lanes at once. */
  readonly onOpen: (close: () => Promise<void>) => void;
}

/** Loads of each profile alone, and beside the others: enough that a median moves by less than what is judged. */
const ROUNDS_ALONE = 4;
const ROUNDS_BESIDE = 5;
/** Where lanes disturb each other, so many of them go on. */
const FEWER = 0.85;
/** What a load takes besides its own time, for the time left only; the log has the measured ones. */
const AROUND_LOAD_MS = 600;

/** Settles when nothing is left, or interrupted. @throws PlumbfoxError when the lab cannot go on; what was measured is in the log. */
export async function runStudy(run: StudyRun): Promise<void> {
  const lanes = laneHolder(run);
  run.onOpen(lanes.closeAll);
  try {
    if (leftOf(run).length === 0) return;
    await measure(run, lanes);
  } finally {
    await lanes.closeAll();
  }
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
    closeAll: async () => void (await Promise.all([...closers.values()].map((close) => close()))),
  };
}

/** Blocks with the loads that are still to be made. */
function leftOf({ plan, logPath }: Pick<StudyRun, 'plan' | 'logPath'>): readonly StudyBlock[] {
  const standing = standingLoads(readStudyLog(logPath));
  const done = new Set(standing.filter(({ validity }) => validity.state === 'valid').map(cellKey));
  return plan.blocks
    .map((block) => ({ ...block, loads: block.loads.filter((load) => !done.has(cellKey(load))) }))
    .filter(({ loads }) => loads.length > 0);
}

async function measure(run: StudyRun, holder: LaneHolder): Promise<void> {
  run.say('Starting the first lane ...');
  const first = await holder.open(0);
  tellSession(run, first);
  const cell = run.lanes > 1 ? referenceCell({ ...run.plan, blocks: leftOf(run) }, run.study.baseline) : undefined;
  const alone = cell && (await referenceTimes(first, cell, { rounds: ROUNDS_ALONE, from: 0, lanes: 1, stopped: run.interrupted }));
  const wanted = cell ? Math.min(run.lanes, leftOf(run).length) : 1;
  const others = await openOthers(run, holder, wanted - 1);
  await workSideBySide(run, holder, { lanes: [first, ...others], cell, alone });
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
  append(logPath, {
    session: {
      number: session,
      startedAt: new Date(now()).toISOString(),
      plumbfox: facts.plumbfox,
      ...versions,
      os: facts.os,
      node: facts.node,
    },
  });
}

const append = (path: string, line: StudyLogLine): void => appendStudyLine(path, line);

/** As many at once as there are processors: more would only wait for each other. */
async function openOthers(run: StudyRun, holder: LaneHolder, count: number): Promise<readonly StudyLane[]> {
  if (count > 0) run.say(`Starting ${count} more ...`);
  const opened: StudyLane[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await Promise.all(
    Array.from({ length: Math.max(1, run.facts.cores) }, async () => {
      for (let number = numbers.shift(); number !== undefined && !run.interrupted(); number = numbers.shift())
        await holder.open(number).then(
          (lane) => void opened.push(lane),
          (error: Error) => run.say(`Lane ${number} does not start, and is left out: ${error.message}`),
        );
    }),
  );
  return opened.sort((a, b) => a.number - b.number);
}

interface SideBySide {
  readonly lanes: readonly StudyLane[];
  readonly cell: ReferenceCell | undefined;
  readonly alone: readonly (readonly number[])[] | undefined;
}

/** The first lane measures the reference beside the others, which are at work already; then it joins them, or some of them go. */
async function workSideBySide(run: StudyRun, holder: LaneHolder, { lanes, cell, alone }: SideBySide): Promise<void> {
  const [first, ...others] = lanes;
  if (!first || run.interrupted()) return;
  let disturbed = false;
  const work = laneWork(run, holder, { lanes: lanes.length, disturbed: () => disturbed });
  const working = others.map((lane) => workThrough(work, lane));
  const own = async (): Promise<StudyLane | undefined> => {
    if (lanes.length === 1 || !cell || !alone) return workThrough(work, first);
    const { ok, lane } = await check(run, holder, { lane: first, cell, alone, lanes: lanes.length, onLine: work.onInterference });
    disturbed = !ok;
    return ok ? workThrough(work, lane) : lane;
  };
  const left = (await settled([own(), ...working])).filter((lane) => lane !== undefined);
  if (run.interrupted()) return;
  if (!disturbed) {
    if (left.length === 0) throw new PlumbfoxError('environment', 'Every lane broke too often: see above what became of each');
    return;
  }
  const fewer = Math.max(1, Math.floor(lanes.length * FEWER));
  run.say(`${lanes.length} lanes disturb each other; ${fewer} go on, and what was measured beside each other is measured again`);
  for (const lane of left.slice(fewer)) await lane.close();
  await workSideBySide(run, holder, { lanes: left.slice(0, fewer), cell, alone });
}

/** All of them, so that none is still at work when the first failure is told: what breaks a lane is not one, what breaks the log is. */
async function settled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

interface SharedWork extends LaneWork {
  readonly onInterference: (line: InterferenceLine) => void;
}

function laneWork(run: StudyRun, holder: LaneHolder, { lanes, disturbed }: { lanes: number; disturbed: () => boolean }): SharedWork {
  const { plan, logPath, session, now, say } = run;
  const expected = new Map(plan.blocks.map((block) => [block, expectedLoadMs(block, plan.profiles)]));
  const left = leftOf(run);
  const expectedOf = (block: StudyBlock): number => {
    const times = expected.get(plan.blocks.find((each) => sameBlock(each, block)) ?? block);
    return block.loads.reduce((sum, { profileId }) => sum + (times?.get(profileId) ?? 0) + AROUND_LOAD_MS, 0);
  };
  const queue: BlockQueue<StudyBlock> = blockQueue(left.map((block) => ({ block, expectedMs: expectedOf(block) })));
  let failed = false;
  const total = plan.loads;
  let done = total - left.reduce((sum, { loads }) => sum + loads.length, 0);
  let leftMs = left.reduce((sum, block) => sum + expectedOf(block), 0);
  return {
    plan,
    queue,
    session,
    lanes,
    now,
    say,
    reopen: holder.open,
    stopped: () => run.interrupted() || disturbed() || failed,
    onLink: (link) => guarded({ link }),
    onInterference: (interference) => guarded({ interference }),
    onLoad: (line) => {
      guarded(line);
      if (line.load.validity.state !== 'valid') return;
      done += 1;
      const { page, link, profileId } = line.load;
      leftMs -= (line.load.measures?.loadTimeMs ?? 0) + AROUND_LOAD_MS;
      run.onProgress({ done, total, leftMs: Math.max(0, leftMs) / lanes, label: `${profileId} on ${page} over ${link}` });
    },
  };
  /** A log that cannot be written stops every lane: nothing may be measured that is not kept. */
  function guarded(line: StudyLogLine): void {
    // Another lane has told it already.
    if (failed) return;
    try {
      append(logPath, line);
    } catch (error) {
      failed = true;
      throw error;
    }
  }
}

const sameBlock = (a: StudyBlock, b: StudyBlock): boolean => a.page === b.page && a.link === b.link && a.repeat === b.repeat;

interface Checked {
  readonly ok: boolean;
  /** Another than at first where it broke in the check. */
  readonly lane: StudyLane;
}

interface CheckOrder {
  readonly lane: StudyLane;
  readonly cell: ReferenceCell;
  readonly alone: readonly (readonly number[])[];
  readonly lanes: number;
  readonly onLine: (line: InterferenceLine) => void;
}

/** A check that comes to no end proves nothing: then too many lanes are at work. */
async function check(run: StudyRun, holder: LaneHolder, { lane, cell, alone, lanes, onLine }: CheckOrder): Promise<Checked> {
  const place = { session: run.session, lanes, page: cell.block.page.name, link: cell.block.link.name };
  // Numbers go on from those of the loads alone, and from those of a check with more lanes.
  const from = ROUNDS_ALONE + (1000 - lanes) * ROUNDS_BESIDE;
  let beside: readonly (readonly number[])[];
  try {
    beside = await referenceTimes(lane, cell, { rounds: ROUNDS_BESIDE, from, lanes, stopped: run.interrupted });
  } catch (error) {
    if (run.interrupted()) return { ok: false, lane };
    run.say(`Whether ${lanes} lanes disturb each other could not be measured: ${(error as Error).message}`);
    onLine({ ...place, profiles: [], ok: false });
    await lane.close();
    return { ok: false, lane: await holder.open(lane.number) };
  }
  if (run.interrupted()) return { ok: false, lane };
  const profiles = cell.profiles.map((profileId, index) => ({
    profileId,
    aloneMs: [...(alone[index] ?? [])],
    besideMs: [...(beside[index] ?? [])],
  }));
  const verdict = judgeInterference(profiles);
  onLine({ ...place, profiles, ...(verdict ?? { ok: false }) });
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  run.say(
    verdict
      ? `${lanes} lanes side by side: a load takes ${percent(verdict.longer)} longer than alone, ratios move by ${percent(verdict.ratioMoves)}`
      : `Whether ${lanes} lanes disturb each other could not be measured: the loads for it were void`,
  );
  return { ok: verdict?.ok ?? false, lane };
}
