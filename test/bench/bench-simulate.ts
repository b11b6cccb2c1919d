/**
 * `npm run bench:simulate`: what predicting costs, next to Lantern on the same graphs in the same process, against the bars. Through the
 * built library, as others use it. Figures hold for this machine, and for what else runs on it.
 */
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { loadLantern } from '../accuracy/lantern/install-lantern.ts';
import type { Lantern } from '../accuracy/lantern/lantern.ts';
import { lanternGraph } from '../accuracy/lantern/lantern-graph.ts';
import { lanternPredict } from '../accuracy/lantern/lantern-predict.ts';
import { endWithCodeOf } from '../support/command-end.ts';
import { allMet, benchJson, benchText, type Contest, type Growth, STUDY_BAR_MS, WIDE_PAGE_BAR_MS } from './simulate/bench-figures.ts';
import { type Turns, timeInTurns, timeShortInTurns } from './simulate/timing.ts';
import { DSL, longResponse, STUDIES, type Study, type Workload, widePage } from './simulate/workloads.ts';

const DEFAULT_ROUNDS = '9';
const HELP = `npm run bench:simulate -- [options]

What predicting costs, next to Lantern on the same pages and links.

  --rounds N      timed rounds of each work, 1 to 100. Default: ${DEFAULT_ROUNDS}
  --no-lantern    without Lantern, which is fetched from npm
  --json          the figures as JSON
  --help          this text

Exit codes: 0 every bar met; 1 a bar missed; 2 arguments that cannot be used, or no Lantern
`;

const WIDE = 1000;
const SIZES = [50, 100, 200, 400, 800, 1600, 3200];
const WARM_UP = 3;

type Core = typeof import('../../src/core/index.ts');

interface Bench {
  readonly core: Core;
  readonly lantern: Lantern | undefined;
  readonly turns: Turns;
}

async function main(): Promise<number> {
  const { values } = parsed();
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const turns = { warmUp: WARM_UP, rounds: roundsOf(values.rounds ?? DEFAULT_ROUNDS) };
  const lantern = values['no-lantern'] === true ? undefined : await loadLantern();
  const bench: Bench = { core: await builtCore(), lantern, turns };
  const before = busy();
  const contests = [...STUDIES.map((study) => studyContest(bench, study)), widePageContest(bench)];
  const growths = [
    growth(bench, 'requests, firefox-default', { page: widePage, profile: 'firefox-default' }),
    growth(bench, 'requests, c4-d6', { page: widePage, profile: 'c4-d6' }),
    growth(bench, 'packets, one response', { page: longResponse, profile: 'firefox-default' }),
  ];
  const machine = { node: process.version, cores: availableParallelism(), processor: cpus()[0]?.model ?? 'unknown' };
  const figures = { machine, busy: { before, after: busy() }, rounds: turns.rounds, contests, growths };
  process.stdout.write(values.json === true ? `${JSON.stringify(benchJson(figures), null, 2)}\n` : benchText(figures));
  return allMet(figures) ? 0 : 1;
}

const busy = (): number => loadavg()[0] ?? 0;

function parsed() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string' },
        'no-lantern': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new PlumbfoxError('bad-input', error instanceof Error ? error.message : String(error));
  }
}

function roundsOf(given: string): number {
  if (!/^\d{1,3}$/.test(given) || Number(given) < 1 || Number(given) > 100) {
    throw new PlumbfoxError('bad-input', `--rounds must be a whole number from 1 to 100, not ${given}`);
  }
  return Number(given);
}

async function builtCore(): Promise<Core> {
  const file = resolve('dist/core/index.js');
  if (!existsSync(file)) throw new PlumbfoxError('environment', 'The library is not built: npm run bench:simulate builds it first');
  return await import(pathToFileURL(file).href);
}

function studyContest({ core, lantern, turns }: Bench, { what, workloads, profileSet, profiles, model }: Study): Contest {
  const ours = () => {
    for (const { page, link } of workloads) core.predict({ page, link, profiles: [profileSet], model });
  };
  return contest(`${workloads.length * profiles} loads: ${what}`, turns, {
    ours,
    lantern: lanternWork(lantern, workloads, profiles),
    barMs: STUDY_BAR_MS,
  });
}

function widePageContest({ core, lantern, turns }: Bench): Contest {
  const page = widePage(WIDE);
  const ours = () => {
    core.predict({ page, link: DSL, profiles: ['firefox-default'] });
  };
  const barMs = WIDE_PAGE_BAR_MS;
  return contest(`a page of ${WIDE} requests, one profile`, turns, {
    ours,
    lantern: lanternWork(lantern, [{ page, link: DSL }], 1),
    barMs,
  });
}

interface Works {
  readonly ours: () => void;
  readonly lantern: (() => void) | undefined;
  readonly barMs: number;
}

function contest(what: string, turns: Turns, { ours, lantern, barMs }: Works): Contest {
  const [own, other] = timeInTurns(lantern === undefined ? [ours] : [ours, lantern], turns);
  if (own === undefined) throw new RangeError('A work that was timed has a time');
  return { what, ours: own, lantern: other, barMs };
}

/** As many simulations as ours, its graphs made beforehand: Lighthouse, too, makes a graph once and simulates it several times. */
function lanternWork(lantern: Lantern | undefined, workloads: readonly Workload[], times: number): (() => void) | undefined {
  if (lantern === undefined) return undefined;
  const graphs = new Map(workloads.map(({ page }) => [page, lanternGraph(lantern, page)]));
  const simulations = workloads.flatMap(({ page, link }) => {
    const graph = graphs.get(page);
    return graph === undefined ? [] : Array.from({ length: times }, () => ({ graph, link }));
  });
  return () => {
    for (const { graph, link } of simulations) lanternPredict(lantern, graph, link);
  };
}

interface Growing {
  readonly page: typeof widePage;
  readonly profile: string;
}

function growth({ core, turns }: Bench, what: string, { page, profile }: Growing): Growth {
  const works = SIZES.map(page).map((graph) => () => {
    core.predict({ page: graph, link: DSL, profiles: [profile] });
  });
  const timings = timeShortInTurns(works, turns);
  const costs = SIZES.map((size, index) => ({ size, ms: timings[index]?.medianMs ?? Number.NaN }));
  return { what, costs };
}

await endWithCodeOf(main);
