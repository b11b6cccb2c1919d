/** Measures a list, or its lines, against Firefox's own settings in the lab: the run of `tune`, with profiles made of the list. */
import { join } from 'node:path';
import type { ListMeasurement } from '../../core/audit/audit.ts';
import type { AuditedLine, Finding, SpeedChange } from '../../core/audit/finding.ts';
import { lineEffects } from '../../core/audit/line-effects.ts';
import { actingPreferences } from '../../core/audit/predict-list.ts';
import { wholePlan } from '../../core/audit/screening-plan.ts';
import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { VersusBaseline } from '../../core/compare/comparison.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { comparableReport } from '../../core/report/comparable-loads.ts';
import type { Report } from '../../core/report/report.ts';
import { counted } from '../../core/text/figures.ts';
import { ensurePrograms } from '../../lab/ensure-programs.ts';
import { openResultsLog } from '../../lab/run/results-log.ts';
import { expectedLoadMs } from '../../lab/study-run/study-plan.ts';
import { LOAD_OVERHEAD_MS } from '../../lab/study-run/work-left.ts';
import { installOptions, type Progress, withProgress } from '../output/terminal.ts';
import { openResultsFolder } from '../results-folder.ts';
import { parseTuneArguments, type TuneArguments } from '../tune/arguments.ts';
import { openTuneLane } from '../tune/lane.ts';
import { writeResults } from '../tune/results.ts';
import { MAX_RACE_BLOCKS, runTune } from '../tune/run.ts';
import { eachLinePlan, type ReadByPages, readBy, whyNotSet } from './timed-lines.ts';

/** What decides a measurement besides the list. */
export interface MeasureOptions {
  readonly eachLine: boolean;
  readonly pages: readonly string[] | undefined;
  readonly links: readonly string[] | undefined;
  /** One of those that `tune` takes; absent: HTTP/1.1. */
  readonly protocol: string | undefined;
  readonly seed: string | undefined;
  readonly out: string | undefined;
  readonly yes: boolean;
}

export interface MeasuredList {
  readonly lines: readonly AuditedLine[];
  readonly measurement: ListMeasurement;
}

/** Two pages of many small files, and two links on which they take a second or two. */
const PAGES = ['news', 'shop'];
const LINKS = ['dsl-10m', 'rtt=100,down=10000,up=2000'];
/** A run ends before this, whatever the machine: blocks are planned for three quarters of it, and none is begun later. */
const MAX_MINUTES = 18.5;
const PLANNED_SHARE = 0.75;
const MIN_BLOCKS = 3;
/** A screening of lines has no more. */
const MAX_BLOCKS = 12;
const MINUTE_MS = 60_000;

/** @throws PlumbfoxError `bad-input` where nothing in the list can be measured; others as `tune`. */
export async function measureList(lines: readonly AuditedLine[], options: MeasureOptions): Promise<MeasuredList> {
  const acting = actingPreferences(lines);
  const settable = Object.entries(acting).filter(([name, value]) => whyNotSet(name, value) === undefined);
  if (settable.length === 0)
    throw new PlumbfoxError('bad-input', 'Nothing in this list can be measured: none of its lines changes what the lab can set');
  const tune = tuneOptions(options);
  const reads = readBy(tune);
  const plan = options.eachLine ? eachLinePlan(settable, { reads, lines }) : wholePlan(settable);
  const { profiles, whole, arms, timed, clear } = plan;
  const run = await withProgress((progress) => measured(profiles, { tune, untilAnswered: !options.eachLine }, progress));
  const names = settable.map(([name]) => name);
  const loads = comparableReport(run.report);
  const found = options.eachLine ? lineEffects(loads, { arms, lines: timed, plannedBlocks: run.blocks }) : [];
  const versus = compareProfiles(
    loads.filter(({ profileId }) => profileId === BASELINE_ID || profileId === whole),
    { baseline: BASELINE_ID, plannedBlocks: run.report.provenance.plannedBlocks },
  ).profiles.find(({ id }) => id === whole)?.versusBaseline;
  const effects = new Map(found.map((each) => [each.line, each]));
  return {
    lines: options.eachLine ? lines.map((line) => withTimed(line, { effects, acting, reads, clear })) : lines,
    measurement: {
      change: versus && changeOf(versus),
      verdict: versus?.verdict ?? 'no-verdict',
      pairs: versus?.pairs ?? 0,
      pages: run.report.pages.map(({ name }) => name),
      links: run.report.links.map(({ name }) => name),
      set: names,
      notSet: Object.keys(acting).filter((name) => !names.includes(name)),
      minutes: run.minutes,
      report: run.path,
      ...(options.eachLine && { screening: { arms: profiles.length, clear } }),
    },
  };
}

interface Timed {
  readonly effects: ReadonlyMap<string, ReturnType<typeof lineEffects>[number]>;
  readonly acting: Readonly<Record<string, PreferenceValue>>;
  readonly reads: ReadByPages;
  readonly clear: boolean;
}

