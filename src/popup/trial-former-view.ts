/** What becomes of the profile that the person has applied, when a trial starts and when it ends, in words. */
import { assertNever } from '../core/errors.ts';
import type { FormerProfile } from '../protocol/trial-record.ts';
import type { TrialNow } from '../protocol/trial-state.ts';

/** Before the start. */
export function takesBackWords({ profileId, by }: FormerProfile): string {
  switch (by) {
    case 'live':
      return `${profileId}, which you have applied, is taken back for the trial, and applied again when it pauses or ends.`;
    case 'helper':
      return `${profileId}, which you have applied, makes way for the trial; when that pauses or ends, the helper writes it again, for the next start of Firefox.`;
    case 'person':
      return `${profileId}, which is in effect now, makes way for the trial, and Plumbfox cannot put it back: do that yourself when the trial has ended.`;
    default:
      return assertNever(by);
  }
}

/** One line of the popup. */
export interface FormerView {
  readonly text: string;
  /** The person has to do something. */
  readonly isProblem: boolean;
}

/** While there is a trial, or after it. */
export function formerView(former: FormerProfile, now: TrialNow): FormerView | undefined {
  const { profileId, by } = former;
  if (now.state !== 'paused' && now.state !== 'ended')
    return by === 'person' ? undefined : plain(`${profileId}, which you had applied, is applied again when the trial pauses or ends.`);
  if (now.restoring) return undefined;
  if (former.notAgain !== undefined)
    return problem(`${notAgainWords(former)} ${now.state === 'paused' ? 'When the trial has ended, apply' : 'Apply'} it yourself, above.`);
  switch (by) {
    case 'live':
      return plain(`${profileId} is in effect again, as before the trial.`);
    case 'helper':
      return plain(`${profileId} is in effect again from the next start of Firefox on, as before the trial.`);
    case 'person':
      return problem(`Before the trial Firefox ran under ${profileId}: put it back in place as you did then, and start Firefox anew.`);
    default:
      return assertNever(by);
  }
}

const notAgainWords = ({ profileId, notAgain = '' }: FormerProfile): string =>
  `${profileId}, which you had applied before the trial, could not be applied again: ${notAgain.trim().replace(/\.+$/, '')}.`;

const plain = (text: string): FormerView => ({ text, isProblem: false });
const problem = (text: string): FormerView => ({ text, isProblem: true });
