/** `plumbfox predict`: what every profile would make of a page, in seconds, by simulation. */

import { predictJson } from '../../core/predict/predict-json.ts';
import { rankingTable } from '../../core/report/ranking-table.ts';
import { percent } from '../../core/text/figures.ts';
import { linkFigures } from '../../lab/link/links.ts';
import { requestCount } from '../../lab/pages/page-recipe.ts';
import { findSimulatedStudy, type SimulatedStudy, type StudyOutcome, simulateStudy } from '../../lab/studies/simulated-studies.ts';
import { EXIT_CODES } from '../errors.ts';
import { ownCommand } from '../output/own-command.ts';
import { terminalWidth } from '../output/terminal.ts';
import { parsePredictArguments, predictHelp } from './arguments.ts';
import { runPrediction, writeWaterfall } from './run.ts';
import { readPredictSource } from './source.ts';
import { predictText } from './text.ts';

export async function predict(args: readonly string[]): Promise<number> {
  const options = parsePredictArguments(args);
  if (options.help) {
    process.stdout.write(predictHelp());
    return EXIT_CODES.done;
  }
  if (options.study !== undefined) {
    process.stdout.write(studyOutput(options.study, { json: options.json, width: terminalWidth() }));
    return EXIT_CODES.done;
  }
  const facts = runPrediction(await readPredictSource(options.file, options.pages), options);
  if (options.svg !== undefined) await writeWaterfall(options.svg, facts, options.svgProfiles);
  if (options.json) process.stdout.write(`${JSON.stringify(predictJson(facts), null, 2)}\n`);
  else process.stdout.write(predictText(facts, { width: terminalWidth(), plumbfox: ownCommand() }));
  return EXIT_CODES.done;
}

/** @throws PlumbfoxError `bad-input` for a name that is no study's. */
function studyOutput(name: string, { json, width }: { readonly json: boolean; readonly width: number }): string {
  const study = findSimulatedStudy(name);
  const outcome = simulateStudy(study);
  return json ? `${JSON.stringify(studyJson(study, outcome), null, 2)}\n` : studyText(study, { outcome, width });
}

function studyJson({ name, title, links, pages, initialWindow, model }: SimulatedStudy, outcome: StudyOutcome) {
  return {
    study: { name, title, pages: pages.map((page) => page.name), links, initialWindow, model },
    basis: 'simulated' as const,
    ...outcome,
  };
}

function studyText(study: SimulatedStudy, { outcome, width }: { outcome: StudyOutcome; width: number }): string {
  const { ranking, averageGain, memoPick, recommended, slotsByConnections, scenarios } = outcome;
  const loads = scenarios.reduce((sum, { profiles }) => sum + profiles.length, 0);
  const slots = slotsByConnections.filter((each) => each.slots > 0).map((each) => `${each.slots} with ${each.connections}`);
  return [
    `${study.title}`,
    `${loads} simulated loads, none measured; initial window ${study.initialWindow} segments`,
    '',
    `pages: ${study.pages.map((page) => `${page.name} (${requestCount(page)} requests)`).join(', ')}`,
    'links:',
    ...study.links.map((link) => `  ${link.name.padEnd(12)} ${linkFigures(link)}`),
    '',
    rankingTable(ranking, { width, verdicts: false }),
    '',
    `By the memo's own rule by places: ${memoPick.reason}`,
    `Page by page and link by link, the best profile is ${percent(averageGain)} more efficient than ${study.baseline} on average (above: gain of the averages).`,
    `Top-quartile slots by connections: ${slots.join(', ')}.`,
    `Within 3 % of the highest mean efficiency: ${recommended.join(', ')}.`,
    '',
  ].join('\n');
}
