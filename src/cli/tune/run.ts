/** The run of `tune`: starts the lane, checks the links, makes the loads in random order within blocks, builds the report. */
import { blockOrderPart } from '../../core/compare/block-order.ts';
import { DROP_LABELS } from '../../core/compare/format-verdict.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { type RaceOrder, type RaceOutcome, race } from '../../core/experiment/race.ts';
import { QUIET_MS } from '../../core/measure/load-window.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { buildReport } from '../../core/report/build-report.ts';
import { comparableReport } from '../../core/report/comparable-loads.ts';
import type { Report, ReportLink } from '../../core/report/report.ts';
import { counted } from '../../core/text/figures.ts';
import type { Programs } from '../../lab/ensure-programs.ts';
import type { StartLane } from '../../lab/lane/lane-protocol.ts';
import type { LinkMeasurement } from '../../lab/link/link-check.ts';
import { checkLinkUntilAgreed } from '../../lab/link/link-check.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { congestionControlOf } from '../../lab/link/link-spec.ts';
import { linkFigures } from '../../lab/link/links.ts';
import { type MachineLoad, watchMachineLoad } from '../../lab/run/machine-load.ts';
import type { RunLoad } from '../../lab/run/measure-one.ts';
import { measureRun, warmUp } from '../../lab/run/measure-run.ts';
import { networkIdleMs } from '../../lab/run/network-idle.ts';
import type { ResultsLog } from '../../lab/run/results-log.ts';
import type { Interruption, ProgressBar } from '../output/terminal.ts';
import type { TuneArguments } from './arguments.ts';
import type { OpenedLane } from './lane.ts';
import { type MeasuredRun, provenance, REAL_LINK, realNetworkLoads, realNetworkPages, reportProfile } from './report.ts';

/** All that a run of `tune` works with. */
export interface TuneRun {
  readonly options: TuneArguments;
  readonly opened: OpenedLane;
  readonly programs: Programs;
  readonly bar: ProgressBar;
  readonly log: ResultsLog;
  readonly interruption: Interruption;
  /** Where no number of blocks is asked for. */
  readonly maxBlocks?: number;
}

export interface TuneOutcome {
  readonly report: Report;
  /** What ended the run before its time, unless the user interrupted it. */
  readonly failure: Error | undefined;
}

interface StartedRun extends Pick<MeasuredRun, 'facts' | 'start'> {
  readonly machine: MachineLoad;
  /** The links with what was measured of them; empty on the real network. */
  readonly checked: readonly ReportLink[];
}

/** Starts Firefox, warms it up, and checks the links. @throws PlumbfoxError `run-void` for a link that is not what was asked. */
export async function startRun(run: TuneRun): Promise<StartedRun> {
  const { options, opened, bar } = run;
  const real = opened.lane.kind === 'real';
  bar.log('Starting Firefox ...');
  const start = startOptions(run, real);
  const machine = watchMachineLoad();
  const facts = await opened.lane.start(start);
  await warmUp({
    lane: opened.lane,
    pages: opened.pages,
    gateway: options.profiles.some((profile) => carrierFor(profile, { gateway: true }) === 'gateway'),
    timeoutMs: options.timeoutS * 1000,
  });
  return { start, facts, machine, checked: real ? [] : await checkedLinks(run) };
}

/** Makes the loads of the run, and the report of what was measured. @throws PlumbfoxError as `startRun`. */
export async function runTune(run: TuneRun): Promise<TuneOutcome> {
  const { options, opened } = run;
  const createdAt = new Date().toISOString();
  const real = opened.lane.kind === 'real';
  const { start, facts, machine, checked } = await startRun(run);
  const { loads, failure, outcome } = await raceProfiles(run, machine);
  const pages = opened.pages.map(({ report: page }) => page);
  const results = real ? realNetworkLoads(loads) : { loads: loads.map(({ measured }) => measured), links: checked };
  const known = provenance({ options, opened, facts, start, machine, plannedBlocks: outcome.plannedBlocks });
  const report = buildReport({
    createdAt,
    provenance: { ...known, notes: [...known.notes, ...droppedSentences(outcome)] },
    ...results,
    pages: real ? realNetworkPages(pages, loads) : pages,
    profiles: options.profiles.map(reportProfile),
    baseline: BASELINE_ID,
    dropped: outcome.dropped,
  });
  return { report, failure };
}

function startOptions({ programs, options }: TuneRun, real: boolean): StartLane {
  const common = { program: programs.firefox.path, variant: 'lab', startTimeoutMs: options.timeoutS * 1000 } as const;
  if (!real) return { ...common, quietMs: networkIdleMs(options.pages, options.links) };
  // The lab's own pages have fresh addresses; a real one must not come from the cache the second time.
  return { ...common, quietMs: QUIET_MS, preferences: { 'browser.cache.disk.enable': false, 'browser.cache.memory.enable': false } };
}

interface RacedLoads {
  readonly loads: readonly RunLoad[];
  readonly failure: Error | undefined;
  readonly outcome: RaceOutcome;
}

