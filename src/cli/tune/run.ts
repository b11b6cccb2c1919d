/** The run of `tune`: starts the lane, checks the links, makes the loads in random order within blocks, builds the report. */
import { blockOrder, type PlannedLoad } from '../../core/compare/block-order.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { QUIET_MS } from '../../core/measure/load-window.ts';
import { carrierFor } from '../../core/profiles/carrier.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { buildReport } from '../../core/report/build-report.ts';
import type { Report, ReportLink } from '../../core/report/report.ts';
import type { Programs } from '../../lab/ensure-programs.ts';
import type { StartLane } from '../../lab/lane/lane-protocol.ts';
import type { LinkMeasurement } from '../../lab/link/link-check.ts';
import { checkLinkUntilAgreed } from '../../lab/link/link-check.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { congestionControlOf } from '../../lab/link/link-spec.ts';
import { linkFigures } from '../../lab/link/links.ts';
import type { PageRecipe } from '../../lab/pages/page-recipe.ts';
import type { ServedBy } from '../../lab/pages/served-by.ts';
import { type MachineLoad, watchMachineLoad } from '../../lab/run/machine-load.ts';
import type { RunLoad } from '../../lab/run/measure-one.ts';
import { measureRun, warmUp } from '../../lab/run/measure-run.ts';
import { networkIdleMs } from '../../lab/run/network-idle.ts';
import type { ResultsLog } from '../../lab/run/results-log.ts';
import { expectedLoadMs } from '../../lab/study-run/study-plan.ts';
import { LOAD_OVERHEAD_MS } from '../../lab/study-run/work-left.ts';
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
}

export interface TuneOutcome {
  readonly report: Report;
  /** Loads that were to be made; of a search, which plans as it goes, those that were. */
  readonly planned: number;
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

/** Makes every planned load of the run, and the report of what was measured. @throws PlumbfoxError as `startRun`. */
export async function runTune(run: TuneRun): Promise<TuneOutcome> {
  const { options, opened } = run;
  const createdAt = new Date().toISOString();
  const real = opened.lane.kind === 'real';
  const { start, facts, machine, checked } = await startRun(run);
  const plan = blockOrder({
    profiles: options.profiles.map(({ id }) => id),
    scenarios: (real ? [REAL_LINK] : options.links.map(({ name }) => name)).flatMap((link) =>
      opened.pages.map(({ report }) => ({ page: report.name, link })),
    ),
    blocks: options.blocks,
    seed: options.seed,
  });
  const { loads, failure } = await makeLoads(run, plan, machine);
  const pages = opened.pages.map(({ report: page }) => page);
  const results = real ? realNetworkLoads(loads) : { loads: loads.map(({ measured }) => measured), links: checked };
  const report = buildReport({
    createdAt,
    provenance: provenance({ options, opened, facts, start, machine }),
    ...results,
    pages: real ? realNetworkPages(pages, loads) : pages,
    profiles: options.profiles.map(reportProfile),
    baseline: BASELINE_ID,
  });
  return { report, planned: plan.length, failure };
}

function startOptions({ programs, options }: TuneRun, real: boolean): StartLane {
  const common = { program: programs.firefox.path, variant: 'lab', startTimeoutMs: options.timeoutS * 1000 } as const;
  if (!real) return { ...common, quietMs: networkIdleMs(options.pages, options.links) };
  // The lab's own pages have fresh addresses; a real one must not come from the cache the second time.
  return { ...common, quietMs: QUIET_MS, preferences: { 'browser.cache.disk.enable': false, 'browser.cache.memory.enable': false } };
}

interface MadeLoads {
  readonly loads: readonly RunLoad[];
  readonly failure: Error | undefined;
}

async function makeLoads(
  { options, opened, bar, log, interruption }: TuneRun,
  plan: readonly PlannedLoad[],
  machine: MachineLoad,
): Promise<MadeLoads> {
  const loads: RunLoad[] = [];
  let failure: Error | undefined;
  const real = opened.lane.kind === 'real';
  const left = tuneTimeLeft({
    plan,
    profiles: options.profiles,
    pages: real ? [] : options.pages,
    links: real ? [] : options.links,
    servedBy: options.servedBy,
    now: () => performance.now(),
  });
  bar.show({ done: 0, total: plan.length, label: 'loads' });
  try {
    await measureRun({
      lane: opened.lane,
      plan,
      profiles: options.profiles,
      pages: opened.pages,
      links: real ? [] : options.links,
      seed: options.seed,
      timeoutMs: options.timeoutS * 1000,
      now: () => Date.now(),
      interrupted: interruption.interrupted,
      onLoad: (load) => {
        log.append(load.measured);
        loads.push(load);
        machine.read();
        const leftMs = left.ended(load.measured);
        bar.show({ done: loads.length, total: plan.length, label: `${load.measured.profileId} on ${load.measured.page}`, leftMs });
      },
    });
  } catch (error) {
    // What breaks while the command stops, breaks because of that; what was measured is kept either way.
    if (!interruption.interrupted()) failure = error instanceof Error ? error : new Error(String(error));
  }
  return { loads, failure };
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

/**
 * How long a run of `tune` will go on. A load that was made before takes as long again; the others what the simulator says, times how far it
 * was off so far.
 */
interface TuneTimeLeft {
  /** A load of the plan has just ended. @returns ms that the rest of the plan will take. */
  ended(load: Cell): number;
}

interface TuneTimeLeftOptions {
  readonly plan: readonly PlannedLoad[];
  readonly profiles: readonly Profile[];
  /** Pages and links are empty on the real network, where every load is assumed to last as long as the others. */
  readonly pages: readonly PageRecipe[];
  readonly links: readonly LinkSpec[];
  readonly servedBy: ServedBy;
  /** Monotonic clock, ms; the first load begins now. */
  readonly now: () => number;
}

export function tuneTimeLeft({ plan, profiles, pages, links, servedBy, now }: TuneTimeLeftOptions): TuneTimeLeft {
  const times = new Map<string, number>();
  for (const page of pages) {
    for (const link of links) {
      const predicted = expectedLoadMs({ page: { name: page.name, recipe: page, servedBy, connections: 'cold' }, link }, profiles);
      for (const [profileId, ms] of predicted) times.set(key({ page: page.name, link: link.name, profileId }), ms);
    }
  }
  const expectedMs = (load: Cell): number => (times.get(key(load)) ?? 0) + LOAD_OVERHEAD_MS;
  const took = new Map<string, number>();
  let waiting: readonly PlannedLoad[] = plan;
  const made = { expected: 0, took: 0 };
  let before = now();
  return {
    ended: (load) => {
      const at = now();
      const tookMs = at - before;
      before = at;
      made.expected += expectedMs(load);
      made.took += tookMs;
      took.set(key(load), tookMs);
      waiting = waiting.slice(1);
      const scale = made.took / made.expected;
      return waiting.reduce((sum, each) => sum + (took.get(key(each)) ?? scale * expectedMs(each)), 0);
    },
  };
}

type Cell = Pick<PlannedLoad, 'page' | 'link' | 'profileId'>;

const key = ({ page, link, profileId }: Cell): string => JSON.stringify([page, link, profileId]);
