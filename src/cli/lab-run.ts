/** `plumbfox lab run`: a study from its name to its findings. */
import { existsSync, readdirSync } from 'node:fs';
import { arch, availableParallelism, release } from 'node:os';
import { dirname, join } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { PLUMBFOX_VERSION } from '../core/version.ts';
import { ensurePrograms } from '../lab/environment/ensure-programs.ts';
import { findPrivilege } from '../lab/link/privilege.ts';
import { keepAside } from '../lab/run/keep-aside.ts';
import { findStudy } from '../lab/studies/all-studies.ts';
import type { Study } from '../lab/studies/study.ts';
import { planFingerprint } from '../lab/study-run/fingerprint.ts';
import { holdRun } from '../lab/study-run/hold-run.ts';
import { runStudy } from '../lab/study-run/run-study.ts';
import { CAPTURES_FOLDER } from '../lab/study-run/study-captures.ts';
import { appendStudyLine, dropCutLine, readStudyLog, STUDY_LOG, standingLoads } from '../lab/study-run/study-log.ts';
import { STUDY_LOG_FORMAT, type StudyLine } from '../lab/study-run/study-log-lines.ts';
import { type StudyCut, type StudyPlan, studyPlan } from '../lab/study-run/study-plan.ts';
import { EXIT_CODES } from './exit-code.ts';
import { type Interruption, watchInterrupts } from './interruption.ts';
import type { LabRunArguments } from './lab-arguments.ts';
import { declared, labJson, labResults, labText, writeLabResults } from './lab-results.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';
import { openResultsFolder } from './results-folder.ts';
import { type RunSettings, resumeCommand, runSettings } from './run-settings.ts';

export async function labRun(options: LabRunArguments): Promise<number> {
  const study = findStudy(options.study);
  const plan = plannedOf(study, options);
  const bar = progressBar(process.stderr, () => performance.now(), { plain: process.env.TERM === 'dumb' });
  const interruption = watchInterrupts(() => performance.now());
  try {
    const folder = await folderOf(options);
    try {
      return await runIn(folder.path, { study, plan, options, bar, interruption });
    } finally {
      await folder.discardIfEmpty();
    }
  } finally {
    bar.clear();
    interruption.close();
  }
}

interface LabContext {
  readonly study: Study;
  readonly options: LabRunArguments;
  readonly bar: ProgressBar;
  readonly interruption: Interruption;
}

async function runIn(folder: string, { plan, ...context }: LabContext & { readonly plan: StudyPlan }): Promise<number> {
  const { study, options, bar, interruption } = context;
  const held = await holdRun(folder);
  try {
    await measure({ ...context, ...prepared(folder, { study, plan, options }) });
    bar.clear();
    return await conclude({ folder, options, interruption });
  } finally {
    held.release();
  }
}

/** @throws PlumbfoxError `bad-input` naming what the study has, when `--only` names something else. */
function plannedOf(study: Study, { only, cut, repeats, seed }: LabRunArguments): StudyPlan {
  const parts: StudyCut = cut ? study.cut : {};
  const pages = chosen('page', { asked: only.page, there: study.pages.map(({ name }) => name), otherwise: parts.pages });
  const links = chosen('link', { asked: only.link, there: study.links.map(({ name }) => name), otherwise: parts.links });
  const profiles = chosen('profile', { asked: only.profile, there: study.profiles.map(({ id }) => id), otherwise: parts.profiles });
  const times = repeats ?? parts.repeats;
  const plan = studyPlan(study, {
    cut: {
      ...(pages && { pages }),
      ...(links && { links }),
      ...(profiles && { profiles }),
      ...(times !== undefined && { repeats: times }),
    },
    seed,
  });
  if (plan.loads === 0) throw new PlumbfoxError('bad-input', `${study.id} measures none of these pages over any of these links`);
  return plan;
}

function chosen(
  what: string,
  { asked, there, otherwise }: { asked: readonly string[] | undefined; there: readonly string[]; otherwise: readonly string[] | undefined },
): readonly string[] | undefined {
  const unknown = asked?.find((name) => !there.includes(name));
  if (unknown !== undefined)
    throw new PlumbfoxError('bad-input', `--only: the study has no ${what} "${unknown}". It has ${there.join(', ')}`);
  return asked ?? otherwise;
}

interface LabFolder {
  readonly path: string;
  discardIfEmpty(): Promise<void>;
}

