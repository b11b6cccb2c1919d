import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/answer/answer.ts';
import { viewModel } from '../../../src/popup/view-model.ts';
import { type PredictionStanding, shownAnswer } from '../../../src/protocol/shown-answer.ts';
import { endedTrial, FASTER, NOW, plain, popupState } from './sample-state.ts';

const CONFIRMED: Answer = { from: 'trial', state: 'confirmed', ...FASTER, loads: 40 };
const REACH: Answer = { from: 'reach', requests: 100, byConnections: 40, atMost: 0.094 };
const PREDICTED: PredictionStanding = {
  state: 'predicted',
  link: { id: 1, name: 'RTT 20 ms', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads: 9 },
  pages: 3,
  best: ['c8-d1'],
  recommended: { id: 'c8-d1', change: { gain: 0.3, low: 0.1, high: 0.5 } },
  atMost: 0.5,
  rows: [],
  reach: { requests: 100, byConnections: 100 },
  inferred: [],
};

const view = (answer: Answer, changed = {}) =>
  plain(viewModel(popupState({ trial: endedTrial(undefined), ...changed }), { answer, now: NOW })).answer;

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
    expect(shownAnswer({ loads: 24 }, PREDICTED)).toMatchObject({ from: 'prediction', profileId: 'c8-d1', pages: 3 });
    const stopped = endedTrial(undefined);
    const slower = { ...stopped, current: stopped.current && { ...stopped.current, slower: ['c8-d1'] } };
    expect(shownAnswer({ loads: 24, trial: slower }, PREDICTED)).toMatchObject({ from: 'reach', atMost: 0.5 });
  });

  it('is that there are no loads, whatever was predicted for loads that are deleted', () => {
    expect(shownAnswer({ loads: 0 }, PREDICTED)).toEqual({ from: 'nothing', why: 'no-loads' });
    expect(shownAnswer({ loads: 24 }, { state: 'working' })).toEqual({ from: 'nothing', why: 'working' });
  });
});
