/** The dashboard's answer is the popup's: the same facts, the same words. */
import { describe, expect, it } from 'vitest';
import { dashboardStateOf } from '../../../src/background/page-state.ts';
import { controlsView } from '../../../src/controls/controls-view.ts';
import type { PopupState } from '../../../src/protocol/page-state.ts';
import { type PredictionStanding, shownAnswer } from '../../../src/protocol/prediction-answer.ts';
import { dashboardAnswer } from '../../../src/views/answer-view.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { endedTrial, FASTER, NOW, PREDICTED, popupState } from '../controls/sample-state.ts';

useBrowser({ runtime: { id: 'plumbfox@test' } });

const onDashboard = (state: PopupState, prediction: PredictionStanding) =>
  dashboardAnswer(dashboardStateOf(state, { live: false }), prediction);
const inPopup = (state: PopupState, standing: PredictionStanding) =>
  controlsView(state, { answer: shownAnswer(state, standing), now: NOW }).answer;

describe('the answer on the dashboard', () => {
  it.each([
    [
      'of a trial that has proven a profile',
      popupState({ trial: endedTrial({ from: 'trial', state: 'confirmed', ...FASTER, loads: 40 }) }),
    ],
    ['of the prediction, where no trial has one', popupState({ trial: endedTrial(undefined) })],
    ['that there are no loads', popupState({ loads: 0 })],
  ])('is the one of the popup: %s', (_, state) => {
    const answer = onDashboard(state, PREDICTED);
    expect(answer).toEqual(inPopup(state, PREDICTED));
    expect(answer.sentence).not.toBe('');
  });

  it('says that the prediction is being made, or that it failed', () => {
    const state = popupState({ trial: endedTrial(undefined) });
    expect(onDashboard(state, { state: 'working' })).toEqual(inPopup(state, { state: 'working' }));
    expect(onDashboard(state, { state: 'failed' })).toEqual(inPopup(state, { state: 'failed' }));
    // Until the newer one is there, that for the loads before, and which loads are not in it.
    const before = { ...PREDICTED, loadsSince: 2 };
    expect(onDashboard(state, before)).toEqual(inPopup(state, before));
    expect(onDashboard(state, before).sentence).toMatch(/Predicted before your newest 2 loads\.$/);
  });

  it('rests on the same profiles as the popup predicts', () => {
    const trial = endedTrial(undefined);
    expect(dashboardStateOf(popupState({ trial }), { live: false }).candidates).toEqual(trial.offer.offered.map(({ id }) => id));
  });
});
