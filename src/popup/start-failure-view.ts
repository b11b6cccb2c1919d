/** What failed at start, in words: what was to be done, why it was not, and what the person can do. */
import { assertNever } from '../core/errors.ts';
import type { StartFailure, StartPart } from '../protocol/start-failure.ts';

/** One line. */
export function startFailureWords({ part, why }: StartFailure): string {
  const { what, task } = wordsOf(part);
  return `At start: ${what}: ${why.trim().replace(/\.+$/, '')}. ${task}`;
}

function wordsOf(part: StartPart): { readonly what: string; readonly task: string } {
  switch (part) {
    case 'route':
      return {
        what: 'the way through the gateway of the last session could not be taken back',
        task: 'Start Firefox anew; if pages do not load, press “Back to before”.',
      };
    case 'gateway':
      return {
        what: 'the end of the gateway could not be noted',
        task: 'Switch the gateway on and off again; loads made until then may be counted as through it.',
      };
    case 'byHand':
      return {
        what: 'the profile that you have set by hand could not be noted as in effect',
        task: 'Start Firefox anew; loads made until then count for no profile.',
      };
    case 'policy':
      return {
        what: 'the policy that names a profile could not be heeded',
        task: 'Ask whoever wrote policies.json to correct it, or to take it away, and start Firefox anew.',
      };
    case 'managedTrial':
      return {
        what: 'the trial that the policy asks for could not be started',
        task: 'Ask whoever wrote policies.json to correct its trial; it is tried again with every start of Firefox.',
      };
    case 'helper':
      return {
        what: 'what the helper has put in effect could not be noted',
        task: 'Start Firefox anew; if it stays so, run “plumbfox helper doctor”.',
      };
    default:
      return assertNever(part);
  }
}
