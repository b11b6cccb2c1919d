/** Whether loads are recorded; if not, why, and what the person can do. What is missing from the records. */
import { assertNever } from '../core/errors.ts';
import type { PopupState, RecordingState } from '../protocol/page-state.ts';
import { format, text } from './text.ts';

export interface RecordingView {
  readonly tone: 'good' | 'problem';
  readonly title: string;
  readonly detail: string;
  /** Offer the button that asks Firefox for access to sites. */
  readonly offerPermission: boolean;
  /** Offer to save what can be read to a file, and to start over. */
  readonly offerSalvage: boolean;
}

/** Pure. */
export function recordingView(recording: RecordingState): RecordingView {
  const { state } = recording;
  const [title, detail] = titleAndDetail(recording);
  const isRecording = state === 'recording';
  return {
    tone: isRecording ? 'good' : 'problem',
    title: isRecording ? title : text('recording.off', { why: title }),
    detail,
    offerPermission: state === 'no-permission',
    offerSalvage: state === 'store-failed',
  };
}

/** The state for a page without the popup's buttons; `undefined`: loads are recorded. */
export function notRecordingLabel(recording: RecordingState): string | undefined {
  const { tone, title, detail, offerPermission, offerSalvage } = recordingView(recording);
  if (tone === 'good') return undefined;
  return text(offerPermission || offerSalvage ? 'recording.off.popup' : 'recording.off.detail', { why: title, detail });
}

function titleAndDetail(recording: RecordingState): readonly [title: string, detail: string] {
  switch (recording.state) {
    case 'recording':
      return [text('recording.on'), text('recording.on.detail')];
    case 'no-permission':
      return [text('recording.noPermission'), text('recording.noPermission.detail')];
    case 'private-browsing':
      return [text('recording.private'), text('recording.private.detail')];
    case 'version-too-new':
      return [text('recording.tooNew'), text('recording.tooNew.detail')];
    case 'held-by-another':
      return [text('recording.held'), text('recording.held.detail')];
    case 'list-lost':
      return [text('recording.listLost'), text('recording.listLost.detail')];
    case 'store-failed':
      return [text('recording.failed'), text('recording.failed.detail', { why: withoutStop(recording.message) || text('noReason') })];
    default:
      return assertNever(recording);
  }
}

/** A reason without its full stop, as part of a sentence. */
export const withoutStop = (reason: string): string => reason.trim().replace(/\.+$/, '');

/** A sentence lists no more spans than this. Chosen, not measured. */
const MAX_SPANS = 3;

/** Which records Firefox has lost, and when it did not let Plumbfox record; `undefined`: nothing is missing. */
export function recordLossText(
  { recordLoss, standstills = [] }: Pick<PopupState, 'recordLoss' | 'standstills'>,
  now: number,
): string | undefined {
  const at = (moment: number) => format.clock(moment, now);
  const [first] = standstills;
  const listed = standstills.slice(-MAX_SPANS).map(({ from, until }) => text('loss.span', { from: at(from), until: at(until) }));
  const before = standstills.length - listed.length;
  const sentences = [
    ...(recordLoss === undefined ? [] : [text('loss.loads', { count: recordLoss.loads, until: at(recordLoss.until) })]),
    ...(first === undefined ? [] : [text('loss.stopped', { spans: format.list(listed) })]),
    ...(first === undefined || before <= 0 ? [] : [text('loss.before', { count: before, from: at(first.from) })]),
  ];
  return sentences.join(' ') || undefined;
}
