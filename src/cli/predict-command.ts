/** `plumbfox predict`: what every profile would make of a page, in seconds, by simulation. */

import { predictJson } from '../core/simulate/predict-json.ts';
import { EXIT_CODES } from './exit-code.ts';
import { ownCommand } from './own-command.ts';
import { parsePredictArguments } from './predict-arguments.ts';
import { predictHelp } from './predict-help.ts';
import { runPrediction } from './predict-run.ts';
import { readPredictSource } from './predict-source.ts';
import { studyOutput } from './predict-study.ts';
import { predictText } from './predict-text.ts';
import { writeWaterfall } from './predict-waterfall.ts';

export async function predict(args: readonly string[]): Promise<number> {
  const options = parsePredictArguments(args);
  if (options.help) {
    process.stdout.write(predictHelp());
    return EXIT_CODES.done;
  }
  if (options.study !== undefined) {
    process.stdout.write(studyOutput(options.study, { json: options.json, width: process.stdout.columns || FILE_COLUMNS }));
    return EXIT_CODES.done;
  }
  const facts = runPrediction(await readPredictSource(options.file, options.pages), options);
  if (options.svg !== undefined) await writeWaterfall(options.svg, facts, options.svgProfiles);
  if (options.json) process.stdout.write(`${JSON.stringify(predictJson(facts), null, 2)}\n`);
  else process.stdout.write(predictText(facts, { width: process.stdout.columns || FILE_COLUMNS, plumbfox: ownCommand() }));
  return EXIT_CODES.done;
}

/** Wide enough for every column where there is no terminal. */
const FILE_COLUMNS = 140;
