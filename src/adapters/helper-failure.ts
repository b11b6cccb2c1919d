/** Why nothing came of what the helper was asked, as an error. */
import { assertNever, PlumbfoxError } from '../core/errors.ts';
import type { HelperProblem } from '../protocol/helper-state.ts';

/** Kind `environment`; `problem` says which for whoever puts it on a page. */
export class HelperFailure extends PlumbfoxError {
  readonly problem: HelperProblem;
  constructor(problem: HelperProblem) {
    super('environment', helperProblemMessage(problem));
    this.problem = problem;
  }
}

/** Whole sentences that say what to do; for the popup, and for whoever shows a failure as it is. */
export function helperProblemMessage(problem: HelperProblem): string {
  switch (problem.why) {
    case 'no-permission':
      return 'Plumbfox is not allowed to use the helper app: allow it in the popup.';
    case 'not-installed':
      return 'Firefox finds no helper app for Plumbfox. Run “plumbfox helper install” as the user who runs Firefox, then try again.';
    case 'stopped':
      return 'The helper app ended before it answered. “plumbfox helper doctor” says why.';
    case 'unreadable':
      return 'The helper app could not be started, or sent no valid reply. “plumbfox helper doctor” says why. Installing it again may help.';
    case 'silent':
      return 'The helper app did not answer in time. Try again. If that fails, “plumbfox helper doctor” says why.';
    case 'other-version':
      return problem.isNewer
        ? 'The helper app is newer than this extension: update the extension.'
        : 'The helper app is older than this extension: run “plumbfox helper install” of the newer Plumbfox.';
    case 'refused':
      return refusedWords(problem);
    default:
      return assertNever(problem);
  }
}

function refusedWords({ kind, message }: Extract<HelperProblem, { why: 'refused' }>): string {
  const said = message.trim().replace(/\.+$/, '');
  switch (kind) {
    case 'bad-request':
      return `The helper app does not know this request (${said}): bring the extension and the helper app to the same version.`;
    case 'unknown-profile':
      return `The helper app does not know this profile (${said}): bring the extension and the helper app to the same version.`;
    case 'no-firefox-profile':
      return `The helper app cannot find the profile folder of this Firefox: ${said}.`;
    case 'refused':
      return `The helper app leaves Firefox’s files alone: ${said}.`;
    case 'cannot-write':
      return `The helper app cannot write: ${said}.`;
    case 'busy':
      return 'Another helper app is working on this Firefox. Try again in a moment.';
    case 'internal':
      return `The helper app failed: ${said}. “plumbfox helper doctor” may say why.`;
    default:
      return assertNever(kind);
  }
}
