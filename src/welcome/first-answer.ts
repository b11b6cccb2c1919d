/** The answer after a tryout: the one that popup and dashboard give, worked out here from what is recorded by then. */
import { sendRequest } from '../adapters/messaging.ts';
import type { Tryout } from '../core/field/tryout.ts';
import type { DashboardState } from '../protocol/page-state.ts';
import { dashboardAnswer, renderAnswer } from '../views/answer-view.ts';
import { attempt, show } from '../views/page.ts';
import { createPredictionAsker, createPredictionClient } from '../views/prediction-client.ts';

let state: DashboardState | undefined;
/** Whether the tryout on the page has its answer, or is getting it. */
let isAsked = false;

const asker = createPredictionAsker(createPredictionClient(), showAnswer);

function showAnswer(): void {
  if (state !== undefined) renderAnswer(dashboardAnswer(state, asker.state()));
}

/** Shows the answer when a tryout has ended with something recorded. */
export function followAnswer(tryout: Tryout | undefined): void {
  const hasEnded = tryout !== undefined && tryout.step.state !== 'loading' && tryout.sites.some(({ loads }) => loads.length > 0);
  show('answer', hasEnded);
  if (!hasEnded) isAsked = false;
  if (!hasEnded || isAsked) return;
  isAsked = true;
  attempt('failed.read', async () => {
    state = await sendRequest({ kind: 'dashboard-state' });
    showAnswer();
    // A failure is part of the answer.
    await asker.predict(state.candidates).catch(() => undefined);
  }).catch(() => undefined);
}
