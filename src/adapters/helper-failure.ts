/** Why nothing came of what the helper was asked, as an error. */
import { PlumbfoxError } from '../core/errors.ts';
import type { HelperProblem } from '../protocol/helper-facts.ts';
import { problemWords } from './helper-problem-words.ts';

/** Kind `environment`; `problem` says which for whoever puts it on a page. */
export class HelperFailure extends PlumbfoxError {
  readonly problem: HelperProblem;
  constructor(problem: HelperProblem) {
    super('environment', problemWords(problem));
    this.problem = problem;
  }
}
