/** `plumbfox lab`: studies in many Firefoxes. */
import { EXIT_CODES } from './exit-code.ts';
import { parseLabArguments } from './lab-arguments.ts';
import { labCheck } from './lab-check.ts';
import { labHelp } from './lab-help.ts';
import { listedStudies, listText } from './lab-list.ts';
import { labRun } from './lab-run.ts';
import { labShow } from './lab-show.ts';

export async function lab(args: readonly string[]): Promise<number> {
  const options = parseLabArguments(args);
  switch (options.command) {
    case 'help':
      process.stdout.write(labHelp());
      return EXIT_CODES.done;
    case 'list': {
      const studies = listedStudies();
      process.stdout.write(options.json ? `${JSON.stringify(studies, null, 2)}\n` : listText(studies));
      return EXIT_CODES.done;
    }
    case 'show':
      return labShow(options);
    case 'check':
      return labCheck(options);
    case 'run':
      return labRun(options);
  }
}
