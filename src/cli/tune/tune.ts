/** `plumbfox tune`: the main job from arguments to files. */

import { PlumbfoxError } from '../../core/errors.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { counted } from '../../core/text/figures.ts';
import { ensurePrograms } from '../../lab/ensure-programs.ts';
import { openResultsLog, type ResultsLog } from '../../lab/run/results-log.ts';
import { EXIT_CODES } from '../errors.ts';
import { installOptions, jsonText, type Progress, print, withProgress } from '../output/terminal.ts';
import { openResultsFolder } from '../results-folder.ts';
import { parseTuneArguments, readUrlFile, type TuneArguments, tuneHelp } from './arguments.ts';
import { tuneJson } from './json.ts';
import { type OpenedLane, openTuneLane } from './lane.ts';
import { checkAnyValid, summary, writeResults } from './results.ts';
import { runTune, type TuneOutcome } from './run.ts';
import { checkTimeForSearch, runSearch } from './search/run.ts';
import { screenPages } from './search/screening.ts';

/** @returns the exit code. @throws PlumbfoxError of the kinds of `exitCodeFor`; what was measured until then is in the folder. */
export async function tune(args: readonly string[]): Promise<number> {
  const options = parseTuneArguments(args);
  if (options.help) return print(tuneHelp());
  return withProgress((progress) => tuneInFolder({ options, ...progress }));
}

interface TuneContext extends Progress {
  readonly options: TuneArguments;
}

async function tuneInFolder(context: TuneContext): Promise<number> {
  const { options } = context;
  const addresses = options.urlFile === undefined ? undefined : await readUrlFile(options.urlFile);
  const folder = await openResultsFolder(options.out, new Date());
  try {
    return await conclude(context, { folder: folder.path, ...(await measure(context, { addresses, folder: folder.path })) });
  } finally {
    await folder.discardIfEmpty();
  }
}

interface Measured {
  readonly outcome: TuneOutcome;
  /** Those of the report. */
  readonly profiles: readonly Profile[];
  readonly log: ResultsLog;
}

async function measure(
  { options, bar, interruption }: TuneContext,
  { addresses, folder }: { addresses: readonly string[] | undefined; folder: string },
): Promise<Measured> {
  let opened: OpenedLane | undefined;
  const now = () => performance.now();
  const begunMs = now();
  try {
    const programs = await ensurePrograms({
      emulator: !addresses && !options.relay,
      servers: [options.servedBy],
      ...installOptions(options.install, { bar, interruption }),
    });
    interruption.check(NOTHING_KEPT);
    const screened = options.search && (await screenPages(options, { bar, interruption }, now));
    if (options.search && screened) checkTimeForSearch({ options, screened, now, begunMs, minutes: options.search.minutes });
    bar.log(`Measuring with ${programs.firefox.name}, seed ${options.seed}`);
    const lane = await openTuneLane(options, addresses);
    opened = lane;
    for (const line of [...options.notices, ...lane.notes, ...lane.remarks]) bar.log(line);
    interruption.onInterrupt(() => lane.lane.close());
    const log = await openResultsLog(folder);
    const run = { options, opened: lane, programs, bar, log, interruption };
    if (options.search === undefined || screened === undefined) return { outcome: await runTune(run), profiles: options.profiles, log };
    const { profiles, ...outcome } = await runSearch({ ...run, screened, now, begunMs, minutes: options.search.minutes });
    return { outcome, profiles, log };
  } catch (error) {
    // What breaks while the command stops, breaks because of that.
    interruption.check(NOTHING_KEPT);
    throw error;
  } finally {
    await opened?.lane.close();
  }
}

const NOTHING_KEPT = 'Interrupted before the first load; nothing is kept';

async function conclude(
  { options, bar, interruption }: TuneContext,
  { outcome: { report, failure }, profiles, log, folder }: Measured & { folder: string },
): Promise<number> {
  bar.clear();
  if (report.loads.length === 0) {
    interruption.check(NOTHING_KEPT);
    if (failure) throw failure;
  }
  const kept = `${counted(report.loads.length, 'load')}, kept in ${folder}`;
  const onKept = (path: string, aside: string) => bar.log(`${path} existed before: it is kept as ${aside}`);
  if (log.formerKeptAs !== undefined) onKept(log.path, log.formerKeptAs);
  const writing = writeResults({ folder, report, profiles, loadsPath: log.path, onKept });
  if (failure) {
    // The first failure is the one to report: a full disk fails twice.
    await writing.catch(() => {});
    if (!(failure instanceof PlumbfoxError)) throw failure;
    throw new PlumbfoxError(failure.kind, `${failure.message}. Given up after ${kept}`, { cause: failure });
  }
  const files = await writing;
  print(options.json ? jsonText(tuneJson(report, files)) : summary(report, files));
  interruption.check(`Interrupted after ${kept}`);
  checkAnyValid(report, files.report);
  return EXIT_CODES.done;
}
