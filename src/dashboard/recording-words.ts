/** That nothing is being recorded, in words; what to do about it is in the popup. */
import { assertNever } from '../core/errors.ts';
import type { RecordingState } from '../protocol/popup-state.ts';

/** `undefined`: it records. */
export function recordingWords(recording: RecordingState): string | undefined {
  switch (recording.state) {
    case 'recording':
      return undefined;
    case 'no-permission':
      return 'Not recording: Plumbfox may not see page loads. Its popup asks for the permission.';
    case 'private-browsing':
      return 'Not recording: Firefox is set to never remember history.';
    case 'version-too-new':
      return 'Not recording: the records are of a newer Plumbfox. Update Plumbfox to record again.';
    case 'held-by-another':
      return 'Not recording: a tab opened before the update still uses the records. Close all tabs of Plumbfox.';
    case 'store-failed':
      return `Not recording: new loads cannot be saved. Firefox reported: ${recording.message.trim().replace(/\.+$/, '') || 'no reason'}.`;
    default:
      return assertNever(recording);
  }
}
