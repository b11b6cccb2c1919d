import { describe, expect, it } from 'vitest';
import { controlsView } from '../../../src/controls/controls-view.ts';
import type { Answer } from '../../../src/core/answer/answer.ts';
import { heldStanding, keptAnswer, shownAnswer } from '../../../src/protocol/prediction-answer.ts';
import { endedTrial, FASTER, NOW, PREDICTED, plain, popupState } from '../controls/sample-state.ts';

const CONFIRMED: Answer = { from: 'trial', state: 'confirmed', ...FASTER, loads: 40 };
const REACH: Answer = { from: 'reach', requests: 100, byConnections: 40, tried: { preferences: 3, of: 40, requests: 100 }, atMost: 0.094 };

const view = (answer: Answer, changed = {}) =>
  plain(controlsView(popupState({ trial: endedTrial(undefined), ...changed }), { answer, now: NOW })).answer;

describe('the head of the popup', () => {
  it('shows what a trial has confirmed, and offers no further trial', () => {
    expect(view(CONFIRMED)).toMatchObject({ label: 'Proven here', tone: 'good', profileId: 'c4-d6', offersTrial: false });
  });

  it('says that it is in effect, once it is', () => {
    const { active } = popupState();
    expect(view(CONFIRMED).sentence).toMatch(/ In effect now\.$/);
    expect(view(CONFIRMED, { active: { ...active, profileId: 'firefox-default' } }).sentence).not.toContain('In effect');
    expect(view(CONFIRMED, { active: { ...active, mismatches: ['a.b'] } }).sentence).not.toContain('In effect');
  });

  it('offers a trial where only that can tell, and where one can be started', () => {
    expect(view(REACH)).toMatchObject({ tone: 'plain', offersTrial: true });
    expect(view({ ...REACH, atMost: 0.01 })).toMatchObject({ tone: 'good', offersTrial: false });
    expect(view(REACH, { trial: undefined }).offersTrial).toBe(false);
    expect(view({ from: 'nothing', why: 'no-loads' })).toMatchObject({ tone: 'waiting', offersTrial: false });
  });
});

describe('the answer that is shown', () => {
  const trial = endedTrial({ from: 'trial', state: 'confirmed', ...FASTER, loads: 40 });

  it('is that of the trial, whatever is predicted', () => {
    expect(shownAnswer({ loads: 24, trial }, PREDICTED)).toEqual(CONFIRMED);
  });

  it('is the prediction where no trial has one, but not of what a trial found slower', () => {
    const stopped = endedTrial(undefined);
    expect(shownAnswer({ loads: 24, trial: stopped }, PREDICTED)).toMatchObject({ from: 'prediction', profileId: 'c8-d1', pages: 3 });
    const slower = { ...stopped, current: stopped.current && { ...stopped.current, slower: ['c8-d1'] } };
    expect(shownAnswer({ loads: 24, trial: slower }, PREDICTED)).toMatchObject({ from: 'reach', atMost: 0.5 });
  });

  it('is that there are no loads, whatever was predicted for loads that are deleted', () => {
    const none = endedTrial(undefined);
    expect(shownAnswer({ loads: 0, trial: none }, PREDICTED)).toEqual({ from: 'nothing', why: 'no-loads' });
    expect(shownAnswer({ loads: 24, trial: none }, { state: 'working' })).toEqual({ from: 'nothing', why: 'working' });
  });

  it('is that the store cannot be read, where it cannot: no prediction will come, and nobody has no loads', () => {
    expect(shownAnswer({ loads: 0 }, { state: 'working' })).toEqual({ from: 'nothing', why: 'unreadable' });
    expect(shownAnswer({ loads: 0 }, PREDICTED)).toEqual({ from: 'nothing', why: 'unreadable' });
  });

  it('says how many loads came after a prediction that is held', () => {
    const held = { loads: 24, newestAt: 1000, answer: PREDICTED };
    const shown = (now: Parameters<typeof heldStanding>[1], of = held) =>
      shownAnswer({ loads: now.loads, trial: endedTrial(undefined) }, heldStanding(of, now));
    expect(shown({ loads: 24, newestAt: 1000 })).not.toHaveProperty('loadsSince');
    expect(shown({ loads: 27, newestAt: 2000 })).toMatchObject({ from: 'prediction', loadsSince: 3 });
    // The oldest made room for the newest.
    expect(shown({ loads: 24, newestAt: 2000 })).toMatchObject({ loadsSince: 1 });
    const reach = { ...held, answer: { ...PREDICTED, recommended: { id: 'c8-d1', change: { gain: 0.1, low: -0.1, high: 0.3 } } } };
    expect(shown({ loads: 27, newestAt: 2000 }, reach)).toMatchObject({ from: 'reach', loadsSince: 3 });
    expect(heldStanding(undefined, { loads: 24, newestAt: 1000 })).toEqual({ state: 'working' });
  });

  it('is kept in a file with what became of it, never as being worked out', () => {
    expect(keptAnswer({ from: 'nothing', why: 'working' })).toEqual({ from: 'nothing', why: 'not-predicted' });
    expect(keptAnswer({ from: 'nothing', why: 'failed' })).toEqual({ from: 'nothing', why: 'failed' });
    expect(keptAnswer(CONFIRMED)).toEqual(CONFIRMED);
  });
});
