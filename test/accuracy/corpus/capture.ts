/** Captures the corpus: one lane, every link checked, every load that is missing made, judged and appended. */
import type { Scenario } from '../../../src/core/compare/block-order.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { QUIET_MS } from '../../../src/core/measure/load-window.ts';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';
import { type PacketLane, packetLane } from '../../../src/lab/lane/packet-lane.ts';
import { checkLinkUntilAgreed, type LinkMeasurement } from '../../../src/lab/link/link-check.ts';
import type { LinkSpec } from '../../../src/lab/link/link-spec.ts';
import { linkFigures } from '../../../src/lab/link/links.ts';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { TOKEN_LENGTH } from '../../../src/lab/pages/recipe-graph.ts';
import { type RunLoad, type RunPage, recipePage } from '../../../src/lab/run/measure-one.ts';
import { measureRun, warmUp } from '../../../src/lab/run/measure-run.ts';
import { raiseAutogroups } from './autogroup-priority.ts';
import { CORPUS_LINKS, CORPUS_PROFILES, CORPUS_SCENARIOS, CORPUS_SEED, capturePlan, linksOf } from './capture-plan.ts';
import { appendLine, dropCutLine, readWorkingFile } from './corpus-files.ts';
import { type CorpusLoad, tenths, timelineOf } from './corpus-load.ts';

/** The slowest load expected takes a third of it. */
const LOAD_TIMEOUT_MS = 60_000;
/** Another program may disturb a check for a moment; a link that fails this often is not what was asked. */
const CHECK_ATTEMPTS = 4;
/** Our own choice: a quarter of the time would show in each load on the near links. */
const MAX_LATE = 0.25;
const TICK_MS = 5;
/** A timer of an idle machine is late by less. */
const PUNCTUAL_MS = 1;
const LATE_WINDOW_MS = 2000;
/** Half of so many are kept at least: 70 s at 5 ms, the longest load that is waited for and what goes before it. */
const MAX_TICKS = 28_000;

export interface Capture {
  readonly firefox: string;
  readonly prefix: readonly string[];
  readonly workingFile: string;
  /** Of the corpus; absent: all. */
  readonly scenarios?: readonly Scenario[];
  readonly say: (line: string) => void;
  readonly interrupted: () => boolean;
  /** Given what ends the lane at once. */
  readonly onOpen: (close: () => Promise<void>) => void;
}

/** Settles when nothing is missing, or when interrupted. @throws PlumbfoxError when the lane breaks or a link is not what was asked. */
export async function capture(options: Capture): Promise<void> {
  dropCutLine(options.workingFile);
  const next = () =>
    capturePlan(readWorkingFile(options.workingFile).loads, {
      seed: CORPUS_SEED,
      ...(options.scenarios ? { scenarios: options.scenarios } : {}),
    });
  if (next().length === 0) return;
  const lane = await packetLane({ prefix: options.prefix });
  options.onOpen(() => lane.close());
  const goBack = raiseAutogroups();
  try {
    const pages = corpusPages(lane);
    await prepare(options, lane, pages);
    for (let plan = next(); plan.length > 0 && !options.interrupted(); plan = next()) {
      options.say(`${plan.length} loads to make`);
      await makeLoads(options, { lane, pages, plan });
    }
  } finally {
    goBack();
    await lane.close();
  }
}

/** Addresses of the same length for every load, so that what a document says at which byte is always the same. */
function corpusPages(lane: PacketLane): readonly RunPage[] {
  const started = Date.now().toString(36);
  let loads = 0;
  const names = [...new Set(CORPUS_SCENARIOS.map(({ page }) => page))];
  return names.map((name) => {
    const page = recipePage(findPage(name), lane.pageUrl);
    return { ...page, url: () => page.url(`${started}${(loads++).toString(36).padStart(TOKEN_LENGTH - started.length, '0')}`) };
  });
}

async function prepare(
  { firefox, workingFile, say, scenarios = CORPUS_SCENARIOS }: Capture,
  lane: PacketLane,
  pages: readonly RunPage[],
): Promise<void> {
  // The whole quiet window: what scripts fetch does not hold back the load event, and on a far link nothing may arrive between that event
  // and the answer for longer than the 150 ms that `plumbfox tune` waits.
  const { browser } = await lane.start({ program: firefox, variant: 'lab', quietMs: QUIET_MS, gatewayVisit: 'known-site' });
  await warmUp({ lane, pages, gateway: true, timeoutMs: LOAD_TIMEOUT_MS });
  const links: ({ readonly name: string } & LinkMeasurement)[] = [];
  for (const link of linksOf(scenarios)) {
    const measured = await checkedOrVoid(lane, link);
    links.push({ name: link.name, rttMs: tenths(measured.rttMs), downKbps: Math.round(measured.downKbps) });
    say(`${link.name}: ${linkFigures(link)}; measured RTT ${measured.rttMs.toFixed(1)} ms, ${measured.downKbps.toFixed(0)} kbit/s down`);
  }
  const congestionControl = lane.congestionControl ?? 'unknown';
  const session = { startedAt: new Date().toISOString(), firefox: browser.version, os: browser.os, congestionControl, links };
  appendLine(workingFile, { session });
}

