/** The run of `tune`: checks the links, makes the loads in random order within blocks, builds the report. */
import { arch, release } from 'node:os';
import { blockOrder } from '../core/compare/block-order.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { carrierFor } from '../core/profiles/carrier-for.ts';
import { preferencesFor } from '../core/profiles/preferences-for.ts';
import { BASELINE_ID, CONTROL_ID } from '../core/profiles/presets.ts';
import { buildReport } from '../core/report/build-report.ts';
import type { MeasuredLoad, Provenance, Report, ReportLink, ReportPage, ReportProfile } from '../core/report/report.ts';
import type { Programs } from '../lab/environment/ensure-programs.ts';
import { labPreferences } from '../lab/firefox/lab-preferences.ts';
import type { LaneFacts } from '../lab/lane/lane-protocol.ts';
import { judgeLink } from '../lab/link/link-check.ts';
import type { LinkSpec } from '../lab/link/link-spec.ts';
import { bodyBytes, originCount, requestCount } from '../lab/pages/page-recipe.ts';
import { findPage } from '../lab/pages/pages.ts';
import { measureRun } from '../lab/run/measure-run.ts';
import type { ResultsLog } from '../lab/run/results-log.ts';
import type { Interruption } from './interruption.ts';
import type { ProgressBar } from './progress-bar.ts';
import type { TuneArguments } from './tune-arguments.ts';
import type { OpenedLane } from './tune-lane.ts';
import { PLUMBFOX_VERSION } from './version.ts';

/** The lab's pages ask for nothing after their load event, so the recorder need not wait the full 2 s. */
const LAB_QUIET_MS = 150;
/** Above the slowest load of the widest profile sets by far: 120 requests, one connection, RTT 600 ms. */
const LOAD_TIMEOUT_MS = 60_000;

export interface TuneRun {
  readonly options: TuneArguments;
  readonly opened: OpenedLane;
  readonly programs: Programs;
  readonly bar: ProgressBar;
  readonly log: ResultsLog;
  readonly interruption: Interruption;
}

export async function runTune(run: TuneRun): Promise<{ readonly report: Report; readonly planned: number }> {
  const { options, opened, programs, bar, log, interruption } = run;
  const createdAt = new Date().toISOString();
  const starting = opened.lane.start({ program: programs.firefox.path, variant: 'lab', quietMs: LAB_QUIET_MS });
  const facts = await starting;
  const links = await checkedLinks(run);
  const plan = blockOrder({
    profiles: options.profiles.map(({ id }) => id),
    scenarios: options.links.flatMap((link) => options.pages.map((page) => ({ page, link: link.name }))),
    blocks: options.blocks,
    seed: options.seed,
  });
  const loads: MeasuredLoad[] = [];
  bar.show({ done: 0, total: plan.length, label: 'loads' });
  await measureRun({
    lane: opened.lane,
    plan,
    profiles: options.profiles,
    links: options.links,
    seed: options.seed,
    timeoutMs: LOAD_TIMEOUT_MS,
    now: () => Date.now(),
    interrupted: interruption.interrupted,
    onLoad: (load) => {
      loads.push(load);
      log.append(load);
      bar.show({ done: loads.length, total: plan.length, label: `${load.profileId} on ${load.page}` });
    },
  }).catch((error: unknown) => {
    if (!interruption.interrupted()) throw error;
  });
  const report = buildReport({
    createdAt,
    provenance: provenance(run, facts),
    links,
    pages: options.pages.map(reportPage),
    profiles: options.profiles.map(reportProfile),
    loads,
    baseline: BASELINE_ID,
  });
  return { report, planned: plan.length };
}

async function checkedLinks({ options, opened, bar }: TuneRun): Promise<readonly ReportLink[]> {
  const links: ReportLink[] = [];
  for (const link of options.links) {
    const measured = await opened.lane.checkLink(link);
    const verdict = judgeLink(link, measured);
    if (!verdict.ok)
      throw new PlumbfoxError('run-void', `The emulated link is not what was asked, so nothing was measured: ${verdict.reason}`);
    const { name, rttMs, downKbps, upKbps, queue } = link;
    links.push({ name, kind: opened.lane.kind, basis: 'configured', asked: { rttMs, downKbps, upKbps, queue }, measured });
    bar.say(checkedLine(link, measured));
  }
  return links;
}

const checkedLine = (link: LinkSpec, measured: { rttMs: number; downKbps: number }): string =>
  `Link ${link.name}: asked RTT ${link.rttMs} ms, ${link.downKbps} kbit/s down, ${link.upKbps} up; measured ${measured.rttMs.toFixed(1)} ms, ${measured.downKbps.toFixed(0)} kbit/s`;

function reportPage(name: string): ReportPage {
  const page = findPage(name);
  return { name, requests: requestCount(page), origins: originCount(page), bytes: bodyBytes(page) };
}

function reportProfile(profile: TuneArguments['profiles'][number]): ReportProfile {
  const carrier = carrierFor(profile, { gateway: true });
  return {
    id: profile.id,
    title: profile.title,
    carrier,
    ...(profile.connections === undefined ? {} : { connections: profile.connections }),
    depth: profile.depth,
    intended: preferencesFor(profile, carrier),
    role: profile.id === BASELINE_ID ? 'baseline' : profile.id === CONTROL_ID ? 'control' : 'candidate',
  };
}

function provenance({ options, opened }: TuneRun, facts: LaneFacts): Provenance {
  return {
    plumbfox: PLUMBFOX_VERSION,
    firefox: { version: facts.browser.version, buildId: facts.browser.buildId },
    os: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    applier: facts.applier,
    seed: options.seed,
    ...(opened.lane.congestionControl ? { congestionControl: opened.lane.congestionControl } : {}),
    labPreferences: labPreferences(),
    notes: [
      ...opened.notes,
      ...(facts.applier === 'driver'
        ? ['This Firefox refuses Experiments: profiles were switched by the driver, not by the extension.']
        : []),
    ],
  };
}