function withTimed(line: AuditedLine, { effects, acting, reads, clear }: Timed): AuditedLine {
  if (line.group !== 'acts' || !Object.hasOwn(acting, line.name)) return line;
  const effect = effects.get(line.name);
  const value = acting[line.name] ?? line.value;
  const finding: Finding =
    effect === undefined
      ? { kind: 'not-timed', why: whyNotSet(line.name, value) ?? (reads([line.name, value]) ? 'too-many' : 'not-read') }
      : { kind: 'timed', change: changeOf(effect), verdict: effect.verdict, pairs: effect.pairs, clear };
  return { ...line, findings: [finding, ...line.findings] };
}

function changeOf({ ratio, low, high }: Pick<VersusBaseline, 'ratio' | 'low' | 'high'>): SpeedChange | undefined {
  if (ratio === undefined) return undefined;
  return { ratio, ...(low !== undefined && high !== undefined && { low, high }) };
}

interface MeasuredRun {
  readonly report: Report;
  readonly blocks: number;
  readonly minutes: number;
  /** The report's file. */
  readonly path: string;
}

/** A screening of lines needs all its arms to the end; a list as a whole is raced with Firefox's own settings. */
async function measured(
  profiles: readonly Profile[],
  { tune, untilAnswered }: { readonly tune: TuneArguments; readonly untilAnswered: boolean },
  { bar, interruption }: Progress,
): Promise<MeasuredRun> {
  const begun = performance.now();
  const planned = inTime(profiles, { tune, maxBlocks: untilAnswered ? MAX_RACE_BLOCKS : MAX_BLOCKS });
  const programs = await ensurePrograms({
    emulator: true,
    servers: [planned.servedBy],
    ...installOptions(planned.install, { bar, interruption }),
  });
  interruption.check(NOTHING_KEPT);
  const folder = await openResultsFolder(planned.out, new Date());
  let opened: Awaited<ReturnType<typeof openTuneLane>> | undefined;
  try {
    opened = await openTuneLane(planned, undefined);
    const lane = opened.lane;
    interruption.onInterrupt(() => lane.close());
    const most = counted(planned.blocks, 'block');
    bar.log(`Measuring ${profiles.length} sets of settings, ${untilAnswered ? `at most ${most}` : most}, seed ${planned.seed}`);
    const log = await openResultsLog(folder.path);
    const isOver = () => performance.now() - begun > MAX_MINUTES * MINUTE_MS;
    const ends = { ...interruption, interrupted: () => interruption.interrupted() || isOver() };
    const { report, failure } = await runTune({
      options: untilAnswered ? { ...planned, blocks: undefined } : planned,
      maxBlocks: planned.blocks,
      opened,
      programs,
      bar,
      log,
      interruption: ends,
    });
    interruption.check(`Interrupted after ${report.loads.length} loads, which are kept in ${folder.path}`);
    if (failure) throw failure;
    await writeResults({
      folder: folder.path,
      report,
      profiles,
      loadsPath: log.path,
      onKept: (path, aside) => bar.log(`${path} is kept as ${aside}`),
    });
    const minutes = (performance.now() - begun) / MINUTE_MS;
    return { report, blocks: planned.blocks, minutes, path: join(folder.path, 'report.json') };
  } finally {
    await opened?.lane.close();
    await folder.discardIfEmpty();
  }
}

const NOTHING_KEPT = 'Interrupted before the first load; nothing is kept';

/** The arguments of `tune` for such a run, but for its profiles and blocks. */
const tuneOptions = ({ pages, links, protocol, seed, out, yes }: MeasureOptions): TuneArguments =>
  parseTuneArguments([
    ...['--pages', (pages ?? PAGES).join(',')],
    ...(links ?? LINKS).flatMap((link) => ['--links', link]),
    ...(protocol === undefined ? [] : ['--protocol', protocol]),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(out === undefined ? [] : ['--out', out]),
    ...(yes ? ['--yes'] : []),
  ]);

/** The run of these profiles, with the blocks that the time allows, by the simulator's load times. */
function inTime(
  profiles: readonly Profile[],
  { tune, maxBlocks }: { readonly tune: TuneArguments; readonly maxBlocks: number },
): TuneArguments & { readonly blocks: number } {
  const blockMs = tune.pages.flatMap((recipe) =>
    tune.links.map((link) => {
      const page = { name: recipe.name, recipe, servedBy: tune.servedBy, connections: 'cold' } as const;
      const times = expectedLoadMs({ page, link }, profiles);
      return profiles.reduce((sum, { id }) => sum + (times.get(id) ?? 0) + LOAD_OVERHEAD_MS, 0);
    }),
  );
  const fitting = Math.floor((PLANNED_SHARE * MAX_MINUTES * MINUTE_MS) / blockMs.reduce((sum, ms) => sum + ms, 0));
  return { ...tune, profiles, blocks: Math.min(maxBlocks, Math.max(MIN_BLOCKS, fitting)) };
}