async function checkedOrVoid(lane: PacketLane, link: LinkSpec): Promise<LinkMeasurement> {
  const { measured, verdict } = await checkLinkUntilAgreed(lane, link, CHECK_ATTEMPTS);
  if (verdict.ok) return measured;
  throw new PlumbfoxError('run-void', `The emulated link is not what was asked: ${verdict.reason}`);
}

interface Round {
  readonly lane: PacketLane;
  readonly pages: readonly RunPage[];
  readonly plan: ReturnType<typeof capturePlan>;
}

async function makeLoads({ workingFile, say, interrupted }: Capture, { lane, pages, plan }: Round): Promise<void> {
  const profiles = resolveProfiles(CORPUS_PROFILES);
  let made = 0;
  const watch = watchMachine();
  await measureRun({
    lane,
    plan,
    profiles,
    pages,
    links: CORPUS_LINKS,
    seed: CORPUS_SEED,
    timeoutMs: LOAD_TIMEOUT_MS,
    now: () => Date.now(),
    interrupted,
    onLoad: (load) => {
      // A load that was cut off because the lane was closed says nothing.
      if (interrupted()) return;
      const line = undisturbed(corpusLine(load), watch.lateShareBefore(load.measured.startedAt));
      appendLine(workingFile, line);
      made += 1;
      const told = line.void ?? `${line.figures?.loadTimeMs.toFixed(0)} ms`;
      say(`${made}/${plan.length} ${line.page} on ${line.link}, ${line.profile}, repeat ${line.repeat}: ${told}`);
    },
  }).finally(() => watch.stop());
}

/** By what the machine was like before it began, which the load cannot change. */
function undisturbed(line: CorpusLoad, lateShare: number): CorpusLoad {
  if (line.void !== undefined || lateShare <= MAX_LATE) return line;
  const { figures, timeline, ...place } = line;
  return { ...place, void: `the machine was busy before the load: timers were late for ${(100 * lateShare).toFixed(0)} % of the time` };
}

function corpusLine({ measured, record, carried }: RunLoad): CorpusLoad {
  const { page, link, profileId: profile, block: repeat, startedAt, validity, observed, measures } = measured;
  const place = { page, link, profile, repeat, startedAt };
  if (validity.state === 'void') return { ...place, void: validity.reason };
  const timeline = record && timelineOf(record, findPage(page));
  if (!timeline || !carried || observed?.peakDepth === undefined || measures?.efficiency === undefined || measures.bytes === undefined)
    return { ...place, void: 'the record lacks the timing or the bytes of a request' };
  const { peakConnections, peakOutstanding, peakDepth } = observed;
  return {
    ...place,
    figures: {
      loadTimeMs: tenths(measures.loadTimeMs),
      efficiency: Math.round(measures.efficiency * 1e4) / 1e4,
      bytes: measures.bytes,
      peakConnections,
      peakOutstanding,
      peakDepth,
      droppedDown: carried.down.dropped,
      droppedUp: carried.up.dropped,
    },
    timeline: timeline.map((times) => [...times]),
  };
}

/** Whether other programs keep the machine busy: a timer that comes late says so. */
function watchMachine() {
  const ticks: { readonly at: number; readonly lateMs: number }[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    ticks.push({ at: Date.now(), lateMs: Math.max(0, now - last - TICK_MS - PUNCTUAL_MS) });
    if (ticks.length > MAX_TICKS) ticks.splice(0, MAX_TICKS / 2);
    last = now;
  }, TICK_MS);
  return {
    /** Share of the two seconds before `at` (ms since the epoch) in which a timer was due and had not come; in [0, 1]. */
    lateShareBefore: (at: number): number => {
      const late = ticks.reduce((sum, tick) => sum + (tick.at <= at && tick.at > at - LATE_WINDOW_MS ? tick.lateMs : 0), 0);
      return Math.min(1, late / LATE_WINDOW_MS);
    },
    stop: () => clearInterval(timer),
  };
}
