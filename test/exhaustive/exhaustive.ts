/** `npm run search:exhaustive`: measures what is missing, scenario by scenario, and compares the searches with the best of all sets. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { BASELINE_ID } from '../../src/core/profiles/profile.ts';
import { ensurePrograms } from '../../src/lab/ensure-programs.ts';
import { findPrivilege } from '../../src/lab/link/namespace-process.ts';
import { endWithCodeOf } from '../support/command-end.ts';
import { bestOf, pickResult, resultText } from './compare.ts';
import { equalSearch } from './equal.ts';
import { condense, loadsOf, readLog } from './log.ts';
import { answerOf, measureScenario, pickOf } from './measure.ts';
import { ALL_SETS, type ExhaustiveScenario, LOADS_EACH, SCENARIOS, SEARCH_LOADS, SETS } from './scenarios.ts';

const DEFAULT_LOG = '.cache/exhaustive/loads.jsonl';
/** Minutes a scenario was estimated to take: 384 loads of 2.2 s, 32 controls, a search of 96 loads with controls, and the check. */
const MINUTES_EACH = 22;

const HELP = `npm run search:exhaustive -- [options]

Measures all ${SETS} sets of five preferences, ${LOADS_EACH} loads each, in ${SCENARIOS.length} scenarios; searches with ${SEARCH_LOADS} loads; compares what the
search picked with the best of all sets on fresh loads. About ${MINUTES_EACH} minutes for each scenario, taken up again where it was interrupted.

  --only ID    this scenario alone; can be given more than once
  --log FILE   where the loads are kept (default: ${DEFAULT_LOG})
  --results    measures nothing: what is there so far
  --keep FILE  writes what the results need of the log to FILE, which ends in .jsonl.gz and can be read as a log
  --equal N    instead: N searches with their real screening among loads that are all equal, which are drawn; no Firefox
  --help       this text

Scenarios: ${SCENARIOS.map(({ id }) => id).join(', ')}
`;

function results(log: string, chosen: readonly ExhaustiveScenario[]): string {
  const entries = readLog(log);
  return resultText(
    chosen.flatMap((scenario) => {
      const answer = answerOf(scenario, log);
      const exhaustive = loadsOf(entries, scenario.id, 'exhaustive');
      if (answer === undefined || exhaustive.every(({ profileId }) => profileId !== BASELINE_ID)) return [];
      const best = bestOf(exhaustive, ALL_SETS);
      const searchLoads = loadsOf(entries, scenario.id, 'search').length;
      const check = loadsOf(entries, scenario.id, 'check');
      return [pickResult({ scenario: scenario.id, exhaustive, check, best, pick: pickOf(answer), searchLoads })];
    }),
  );
}

function equalText(searches: number): string {
  const states = Array.from({ length: searches }, (_, seed) => equalSearch(seed + 1).state);
  return `${states.filter((state) => state === 'faster').length} of ${searches} searches among equal loads recommend something.\n`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      log: { type: 'string' },
      results: { type: 'boolean' },
      keep: { type: 'string' },
      equal: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.equal !== undefined) {
    if (!/^[1-9]\d{0,3}$/.test(values.equal)) throw new PlumbfoxError('bad-input', '--equal must be a whole number from 1 to 9999');
    process.stdout.write(equalText(Number(values.equal)));
    return 0;
  }
  const unknown = values.only?.find((id) => SCENARIOS.every((scenario) => scenario.id !== id));
  if (unknown !== undefined)
    throw new PlumbfoxError('bad-input', `There is no scenario ${unknown}. Scenarios: ${SCENARIOS.map(({ id }) => id).join(', ')}`);
  const chosen = SCENARIOS.filter(({ id }) => values.only?.includes(id) ?? true);
  const log = values.log ?? DEFAULT_LOG;
  if (values.results !== true && values.keep === undefined) await measure(chosen, log);
  if (values.keep !== undefined) condense(readLog(log), values.keep);
  process.stdout.write(results(log, chosen));
  return 0;
}

async function measure(chosen: readonly ExhaustiveScenario[], log: string): Promise<void> {
  const servers = [...new Set(chosen.map(({ servedBy }) => servedBy))];
  const { firefox } = await ensurePrograms({ emulator: true, servers, install: false, onInstall: () => {} });
  const privilege = await findPrivilege();
  if (privilege.kind === 'none') throw new PlumbfoxError('environment', `Links are emulated per packet here: ${privilege.reason}`);
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isInterrupted = true;
    });
  }
  const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  for (const scenario of chosen) {
    if (isInterrupted) return;
    await measureScenario(scenario, { firefox: firefox.path, prefix: privilege.prefix, interrupted: () => isInterrupted, log, say });
  }
}

await endWithCodeOf(main);
