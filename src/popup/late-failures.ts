/** What failed when nobody waited for it, in words: what it means, and what the reader can do. */
import { assertNever } from '../core/errors.ts';
import type { LateFailure } from '../protocol/popup-state.ts';

export function lateFailureWords({ of, message }: LateFailure): string {
  const said = message.trim().replace(/\.+$/, '') || 'no reason';
  switch (of) {
    case 'gateway':
      return `What became of the gateway could not be noted. Firefox reported: ${said}. Check that the disk is not full. It is noted with the next load; none is recorded before.`;
    case 'health':
      return `Whether Firefox is well with the applied profile could not be noted. Firefox reported: ${said}. Press “It works: keep it” under Apply, or the helper takes the profile back.`;
    default:
      return assertNever(of);
  }
}
