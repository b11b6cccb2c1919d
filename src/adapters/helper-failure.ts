/** Why nothing came of what the helper was asked, as an error. */
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import type { HelperProblem } from '../protocol/helper-facts.ts';

export class HelperFailure extends PlumbfoxError {
  readonly problem: HelperProblem;
  constructor(problem: HelperProblem) {
    super('environment', helperProblemWords(problem));
    this.problem = problem;
  }
}

/** One line, for whoever shows a failure as it is; it says what to do. */
export function helperProblemWords(problem: HelperProblem): string {
  switch (problem.why) {
    case 'no-permission':
      return 'Plumbfox may not speak to its helper: allow it in the popup';
    case 'not-installed':
      return 'Firefox finds no Plumbfox helper: install it with plumbfox helper install';
    case 'stopped':
      return 'The Plumbfox helper ended before it had answered: plumbfox helper doctor says why';
    case 'unreadable':
      return 'The Plumbfox helper could not be started, or answered nonsense: plumbfox helper doctor says why';
    case 'silent':
      return 'The Plumbfox helper did not answer in time: plumbfox helper doctor says why';
    case 'other-version':
      return `The Plumbfox helper is ${problem.isNewer ? 'newer' : 'older'} than this extension: bring both to the same version`;
    case 'refused':
      return problem.message;
    default:
      return assertNever(problem);
  }
}
