import { describe, expect, it } from 'vitest';
import { predictedChoice } from '../../../src/controls/trial-setup-view.ts';
import type { ShownFieldPrediction } from '../../../src/protocol/prediction-answer.ts';
import { lastLoad, plain } from './sample-state.ts';

const choice = (answer: ShownFieldPrediction) => plain(predictedChoice(answer));
const predicted = (best: string[]): ShownFieldPrediction => ({
  state: 'predicted',
  link: lastLoad.link,
  pages: 3,
  isFormer: false,
  outside: 0,
  sites: [],
  best,
  rows: [
    { id: 'c16-d1', loadTimeMs: 900, ratio: 1.11, bound: 'bandwidth' },
    { id: 'c8-d1', loadTimeMs: 950, ratio: 1.05, bound: 'bandwidth' },
    { id: 'firefox-default', loadTimeMs: 1000, ratio: 1, bound: 'bandwidth' },
  ],
  inferred: [],
  reach: { requests: 3, byConnections: 3 },
  tried: { preferences: 3, of: 40, requests: 3 },
});

describe('the predicted best', () => {
  it('are chosen in their order, and said to be predicted', () => {
    expect(choice(predicted(['c16-d1', 'c8-d1']))).toEqual({
      arms: [
        { profileId: 'c16-d1', ratio: 1.11 },
        { profileId: 'c8-d1', ratio: 1.05 },
      ],
      why: 'Chosen by prediction, not by measurement: 16 connections (≈ +11 %), 8 connections (≈ +5 %). The trial measures them.',
    });
  });

  it('are none where no profile gains anything', () => {
    expect(choice(predicted([]))).toEqual({
      arms: [],
      why: "Nothing was chosen: nothing is predicted to be at least 1 % faster than Firefox's own settings.",
    });
  });

  it('are none where nothing can be predicted, and why is said', () => {
    const { arms, why } = choice({ state: 'no-loads' });
    expect(arms).toEqual([]);
    expect(why).toMatch(/^Nothing was chosen\. No loads recorded yet/);
  });
});
