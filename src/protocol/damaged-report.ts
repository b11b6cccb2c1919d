/** What a report that fails its schema is refused with: one line that names the first field that is wrong. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';

/** The message quotes what it found, which may be long. */
const MAX_CHARACTERS = 200;

export function damagedReport(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): PlumbfoxError {
  const [issue] = issues;
  const where = v.getDotPath(issue) ?? 'the whole';
  return new PlumbfoxError(
    'bad-input',
    `The report is damaged at ${where}: ${issue.message.replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS)}`,
  );
}
