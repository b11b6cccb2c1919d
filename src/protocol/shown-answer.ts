/** The answer that popup, dashboard and export show, from what the extension's contexts know. */
import { type Answer, answerOf } from '../core/answer/answer.ts';
import type { PopupState } from './page-state.ts';
import type { ShownFieldPrediction } from './prediction-answer.ts';

/** What is known of the prediction for the newest loads: it, or where it stands. `loadsSince`: recorded since it was made. */
export type PredictionStanding = (ShownFieldPrediction & { readonly loadsSince?: number }) | { readonly state: 'working' | 'failed' };

/** Which loads a prediction is for: how many there were, and when the newest one began (ms since the epoch). */
export interface PredictedLoads {
  readonly loads: number;
  readonly newestAt: number | undefined;
}

/** What is held of an earlier prediction, as it stands for the loads there are now. */
export function heldStanding(
  held: (PredictedLoads & { readonly answer: ShownFieldPrediction }) | undefined,
  now: PredictedLoads,
): PredictionStanding {
  if (held === undefined) return { state: 'working' };
  // Where the oldest make room for the newest, there are not more of them.
  const loadsSince = held.newestAt === now.newestAt ? 0 : Math.max(1, now.loads - held.loads);
  return { ...held.answer, loadsSince };
}

/** Without facts of trials the store cannot be read (`popupFacts`): then there is nothing to be waited for. */
export function shownAnswer({ loads, trial: facts }: Pick<PopupState, 'loads' | 'trial'>, prediction: PredictionStanding): Answer {
  const { answer, slower } = facts?.current ?? {};
  const standing = loads === 0 ? ({ state: 'no-loads' } as const) : prediction;
  return answerOf({ trial: answer, slower, prediction: facts === undefined ? { state: 'unreadable' } : standing });
}

/** As a file keeps it: nobody who reads the file sees the end of what was being worked out. */
export function keptAnswer(answer: Answer): Answer {
  const isWorking = answer.from === 'nothing' && answer.why === 'working';
  return isWorking ? { from: 'nothing', why: 'not-predicted' } : answer;
}
