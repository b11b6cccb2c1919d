/** The run of `tune --search`: simulates, measures what the rounds of a search order, and builds the report. */
import { PlumbfoxError } from '../../../core/errors.ts';
import { minRaceLoads } from '../../../core/experiment/race.ts';
import { FIREFOX_DEFAULT, profileOf } from '../../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../../core/profiles/profile.ts';
import { buildReport } from '../../../core/report/build-report.ts';
import { comparableReport } from '../../../core/report/comparable-loads.ts';
import { recommendingAsSearched } from '../../../core/report/recommend-as-searched.ts';
import type { MeasuredLoad, Report } from '../../../core/report/report.ts';
import { firstVoidReason } from '../../../core/report/validity.ts';
import { settingsKey } from '../../../core/search/factorial.ts';
import { formatSearchAnswer } from '../../../core/search/format-search.ts';
import type { SearchAnswer, SearchRecord } from '../../../core/search/search-record.ts';
import { type OrderedLoads, type SearchOrder, type SearchOutcome, searchRounds } from '../../../core/search/search-rounds.ts';
import { counted } from '../../../core/text/figures.ts';
import type { MachineLoad } from '../../../lab/run/machine-load.ts';
import { LOAD_OVERHEAD_MS } from '../../../lab/study-run/work-left.ts';
import { provenance, reportProfile } from '../report.ts';
import { orderMeasurer, startRun, type TuneOutcome, type TuneRun } from '../run.ts';
import type { Screened } from './screening.ts';

export interface SearchRun extends TuneRun {
  readonly screened: Screened;
  /** Monotonic clock, ms. */
  readonly now: () => number;
  /** When the search began, by that clock. */
  readonly begunMs: number;
  readonly minutes: number;
}

export interface FoundSettings extends TuneOutcome {
  /** The profiles of the report: those that the answer rests on. */
  readonly profiles: readonly Profile[];
}

/** Report, files and the end of the processes. */
const RESERVED_MS = 8000;
/** A profile that shows its limit on a page of held pictures, over two changes of the link. */
const CONTROL_MS = 1600;

/** Makes the loads that the search orders, and the report of its answer. @throws PlumbfoxError as `startRun`. */
export async function runSearch(run: SearchRun): Promise<FoundSettings> {
  const { options, opened, screened, now } = run;
  const createdAt = new Date().toISOString();
  const started = await startRun(run);
  const measured: MeasuredLoad[] = [];
  const measuring = searchMeasurer(run, measured, started.machine);
  const { outcome, failure } = await converse(run, measuring);
  const { decisive } = outcome;
  const profiles = decisive?.arms ?? [FIREFOX_DEFAULT];
  const isDecisive = ({ block }: MeasuredLoad) => decisive !== undefined && block < decisive.blocks;
  const source = provenance({ options, opened, ...started, plannedBlocks: decisive?.plannedBlocks });
  const notes = [...source.notes, ...screened.notes];
  const measuredReport: Report = {
    ...buildReport({
      createdAt,
      provenance: { ...source, notes },
      loads: measured.filter(isDecisive),
      links: started.checked,
      pages: opened.pages.map(({ report: page }) => page),
      profiles: profiles.map(reportProfile),
      baseline: BASELINE_ID,
    }),
    search: searchRecord(run, outcome, Math.round((now() - run.begunMs) / 1000)),
  };
  return { report: recommendingAsSearched(measuredReport), failure, profiles };
}

interface Conversation {
  readonly outcome: SearchOutcome;
  /** What ended the loads before their time, unless the user interrupted them. */
  readonly failure: Error | undefined;
}

type Measurer = (order: SearchOrder) => Promise<{ readonly made: OrderedLoads; readonly failure: Error | undefined }>;

async function converse({ screened, options, ...run }: SearchRun, measure: Measurer): Promise<Conversation> {
  const candidates = screened.entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }));
  if (candidates.length === 0)
    return { outcome: { answer: nothingToMeasure(screened), steps: [], decisive: undefined }, failure: undefined };
  const predicted = new Map(screened.screening.screened.map((each) => [settingsKey(each.settings), each.predicted.ratio]));
  const rounds = searchRounds({
    candidates,
    scenarios: options.pages.length * options.links.length,
    loads: loadsLeft({ ...run, screened, options }, undefined),
    predicted: ({ preferences }) => predicted.get(settingsKey(preferences)),
  });
  let failure: Error | undefined;
  let step = rounds.next();
  while (step.done !== true) {
    run.bar.log(orderLine(step.value));
    const { made, failure: failed } = await measure(step.value);
    failure ??= failed;
    step = rounds.next(made);
  }
  return { outcome: step.value, failure };
}

/** The answer where nothing goes on to Firefox, with the highest end of what the predictions leave possible. */
export function nothingToMeasure({ space, screening }: Pick<Screened, 'space' | 'screening'>): SearchAnswer {
  if (space.modelled.length + space.curious.length === 0) return { state: 'nothing-beats', because: 'out-of-reach' };
  const highest = Math.max(...screening.screened.map(({ predicted }) => predicted.ratioBand?.high ?? Number.POSITIVE_INFINITY));
  return { state: 'nothing-beats', because: 'none-predicted', ...(Number.isFinite(highest) && { highest }) };
}