async function folderOf({ out, resume, study }: LabRunArguments): Promise<LabFolder> {
  const newest = out === undefined && resume ? newestRun(study) : out;
  if (resume && newest === undefined)
    throw new PlumbfoxError('bad-input', `There is no run of ${study} in plumbfox-results/ to take up again`);
  if (resume && newest !== undefined && !existsSync(join(newest, STUDY_LOG)))
    throw new PlumbfoxError('bad-input', `${newest} holds no run of a study that could be taken up again`);
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

interface Prepared {
  readonly plan: StudyPlan;
  readonly logPath: string;
  readonly session: number;
  readonly seed: number;
  readonly settings: RunSettings;
  /** Writes the log's first line, where it is a new one. @returns the name that a former log of that name has now. */
  readonly begin: () => Promise<string | undefined>;
}

/** @throws PlumbfoxError `bad-input` when the run in the folder measured something else. */
function prepared(folder: string, { study, plan, options }: { study: Study; plan: StudyPlan; options: LabRunArguments }): Prepared {
  const logPath = join(folder, STUDY_LOG);
  const processors = availableParallelism();
  if (!options.resume) {
    const settings = runSettings({ options, study, processors });
    const begin = async () => {
      const kept = await keepAside(logPath);
      appendStudyLine(logPath, { study: studyLine({ study, plan, options, settings }) });
      return kept;
    };
    return { plan, logPath, session: 0, seed: options.seed, settings, begin };
  }
  dropCutLine(logPath);
  const record = readStudyLog(logPath);
  const before = declared(record, folder);
  if (before.study.id !== study.id) throw new PlumbfoxError('bad-input', `${folder} holds a run of ${before.study.id}, not of ${study.id}`);
  if (planFingerprint(before.plan) !== record.study?.fingerprint)
    throw new PlumbfoxError(
      'bad-input',
      `${study.id} has changed since the run in ${folder}: what was measured then cannot go on now. Begin anew`,
    );
  const settings = runSettings({ options, study, processors, record });
  return { plan: before.plan, logPath, session: record.sessions.length, seed: before.seed, settings, begin: async () => undefined };
}

interface Begun {
  readonly study: Study;
  readonly plan: StudyPlan;
  readonly options: LabRunArguments;
  readonly settings: RunSettings;
}

function studyLine({ study, plan, options, settings }: Begun): StudyLine {
  return {
    format: STUDY_LOG_FORMAT,
    id: study.id,
    seed: options.seed,
    repeats: Math.max(...plan.blocks.map(({ repeat }) => repeat)) + 1,
    pages: plan.pages.map(({ name }) => name),
    links: plan.links.map(({ name }) => name),
    profiles: plan.profiles.map(({ id }) => id),
    fingerprint: planFingerprint(plan),
    command: commandOf(options),
    timeoutS: settings.timeoutS,
    capture: settings.capture,
  };
}

async function measure(context: LabContext & Prepared): Promise<void> {
  const { study, options, plan, logPath, session, seed, settings, begin, bar, interruption } = context;
  const programs = await ensurePrograms({
    emulator: true,
    capture: settings.capture,
    servers: [...new Set(plan.pages.map(({ servedBy }) => servedBy))],
    install: options.install,
    onInstall: (packages) => bar.say(`Installing ${packages.join(', ')} ...`),
  });
  const privilege = await findPrivilege();
  if (privilege.kind === 'none')
    throw new PlumbfoxError(
      'environment',
      `A study needs network namespaces, and there are none: ${privilege.reason}. ${privilege.whatToDo}`,
    );
  interruption.check('Interrupted before the first load; nothing is kept');
  const kept = await begin();
  if (kept !== undefined) bar.say(`${logPath} was there before: it is kept as ${kept}`);
  bar.say(`${study.id}: ${study.question}`);
  bar.say(`${plan.loads} loads with ${programs.firefox.name}, seed ${seed}`);
  if (settings.lanesWhy !== undefined) bar.say(settings.lanesWhy);
  try {
    await runStudy({
      study,
      plan,
      logPath,
      session,
      program: programs.firefox.path,
      prefix: privilege.prefix,
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
      say: (line) => bar.say(line),
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
  if (record.loads.length === 0) interruption.check(`Interrupted before the first load; go on with: ${again}`);
  if (standingLoads(record).length === 0)
    interruption.check(
      `Interrupted before it was known whether lanes disturb each other: ${record.loads.length} loads wait for that; go on with: ${again}`,
    );
  const results = labResults(folder);
  const files = await writeLabResults(folder, results, record.study?.command ?? commandOf(options));
  process.stdout.write(options.json ? `${JSON.stringify(labJson(results, files), null, 2)}\n` : labText(results, files));
  const { valid, planned } = results;
  interruption.check(`Interrupted after ${valid} of ${planned} loads; go on with: ${again}`);
  if (valid < planned) {
    const reason = record.loads.findLast(({ load }) => load.validity.state === 'void')?.load.validity;
    const why = reason?.state === 'void' ? `, the last because ${reason.reason}` : '';
    throw new PlumbfoxError('run-void', `${planned - valid} of ${planned} loads are void${why}. Try them again with: ${again}`);
  }
  return EXIT_CODES.done;
}

/** As somebody else would type it. */
function commandOf({ study, only, cut, repeats, seed, timeoutS, capture }: LabRunArguments): string {
  const parts = Object.entries(only).flatMap(([key, names]) => names.map((name) => `${key}=${name}`));
  return [
    `npx plumbfox lab run ${study}`,
    ...(parts.length > 0 ? [`--only ${parts.join(',')}`] : []),
    ...(cut ? ['--cut'] : []),
    ...(repeats === undefined ? [] : [`--repeats ${repeats}`]),
    ...(timeoutS === undefined ? [] : [`--timeout ${timeoutS}`]),
    ...(capture ? ['--capture'] : []),
    `--seed ${seed}`,
  ].join(' ');
}
