/** The answer at the head of popup and dashboard, and what follows from it for what may be applied. Pure. */
import { type Answer, gatewayToSwitchOn, isNothingToGain, settingsToApply } from '../core/answer/answer.ts';
import { answerLabel, answerSentence } from '../core/answer/format-answer.ts';
import { assertNever } from '../core/errors.ts';
import type { PopupState } from '../protocol/page-state.ts';
import { pageElement, setOptionalText, setText } from './page.ts';
import { text } from './text.ts';

export interface AnswerView {
  readonly label: string;
  readonly sentence: string;
  /** The profile's name for commands, in grey; absent: no profile is answered with. */
  readonly profileId: string | undefined;
  readonly tone: 'good' | 'plain' | 'predicted' | 'waiting';
  /** Whether a trial may settle it, and can be started here. */
  readonly offersTrial: boolean;
}

export function answerView(answer: Answer, { active, trial }: Pick<PopupState, 'active' | 'trial'>): AnswerView {
  const profileId = settingsToApply(answer) ?? gatewayToSwitchOn(answer);
  const inEffect =
    profileId !== undefined && active.profileId === profileId && active.mismatches.length === 0 ? ` ${text('active.inEffect')}` : '';
  const canStart = trial !== undefined && trial.offer.offered.length > 0 && answer.from !== 'trial';
  return {
    label: answerLabel(answer),
    sentence: withNoBreakSpaces(`${answerSentence(answer)}${inEffect}`),
    profileId,
    tone: toneOf(answer),
    offersTrial: canStart && answer.from !== 'nothing' && !(answer.from === 'reach' && isNothingToGain(answer)),
  };
}

/** A number stays with its sign of per cent. */
const withNoBreakSpaces = (sentence: string): string => sentence.replaceAll(/(\d) %/g, '$1\u00a0%');

function toneOf(answer: Answer): AnswerView['tone'] {
  switch (answer.from) {
    case 'trial':
      return answer.state === 'confirmed' ? 'good' : answer.state === 'running' ? 'waiting' : 'plain';
    case 'prediction':
      return 'predicted';
    case 'reach':
      return isNothingToGain(answer) ? 'good' : 'plain';
    case 'nothing':
      return 'waiting';
    default:
      return assertNever(answer);
  }
}

/** Only ever as text. */
export function renderAnswer({ label, sentence, profileId, tone }: AnswerView): void {
  const section = pageElement('answer', HTMLElement);
  section.classList.toggle('good', tone === 'good');
  section.classList.toggle('predicted', tone === 'predicted');
  setText('answer-label', label);
  setText('answer-sentence', sentence);
  setOptionalText('answer-profile', profileId);
}
