/** Whether loads are being recorded, in words; when not, why, and what the reader can do about it. */
import { assertNever } from '../core/errors.ts';
import type { PopupState, RecordingState } from '../protocol/popup-state.ts';
import type { Figures } from '../core/text/number-format.ts';

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
  const { state } = recording;
  const [title, detail] = wordsOf(recording);
  const isRecording = state === 'recording';
  return {
    tone: isRecording ? 'good' : 'problem',
    title: isRecording ? title : `Not recording: ${title}`,
    detail,
    offerPermission: state === 'no-permission',
    offerSalvage: state === 'store-failed',
  };
}

/** For a page without the popup's buttons. `undefined`: it records. */
export function notRecordingWords(recording: RecordingState): string | undefined {
  const { tone, title, detail, offerPermission, offerSalvage } = recordingView(recording);
  if (tone === 'good') return undefined;
  return `${title}. ${detail}${offerPermission || offerSalvage ? ' The popup has the buttons for it.' : ''}`;
}

function wordsOf(recording: RecordingState): readonly [title: string, detail: string] {
  switch (recording.state) {
    case 'recording':
      return ['Recording', 'Records stay on this machine; private windows are never recorded.'];
    case 'no-permission':
      return [
        'permission missing',
        'Plumbfox may not see page loads: the permission to access your data for all websites was not given, or was taken back. Nothing is recorded until you allow it.',
      ];
    case 'private-browsing':
      return [
        'Firefox remembers nothing',
        'Firefox is set to never remember history, so Plumbfox stores no page loads. Choose “Remember history” in Firefox’s settings to record.',
      ];
    case 'version-too-new':
      return [
        'the records are of a newer Plumbfox',
        'A newer version of Plumbfox has changed its records. This one shows them and adds nothing. Update Plumbfox to record again.',
      ];
    case 'held-by-another':
      return [
        'another tab holds the records',
        'A tab opened before the update still uses Plumbfox’s records. Close all tabs of Plumbfox, then open this again.',
      ];
    case 'store-failed':
      return [
        'storage failed',
        `New loads cannot be saved. Firefox reported: ${recording.message.trim().replace(/\.+$/, '') || 'no reason'}. Check that the disk is not full, then restart Firefox. If it stays so, save what can be read and reset the records.`,
      ];
    default:
      return assertNever(recording);
  }
}

/** Spans that a sentence lists: more is a table. Our own choice. */
const MAX_SPANS = 3;

/** `undefined`: nothing. */
export function recordLossText(
  { recordLoss, standstills = [] }: Pick<PopupState, 'recordLoss' | 'standstills'>,
  figures: Figures,
  now: number,
): string | undefined {
  const sentences: string[] = [];
  if (recordLoss !== undefined) {
    const loads = figures.count(recordLoss.loads, { one: 'load', many: 'loads' });
    const are = recordLoss.loads === 1 ? 'is' : 'are';
    const until = figures.clock(recordLoss.until, now);
    sentences.push(`Firefox lost Plumbfox’s records: ${loads} recorded until ${until} ${are} gone. New loads are recorded.`);
  }
  const [first] = standstills;
  if (first !== undefined) {
    const spans = standstills
      .slice(-MAX_SPANS)
      .map(({ from, until }) => `from ${figures.clock(from, now)} until ${figures.clock(until, now)}`);
    const listed = spans.length === 1 ? spans[0] : `${spans.slice(0, -1).join(', ')} and ${spans.at(-1)}`;
    sentences.push(`Pages opened ${listed} were not recorded: Firefox had stopped Plumbfox, whose process kept ending.`);
    const before = standstills.length - spans.length;
    if (before > 0)
      sentences.push(`So it was ${before === 1 ? 'once' : `${before} times`} before, first from ${figures.clock(first.from, now)} on.`);
  }
  return sentences.join(' ') || undefined;
}
