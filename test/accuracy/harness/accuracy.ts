/** `npm run accuracy`: predictions held against the corpus; exit code 1 if they are worse than the baseline. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { endWithCodeOf } from '../../support/command-end.ts';
import { loadLantern } from '../lantern/install-lantern.ts';
import { lanternPredictors } from '../lantern/lantern-predictors.ts';
import { ACCURACY_HELP, type AccuracyArguments, parseAccuracyArguments } from './accuracy-arguments.ts';
import { accuracyJson, accuracyText } from './accuracy-table.ts';
import { BASELINE_FILE, baselineOf, parseBaseline, worseThan } from './baseline.ts';
import { ANY_MACHINE, evaluate, type Predictor, type ScoredHalf, simulator, simulatorOnAnyMachine } from './evaluate.ts';
import { fitMachine, fitText } from './fit-machine.ts';
import { type LabMachine, machineOf } from './lab-machine.ts';
import type { MeasuredScenario } from './measured-scenario.ts';
import { MODEL_ERROR_FILE, modelErrorSource } from './model-error-source.ts';
import { productCases } from './product-cases.ts';
import { productScenarios } from './product-scenarios.ts';
import { type MeasuredCorpus, readCorpus } from './read-corpus.ts';
import { basisText, judgedPairs, regimeErrors } from './regime-errors.ts';
import { caseTables, type JudgedProduct, RESULTS_FILE, regimeTables, withCases, withRegimes, withResults } from './results-table.ts';
import { scenarioJson, scenarioText } from './scenario-table.ts';

async function main(): Promise<number> {
  const args = parseAccuracyArguments(process.argv.slice(2));
  if (args.help) {
    process.stdout.write(ACCURACY_HELP);
    return 0;
  }
  const corpus = readCorpus(args.corpus);
  if (args.fit) {
    const fit = fitMachine(corpus.scenarios);
    process.stdout.write(args.json ? `${JSON.stringify(fit, null, 2)}\n` : fitText(fit));
    return 0;
  }
  return args.scenario === undefined ? allScenarios(corpus, args) : oneScenario(corpus, args);
}

const tried =
  ({ model }: AccuracyArguments) =>
  (scenario: MeasuredScenario): LabMachine => {
    const machine = machineOf(scenario);
    return { ...machine, model: { ...machine.model, ...model } };
  };

function oneScenario({ scenarios }: MeasuredCorpus, args: AccuracyArguments): number {
  const scenario = found(scenarios, args.scenario ?? '');
  const options = { profileId: args.profile, machine: tried(args)(scenario) };
  process.stdout.write(args.json ? `${JSON.stringify(scenarioJson(scenario, options), null, 2)}\n` : scenarioText(scenario, options));
  return 0;
}

function found(scenarios: readonly MeasuredScenario[], name: string): MeasuredScenario {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario !== undefined) return scenario;
  throw new PlumbfoxError('bad-input', `There is no scenario "${name}". Scenarios: ${scenarios.map((each) => each.name).join(', ')}`);
}

async function allScenarios(corpus: MeasuredCorpus, args: AccuracyArguments): Promise<number> {
  const halves = evaluate(corpus.scenarios, { predictor: simulator(tried(args)), others: await others(args) });
  const worse = sinceBaseline(halves);
  const scenarios = productScenarios();
  const product: JudgedProduct = { cases: productCases(scenarios), pairs: scenarios.map(judgedPairs) };
  if (args.write) write(halves, product, basisText(scenarios));
  process.stdout.write(
    args.json
      ? `${JSON.stringify({ ...accuracyJson(halves, worse), cases: product.cases }, null, 2)}\n`
      : `${accuracyText(halves, args)}\nPredictions as plumbfox predict prints them, against all published loads (docs/accuracy.md):\n\n${[...regimeTables(product.pairs.flat()), '', ...caseTables(product)].join('\n')}\n`,
  );
  if (worse.length > 0) {
    process.stderr.write(`${args.write ? 'Written, although worse' : 'Worse'} than the baseline:\n${worse.join('\n')}\n`);
  }
  return worse.length > 0 && !args.write ? 1 : 0;
}

function write(halves: readonly ScoredHalf[], product: JudgedProduct, basis: string): void {
  writeFileSync(BASELINE_FILE, `${JSON.stringify(baselineOf(halves), null, 2)}\n`);
  const pairs = product.pairs.flat();
  const tables = withRegimes(withResults(readFileSync(RESULTS_FILE, 'utf8'), halves), pairs);
  writeFileSync(RESULTS_FILE, withCases(tables, product));
  writeFileSync(MODEL_ERROR_FILE, modelErrorSource(readFileSync(MODEL_ERROR_FILE, 'utf8'), { regimes: regimeErrors(pairs), basis }));
}

async function others(args: AccuracyArguments): Promise<ReadonlyMap<string, Predictor>> {
  return new Map([[ANY_MACHINE, simulatorOnAnyMachine], ...(args.lantern ? await lantern() : [])]);
}

/** It is there to compare with: without a network the rest is printed all the same. */
async function lantern(): Promise<ReadonlyMap<string, Predictor>> {
  try {
    return lanternPredictors(await loadLantern());
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return new Map();
  }
}

function sinceBaseline(halves: readonly ScoredHalf[]): readonly string[] {
  if (!existsSync(BASELINE_FILE)) return [];
  return worseThan(parseBaseline(readFileSync(BASELINE_FILE, 'utf8')), baselineOf(halves));
}

await endWithCodeOf(main);