async function raceProfiles(run: TuneRun, machine: MachineLoad): Promise<RacedLoads> {
  const { options, opened, bar, interruption, maxBlocks = MAX_RACE_BLOCKS } = run;
  const { blocks, links } = options;
  const scenarios = (opened.lane.kind === 'real' ? 1 : links.length) * opened.pages.length;
  const measure = orderMeasurer(run, { profiles: options.profiles, machine });
  const limit = blocks === undefined ? ({ kind: 'answer', maxBlocks } as const) : ({ kind: 'blocks', blocks } as const);
  const rounds = race({ profiles: options.profiles.map(reportProfile), scenarios, limit });
  const pages = opened.pages.map(({ report: page }) => page);
  const loads: RunLoad[] = [];
  let failure: Error | undefined;
  let known = 0;
  let step = rounds.next();
  while (step.done !== true) {
    const { made, failure: failed } = await measure(step.value);
    loads.push(...made);
    failure ??= failed;
    const measured = opened.lane.kind === 'real' ? realNetworkLoads(loads).loads.slice(known) : made.map((load) => load.measured);
    known = loads.length;
    step = rounds.next({
      loads: comparableReport({ loads: measured, pages }),
      interrupted: failed !== undefined || interruption.interrupted(),
    });
  }
  for (const line of droppedSentences(step.value)) bar.log(line);
  return { loads, failure, outcome: step.value };
}

/** A run that has not answered by then is not likely to in a time that anybody waits. Chosen: half an hour with four loads of a block and profile. */
export const MAX_RACE_BLOCKS = 40;

const droppedSentences = ({ dropped }: RaceOutcome): readonly string[] =>
  dropped.map(
    ({ profileId, because, afterBlocks }) => `${profileId}: dropped after ${counted(afterBlocks, 'block')}, ${DROP_LABELS[because]}.`,
  );

interface OrderedRun {
  /** All that began, baseline first. */
  readonly profiles: readonly Profile[];
  readonly machine: MachineLoad;
  /** Loads made before the first order. */
  readonly firstOrder?: number;
}

type OrderMeasurer = (
  order: Pick<RaceOrder, 'profileIds' | 'firstBlock' | 'blocks'> & Partial<Pick<RaceOrder, 'loadsLeft'>>,
) => Promise<{ readonly made: readonly RunLoad[]; readonly failure: Error | undefined; readonly tookMs: number }>;

/** Makes the loads that a race orders, one order after another. */
export function orderMeasurer(run: TuneRun, { profiles, machine, firstOrder = 0 }: OrderedRun): OrderMeasurer {
  const { options, opened, bar, log, interruption } = run;
  const links = opened.lane.kind === 'real' ? [] : options.links;
  const names = links.length === 0 ? [REAL_LINK] : links.map(({ name }) => name);
  const scenarios = names.flatMap((link) => opened.pages.map(({ report }) => ({ page: report.name, link })));
  let [done, elapsedMs] = [firstOrder, 0];
  return async ({ profileIds, firstBlock, blocks, loadsLeft }) => {
    const inRun = { profiles: profiles.map(({ id }) => id), scenarios, blocks, firstBlock, seed: options.seed };
    const plan = blockOrderPart(inRun, { profileIds, firstOrder: done });
    const total = done + (loadsLeft ?? plan.length);
    const made: RunLoad[] = [];
    const begunMs = performance.now();
    let failure: Error | undefined;
    bar.show({ done, total, label: 'loads' });
    try {
      await measureRun({
        lane: opened.lane,
        plan,
        profiles: profiles.filter(({ id }) => profileIds.includes(id)),
        pages: opened.pages,
        links,
        seed: options.seed,
        timeoutMs: options.timeoutS * 1000,
        now: () => Date.now(),
        interrupted: interruption.interrupted,
        onLoad: (load) => {
          log.append(load.measured);
          made.push(load);
          machine.read();
          const all = done + made.length;
          const leftMs = ((elapsedMs + performance.now() - begunMs) / (all - firstOrder)) * (total - all);
          bar.show({ done: all, total, label: `${load.measured.profileId} on ${load.measured.page}`, leftMs });
        },
      });
    } catch (error) {
      // What breaks while the command stops, breaks because of that; what was measured is kept either way.
      if (!interruption.interrupted()) failure = error instanceof Error ? error : new Error(String(error));
    }
    const tookMs = performance.now() - begunMs;
    done += made.length;
    elapsedMs += tookMs;
    return { made, failure, tookMs };
  };
}

async function checkedLinks({ options, opened, bar }: TuneRun): Promise<readonly ReportLink[]> {
  const links: ReportLink[] = [];
  for (const link of options.links) {
    const { measured, verdict } = await checkLinkUntilAgreed(opened.lane, link, CHECK_ATTEMPTS);
    if (!verdict.ok)
      throw new PlumbfoxError(
        'run-void',
        `The emulated link does not have the figures it should have, so nothing was measured: ${verdict.reason}`,
      );
    bar.log(checkedLine(link, { kind: opened.lane.kind, measured }));
    const { name, ...asked } = { ...link, ...congestionControlOf(link, opened.lane.congestionControl) };
    links.push({ name, kind: opened.lane.kind, basis: 'configured', asked, measured });
  }
  return links;
}

/** Another program may disturb a check for a moment; a link that fails this often is not what was asked. */
const CHECK_ATTEMPTS = 3;

function checkedLine(link: LinkSpec, { kind, measured }: { kind: string; measured: LinkMeasurement }): string {
  const name = link.name.includes('=') ? '' : `${link.name}: `;
  const up = measured.upKbps === undefined ? '' : `, ${measured.upKbps.toFixed(0)} up`;
  return `Link ${name}${linkFigures(link)} (${kind}); measured RTT ${measured.rttMs.toFixed(1)} ms, ${measured.downKbps.toFixed(0)} kbit/s down${up}`;
}
