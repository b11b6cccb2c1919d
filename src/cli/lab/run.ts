/** `plumbfox lab run`: a study from its name to its findings. */

import { existsSync, readdirSync } from 'node:fs';
import { arch, availableParallelism, release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { PLUMBFOX_VERSION } from '../../core/version.ts';
import { ensurePrograms, type Programs } from '../../lab/ensure-programs.ts';
import { findPrivilege } from '../../lab/link/namespace-process.ts';
import { keepAside } from '../../lab/run/results-log.ts';
import { slowLoadsSentence } from '../../lab/study-run/run-notes.ts';
import { runStudy } from '../../lab/study-run/run-study.ts';
import { CAPTURES_FOLDER } from '../../lab/study-run/study-captures.ts';
import {
  appendStudyLine,
  dropCutLine,
  holdRun,
  readStudyLog,
  STUDY_LOG,
  STUDY_LOG_FORMAT,
  type StudyLine,
  standingLoads,
} from '../../lab/study-run/study-log.ts';
import { planFingerprint } from '../../lab/study-run/study-plan.ts';
import { EXIT_CODES } from '../errors.ts';
import { shellWord } from '../output/own-command.ts';
import { type Interruption, installOptions, jsonText, type Progress, print, withProgress } from '../output/terminal.ts';
import { openResultsFolder } from '../results-folder.ts';
import type { LabRunArguments } from './arguments.ts';
import { checkSamePages, checkSameSettings, type LabPlan, labPlan, type RunSettings, resumeCommand, runSettings } from './plan.ts';
import { declared, labJson, labResults, labText, writeLabResults } from './results.ts';

export async function labRun(options: LabRunArguments): Promise<number> {
  const planned = labPlan(options);
  return withProgress(async (progress) => {
    const folder = await folderOf(options);
    try {
      return await runIn(folder.path, planned, { options, ...progress });
    } finally {
      await folder.discardIfEmpty();
    }
  });
}

interface LabContext extends Progress {
  readonly options: LabRunArguments;
}

async function runIn(folder: string, planned: LabPlan, context: LabContext): Promise<number> {
  const { options, bar, interruption } = context;
  const held = await holdRun(folder);
  try {
    await measure({ ...context, ...prepared(folder, planned, options) });
    bar.clear();
    return await conclude({ folder, options, interruption });
  } finally {
    held.release();
  }
}

interface LabFolder {
  readonly path: string;
  discardIfEmpty(): Promise<void>;
}

async function folderOf({ out, resume, study }: LabRunArguments): Promise<LabFolder> {
  const newest = out === undefined && resume ? newestRun(study) : out;
  if (resume && newest === undefined) throw new PlumbfoxError('bad-input', `There is no run of ${study} in plumbfox-results/ to continue`);
  if (resume && newest !== undefined && !existsSync(join(newest, STUDY_LOG)))
    throw new PlumbfoxError('bad-input', `${newest} has no run of a study to continue`);
  const name = `lab-${study}-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  return openResultsFolder(newest ?? join('plumbfox-results', name), new Date());
}

/** Names end in the time, so that the last in order is the newest. */
function newestRun(study: string): string | undefined {
  const folder = 'plumbfox-results';
  const runs = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(`lab-${study}-2`) && existsSync(join(folder, name, STUDY_LOG)))
    : [];
  const newest = runs.sort().at(-1);
  return newest === undefined ? undefined : join(folder, newest);
}

interface Prepared extends LabPlan {
  readonly logPath: string;
  readonly session: number;
  readonly seed: number;
  readonly settings: RunSettings;
  /** Writes the log's first line, where it is a new one. @returns the names that files have now which were there before. */
  readonly begin: () => Promise<readonly string[]>;
}

/** @throws PlumbfoxError `bad-input` when the run in the folder measured something else. */
function prepared(folder: string, planned: LabPlan, options: LabRunArguments): Prepared {
  const { study, otherPages } = planned;
  const logPath = join(folder, STUDY_LOG);
  const processors = availableParallelism();
  if (!options.resume) {
    const settings = runSettings({ options, study, processors });
    const begin = async () => {
      const kept = await keepRunAside(folder);
      appendStudyLine(logPath, { study: studyLine({ ...planned, options, settings }) });
      return kept;
    };
    return { ...planned, logPath, session: 0, seed: options.seed, settings, begin };
  }
  dropCutLine(logPath);
  const record = readStudyLog(logPath);
  const before = declared(record, folder);
  if (before.study.id !== study.id) throw new PlumbfoxError('bad-input', `${folder} holds a run of ${before.study.id}, not of ${study.id}`);
  checkSamePages(otherPages, { folder, begun: record.study });
  checkSameSettings(options, { folder, begun: record.study });
  if (planFingerprint(before.plan) !== record.study?.fingerprint)
    throw new PlumbfoxError(
      'bad-input',
      `${study.id} has changed since the run in ${folder}: that run cannot be continued. Start a new one`,
    );
  const settings = runSettings({ options, study, processors, record });
  const { otherPages: pages, otherProfiles } = record.study ?? {};
  return { ...before, otherPages: pages, otherProfiles, logPath, session: record.sessions.length, settings, begin: async () => [] };
}

interface Begun extends LabPlan {
  readonly options: LabRunArguments;
  readonly settings: RunSettings;
}

function studyLine({ study, otherPages, otherProfiles, plan, options, settings }: Begun): StudyLine {
  return {
    format: STUDY_LOG_FORMAT,
    id: study.id,
    seed: options.seed,
    repeats: Math.max(...plan.blocks.map(({ repeat }) => repeat)) + 1,
    pages: plan.pages.map(({ name }) => name),
    links: plan.links.map(({ name }) => name),
    profiles: plan.profiles.map(({ id }) => id),
    fingerprint: planFingerprint(plan),
    ...(otherPages && { otherPages: [...otherPages] }),
    ...(otherProfiles && { otherProfiles: [...otherProfiles] }),
    command: commandOf(options),
    timeoutS: settings.timeoutS,
    capture: settings.capture,
  };
}

const NOTHING_KEPT = 'Interrupted before the first load; nothing is kept';

/** @throws PlumbfoxError `environment` naming what this machine lacks. */
async function ready({
  options,
  plan,
  settings,
  bar,
  interruption,
}: LabContext & Prepared): Promise<{ programs: Programs; prefix: readonly string[] }> {
  const programs = await ensurePrograms({
    emulator: true,
    capture: settings.capture,
    servers: [...new Set(plan.pages.map(({ servedBy }) => servedBy))],
    ...installOptions(options.install, { bar, interruption }),
  });
  return { programs, prefix: await namespacePrefix('A study needs network namespaces') };
}

/** @param what - What needs them. @throws PlumbfoxError `environment` where there are none. */
export async function namespacePrefix(what: string): Promise<readonly string[]> {
  const privilege = await findPrivilege();
  if (privilege.kind !== 'none') return privilege.prefix;
  throw new PlumbfoxError('environment', `${what}, and there are none: ${privilege.reason}. ${privilege.whatToDo}`);
}

async function measure(context: LabContext & Prepared): Promise<void> {
  const { study, otherPages, plan, logPath, session, seed, settings, begin, bar, interruption } = context;
  const { programs, prefix } = await ready(context).catch((error: unknown) => {
    // What breaks while the command stops, breaks because of that.
    interruption.check(NOTHING_KEPT);
    throw error;
  });
  interruption.check(NOTHING_KEPT);
  const kept = await begin();
  if (kept.length > 0) bar.log(`${dirname(logPath)} had files in it: they are kept as ${kept.join(', ')}`);
  bar.log(`${study.id}: ${study.question}`);
  bar.log(`${plan.loads} loads with ${programs.firefox.name}, seed ${seed}`);
  if (settings.lanesWhy !== undefined) bar.log(settings.lanesWhy);
  // What a study's own pages take was seen before it was written down.
  const slow = otherPages && slowLoadsSentence(plan, { timeoutMs: settings.timeoutS * 1000 });
  if (slow !== undefined) bar.log(slow);
  try {
    await runStudy({
      study,
      plan,
      logPath,
      session,
      program: programs.firefox.path,
      prefix,
      captures: settings.capture ? join(dirname(logPath), CAPTURES_FOLDER) : undefined,
      timeoutMs: settings.timeoutS * 1000,
      lanes: settings.lanes,
      facts: {
        plumbfox: PLUMBFOX_VERSION,
        os: `${process.platform} ${release()} ${arch()}`,
        node: process.version,
        cores: availableParallelism(),
      },
      now: () => Date.now(),
      clock: () => performance.now(),
      notify: (line) => bar.log(line),
      onProgress: (progress) => bar.show(progress),
      interrupted: interruption.interrupted,
      onOpen: (close) => interruption.onInterrupt(close),
    });
  } catch (error) {
    // What breaks while the command stops, breaks because of that.
    if (!interruption.interrupted()) throw error;
  }
}

async function conclude({
  folder,
  options,
  interruption,
}: {
  folder: string;
  options: LabRunArguments;
  interruption: Interruption;
}): Promise<number> {
  const record = readStudyLog(join(folder, STUDY_LOG));
  const again = resumeCommand({ options, folder, begun: record.study });
  if (record.loads.length === 0) interruption.check(`Interrupted before the first load; continue with: ${again}`);
  if (standingLoads(record).length === 0)
    interruption.check(
      `Interrupted before it was known whether lanes disturb each other: ${record.loads.length} loads wait for that; continue with: ${again}`,
    );
  const results = labResults(folder);
  const files = await writeLabResults(folder, results, record.study?.command?.replace(/^npx /, '') ?? commandOf(options));
  print(options.json ? jsonText(labJson(results, files)) : labText(results, files));
  const { counts, planned } = results;
  const { valid, atBound, settledExcluded } = counts;
  interruption.check(`Interrupted after ${valid} of ${planned} loads; continue with: ${again}`);
  // Made again, a load that was lost for what it turned out to be would be replaced by a quicker one.
  if (valid > 0 && valid + atBound + settledExcluded === planned) {
    if (settledExcluded > 0)
      process.stderr.write(`plumbfox: ${settledExcluded} of ${planned} loads are excluded, and stay so; the findings name the reasons\n`);
    return EXIT_CODES.done;
  }
  if (valid < planned) {
    const reason = record.loads.findLast(({ load }) => load.validity.state === 'void')?.load.validity;
    const why = reason?.state === 'void' ? `, the last because ${reason.reason}` : '';
    throw new PlumbfoxError('run-void', `${planned - valid} of ${planned} loads were excluded${why}. Try them again with: ${again}`);
  }
  return EXIT_CODES.done;
}

/** The command as another user would type it. */
function commandOf({ study, only, pages, profiles, cut, repeats, seed, timeoutS, capture }: LabRunArguments): string {
  const parts = Object.entries(only).flatMap(([key, names]) => names.map((name) => `${key}=${name}`));
  // Where the files are stays private.
  const files = pages?.map((page) => basename(page)).join(',');
  return [
    `plumbfox lab run ${study}`,
    ...(files === undefined ? [] : [`--pages ${shellWord(files)}`]),
    ...(profiles === undefined ? [] : [`--profiles ${shellWord(profiles.join(','))}`]),
    ...(parts.length > 0 ? [`--only ${parts.join(',')}`] : []),
    ...(cut ? ['--cut'] : []),
    ...(repeats === undefined ? [] : [`--repeats ${repeats}`]),
    ...(timeoutS === undefined ? [] : [`--timeout ${timeoutS}`]),
    ...(capture ? ['--capture'] : []),
    `--seed ${seed}`,
  ].join(' ');
}

/** Whatever a run of a study writes into its folder. */
const WRITTEN = [STUDY_LOG, 'report.json', 'report.html', 'findings.md', 'pictures', CAPTURES_FOLDER];

/** @returns the names that the previous files have now. */
export async function keepRunAside(folder: string): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const name of WRITTEN) {
    const aside = await keepAside(join(folder, name));
    if (aside !== undefined) kept.push(basename(aside));
  }
  return kept;
}