const STEPS: Readonly<Record<SearchOrder['kind'], string>> = {
  race: 'Measuring',
  contributions: 'What each preference does:',
};

const orderLine = ({ kind, arms, blocks }: SearchOrder): string => {
  const candidates = arms
    .slice(1)
    .map(({ id }) => id)
    .join(', ');
  return `${STEPS[kind]} ${candidates} (${counted(blocks, 'block')})`;
};

interface TimeForSearch extends Pick<SearchRun, 'screened' | 'now' | 'begunMs' | 'minutes'> {
  readonly options: { readonly pages: readonly unknown[]; readonly links: readonly unknown[] };
}

/**
 * A search whose shortest form takes longer than its minutes by the simulator's load times, controls not counted, would end without an answer.
 * @throws PlumbfoxError `bad-input`, one line.
 */
export function checkTimeForSearch({ options: { pages, links }, screened, now, begunMs, minutes }: TimeForSearch): void {
  const predictedMs = predictedLoadMs(screened);
  if (predictedMs === undefined || screened.entries.length === 0) return;
  const loads = minRaceLoads(pages.length * links.length);
  const needsMs = now() - begunMs + RESERVED_MS + loads * (predictedMs + LOAD_OVERHEAD_MS);
  if (needsMs <= minutes * 60_000) return;
  const where = `${counted(pages.length, 'page')} over ${counted(links.length, 'link')}`;
  const needed = Math.ceil(needsMs / 60_000);
  throw new PlumbfoxError(
    'bad-input',
    `--minutes ${minutes} is too short: a search of ${where} makes at least ${loads} loads. Give it --minutes ${needed} or more, or fewer pages and links`,
  );
}

/** Firefox's own settings, by the simulator; `undefined`: nothing was simulated. */
function predictedLoadMs({ screening }: Pick<Screened, 'screening'>): number | undefined {
  const [fastest] = screening.screened;
  return fastest && fastest.predicted.loadTimeMs * Math.max(1, fastest.predicted.ratio);
}

/** Measured ms of a load, controls included, by what was measured so far; before that by the simulator. */
function loadsLeft({ options, screened, now, begunMs, minutes }: SearchRun, measuredMs: number | undefined): number {
  const leftMs = begunMs + minutes * 60_000 - RESERVED_MS - now();
  const eachMs = measuredMs ?? (predictedLoadMs(screened) ?? FALLBACK_LOAD_MS) + LOAD_OVERHEAD_MS + CONTROL_MS;
  return Math.max(0, Math.floor(leftMs / eachMs) - (options.pages.length > 1 ? 1 : 0));
}

/** Nothing was simulated but Firefox's own settings. */
const FALLBACK_LOAD_MS = 2000;

function searchMeasurer(run: SearchRun, measured: MeasuredLoad[], machine: MachineLoad): Measurer {
  const { opened, screened, interruption } = run;
  const pages = opened.pages.map(({ report }) => report);
  const profiles = [FIREFOX_DEFAULT, ...screened.entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }))];
  let tookMs = 0;
  return async ({ kind, arms, firstBlock, blocks }) => {
    // What leaves preferences out has its own draws; in a race those that are dropped leave the order of the others as it was.
    const began = kind === 'race' ? profiles : arms;
    const measure = orderMeasurer(run, { profiles: began, machine, firstOrder: measured.length });
    const { made, failure, tookMs: took } = await measure({ profileIds: arms.map(({ id }) => id), firstBlock, blocks });
    const own = made.map((load) => load.measured);
    measured.push(...own);
    tookMs += took;
    return {
      failure,
      made: {
        loads: comparableReport({ loads: own, pages }),
        loadsLeft: loadsLeft(run, measured.length === 0 ? undefined : tookMs / measured.length),
        interrupted: failure !== undefined || interruption.interrupted(),
        excludedBecause: firstVoidReason(own),
      },
    };
  };
}

function searchRecord({ screened }: SearchRun, { answer, steps }: SearchOutcome, tookS: number): SearchRecord {
  const { space, screening, entries, isOutOfReach } = screened;
  const count = (support: string) => screening.screened.filter((each) => each.support === support).length;
  return {
    answer,
    sentences: [...formatSearchAnswer(answer, { isOutOfReach })],
    screening: {
      combinations: screening.combinations,
      simulatedLoads: screening.simulatedLoads,
      supported: count('supported'),
      possible: count('possible'),
      knobs: [...space.modelled, ...space.curious],
      outOfReach: space.outOfReach.map(({ preference }) => preference),
      shortlist: entries.map((entry) => ({
        profileId: profileOf({ depth: 1, preferences: entry.settings }).id,
        settings: entry.settings,
        why: entry.why,
        ...(entry.why === 'predicted' && { predicted: { ratio: entry.screened.predicted.ratio, ...entry.screened.predicted.ratioBand } }),
      })),
    },
    steps,
    tookS,
  };
}
