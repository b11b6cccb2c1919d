/** The answer at the top of popup and dashboard, and what it offers to apply or try. */
import { type Answer, gatewayToSwitchOn, isNothingToGain, settingsToApply } from '../core/answer/answer.ts';
import { answerLabel, answerSentence } from '../core/answer/format-answer.ts';
import { assertNever } from '../core/errors.ts';
import type { DashboardState, PopupState } from '../protocol/page-state.ts';
import { type PredictionStanding, shownAnswer } from '../protocol/prediction-answer.ts';
import { pageElement, setOptionalText, setText } from './page.ts';
import { coreLanguage, fixedText, text } from './text.ts';

export interface AnswerView {
  readonly label: string;
  readonly sentence: string;
  /** The profile's name for commands, in grey; absent: the answer names no profile. */
  readonly profileId: string | undefined;
  readonly tone: 'good' | 'plain' | 'predicted' | 'waiting';
  /** Whether a trial may settle it, and can be started here. */
  readonly offersTrial: boolean;
}

/** Pure. */
export function answerView(answer: Answer, { active, trial }: Pick<PopupState, 'active' | 'trial'>): AnswerView {
  const profileId = settingsToApply(answer) ?? gatewayToSwitchOn(answer);
  const inEffect =
    profileId !== undefined && active.profileId === profileId && active.mismatches.length === 0 ? ` ${text('active.inEffect')}` : '';
  const canStart = trial !== undefined && trial.offer.offered.length > 0 && answer.from !== 'trial';
  return {
    label: fixedText(answerLabel(answer)),
    sentence: withNoBreakSpaces(`${answerSentence(answer, coreLanguage)}${inEffect}`),
    profileId,
    tone: toneOf(answer),
    offersTrial:
      canStart && (answer.from !== 'nothing' || answer.why === 'not-matching') && !(answer.from === 'reach' && isNothingToGain(answer)),
  };
}

/** A number stays on one line with its percent sign. */
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

/** Puts the answer on the page. */
export function renderAnswer({ label, sentence, profileId, tone }: AnswerView): void {
  const section = pageElement('answer', HTMLElement);
  section.classList.toggle('good', tone === 'good');
  section.classList.toggle('predicted', tone === 'predicted');
  setText('answer-label', label);
  setText('answer-sentence', sentence);
  setOptionalText('answer-profile', profileId);
}

/** The popup's answer, for a page that shows it in a sentence. Pure. */
export const dashboardAnswer = (state: DashboardState, prediction: PredictionStanding): AnswerView =>
  answerView(shownAnswer(state, prediction), state);
