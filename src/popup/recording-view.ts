/** Whether loads are being recorded, in words; when not, why, and what the reader can do about it. */
import { assertNever } from '../core/errors.ts';
import type { RecordingState } from '../protocol/popup-state.ts';

export interface RecordingView {
  readonly tone: 'good' | 'problem';
  readonly title: string;
  readonly detail: string;
  /** Offer the button that asks Firefox for access to sites. */
  readonly offerPermission: boolean;
  /** Offer to save what can be read to a file, and to begin anew. */
  readonly offerSalvage: boolean;
}

export function recordingView(recording: RecordingState): RecordingView {
  switch (recording.state) {
    case 'recording':
      return {
        tone: 'good',
        title: 'Recording',
        detail: 'Records stay on this machine; private windows are never recorded.',
        offerPermission: false,
        offerSalvage: false,
      };
    case 'no-permission':
      return {
        tone: 'problem',
        title: 'Not recording: permission missing',
        detail:
          'Plumbfox may not see page loads: the permission to access your data for all websites was not given, or was taken back. Nothing is recorded until you allow it.',
        offerPermission: true,
        offerSalvage: false,
      };
    case 'private-browsing':
      return {
        tone: 'problem',
        title: 'Not recording: Firefox remembers nothing',
        detail:
          'Firefox is set to never remember history, so Plumbfox stores no page loads. Choose “Remember history” in Firefox’s settings to record.',
        offerPermission: false,
        offerSalvage: false,
      };
    case 'version-too-new':
      return {
        tone: 'problem',
        title: 'Not recording: the records are of a newer Plumbfox',
        detail:
          'A newer version of Plumbfox has changed its records. This one shows them and adds nothing. Update Plumbfox to record again.',
        offerPermission: false,
        offerSalvage: false,
      };
    case 'held-by-another':
      return {
        tone: 'problem',
        title: 'Not recording: another tab holds the records',
        detail: 'A tab opened before the update still uses Plumbfox’s records. Close all tabs of Plumbfox, then open this again.',
        offerPermission: false,
        offerSalvage: false,
      };
    case 'store-failed':
      return {
        tone: 'problem',
        title: 'Not recording: storage failed',
        detail: `New loads cannot be saved. Firefox reported: ${recording.message.trim().replace(/\.+$/, '') || 'no reason'}. Check that the disk is not full, then restart Firefox. If it stays so, save what can be read and reset the records.`,
        offerPermission: false,
        offerSalvage: true,
      };
    default:
      return assertNever(recording);
  }
}
