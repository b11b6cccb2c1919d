/** Whether loads are being recorded, in words; when not, why, and what the reader can do about it. */
import { assertNever } from '../core/errors.ts';
import type { RecordingState } from '../protocol/popup-state.ts';

export interface RecordingView {
  readonly tone: 'good' | 'problem';
  readonly title: string;
  readonly detail: string;
  /** Offer the button that asks Firefox for access to sites. */
  readonly offerPermission: boolean;
}

export function recordingView(recording: RecordingState): RecordingView {
  switch (recording.state) {
    case 'recording':
      return {
        tone: 'good',
        title: 'Recording',
        detail: 'Records stay on this machine; private windows are never recorded.',
        offerPermission: false,
      };
    case 'no-permission':
      return {
        tone: 'problem',
        title: 'Not recording: permission missing',
        detail:
          'Plumbfox may not see page loads: the permission to access your data for all websites was not given, or was taken back. Nothing is recorded until you allow it.',
        offerPermission: true,
      };
    case 'store-failed':
      return {
        tone: 'problem',
        title: 'Not recording: storage failed',
        detail: `New loads cannot be saved. Firefox reported: ${recording.message.trim().replace(/\.+$/, '') || 'no reason'}. Check that the disk is not full, then restart Firefox.`,
        offerPermission: false,
      };
    default:
      return assertNever(recording);
  }
}
