import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type AnswerInput,
  answerOf,
  gatewayToSwitchOn,
  isNothingToGain,
  settingsToApply,
  type TrialAnswer,
} from '../../../../src/core/answer/answer.ts';

const CONFIRMED: TrialAnswer = {
  from: 'trial',
  state: 'confirmed',
  profileId: 'c12-d1',
  carrier: 'none',
  change: { gain: 0.42, low: 0.23, high: 0.65 },
  loads: 40,
};
const predicted = (recommended: { id: string; change: { gain: number; low: number; high: number } } | undefined, atMost = 0.2) =>
  ({
    state: 'predicted',
    pages: 5,
    recommended,
    atMost,
    reach: { requests: 100, byConnections: 12 },
    tried: { preferences: 3, of: 40, requests: 100 },
  }) as const;
const SURE = predicted({ id: 'c10-d1', change: { gain: 0.18, low: 0.02, high: 0.34 } });
const UNSURE = predicted({ id: 'c10-d1', change: { gain: 0.1, low: -0.06, high: 0.26 } }, 0.26);

describe('the answer', () => {
  it.each<[string, AnswerInput, Partial<Answer>]>([
    ['a verdict of a trial, whatever is predicted', { trial: CONFIRMED, prediction: SURE }, CONFIRMED],
    [
      'the state of a trial that runs',
      { trial: { from: 'trial', state: 'running', stage: 'collecting', isPaused: false, loads: 3 }, prediction: SURE },
      { from: 'trial', state: 'running' } as Partial<Answer>,
    ],
    [
      'else a prediction whose whole band is a gain',
      { prediction: SURE },
      { from: 'prediction', profileId: 'c10-d1', change: { gain: 0.18, low: 0.02, high: 0.34 } } as Partial<Answer>,
    ],
    [
      'else the reach: a gain within its own error is none',
      { prediction: UNSURE },
      { from: 'reach', requests: 100, byConnections: 12, tried: { preferences: 3, of: 40, requests: 100 }, pages: 5, atMost: 0.26 },
    ],
    [
      'the reach where nothing is recommended',
      { prediction: predicted(undefined, 0.01) },
      { from: 'reach', atMost: 0.01 } as Partial<Answer>,
    ],
    ['the reach where a trial has found the predicted profile slower', { prediction: SURE, slower: ['c10-d1'] }, { from: 'reach' }],
    ['why there is none', { prediction: { state: 'link-not-known' } }, { from: 'nothing', why: 'link-not-known' }],
  ])('is %s', (_, input, expected) => expect(answerOf(input)).toMatchObject(expected));

  it.each([
    [0.0299, true],
    [0.03, false],
    [undefined, false],
  ])("calls Firefox's own settings right only where the band ends below 3 %%: %s", (atMost, expected) => {
    expect(
      isNothingToGain({
        from: 'reach',
        requests: 100,
        byConnections: 12,
        tried: { preferences: 3, of: 40, requests: 100 },
        ...(atMost !== undefined && { atMost }),
      }),
    ).toBe(expected);
  });

  it.each([
    ['every protocol has a setting that was simulated', 100, true],
    ['half of the requests have none', 50, true],
    ['most requests have none, as over HTTP/3', 49, false],
    ['none has', 0, false],
  ])("calls Firefox's own settings right only where it looked: %s", (_, requests, expected) => {
    const tried = { preferences: 3, of: 40, requests };
    expect(isNothingToGain({ from: 'reach', requests: 100, byConnections: 0, atMost: 0, tried })).toBe(expected);
  });
});

describe('before there are enough loads', () => {
  it('is of three pages at least, on every page of the extension alike', () => {
    const first = (pages: number, loads: number) => answerOf({ prediction: { ...SURE, pages }, loads }).from;
    expect([first(2, 6), first(3, 6), first(2, 20)]).toEqual(['nothing', 'prediction', 'prediction']);
  });

  it('says nothing of pages that load unlike the simulation', () => {
    expect(answerOf({ prediction: { ...UNSURE, isMismatched: true } })).toEqual({ from: 'nothing', why: 'not-matching' });
  });
});

describe('what follows from it', () => {
  it('is applied by settings alone, or carried by the gateway, and never both', () => {
    expect(settingsToApply(CONFIRMED)).toBe('c12-d1');
    expect(gatewayToSwitchOn(CONFIRMED)).toBeUndefined();
    const deep: Answer = { ...CONFIRMED, profileId: 'c4-d6', carrier: 'gateway' };
    expect(settingsToApply(deep)).toBeUndefined();
    expect(gatewayToSwitchOn(deep)).toBe('c4-d6');
  });

  it('is nothing where nothing is faster', () => {
    const others: readonly Answer[] = [
      { from: 'trial', state: 'no-difference', profileId: 'c12-d1', carrier: 'none', change: CONFIRMED.change, loads: 9, within: 0.03 },
      { from: 'trial', state: 'running', stage: 'collecting', isPaused: false, loads: 3 },
      { from: 'reach', requests: 1, byConnections: 1, tried: { preferences: 3, of: 40, requests: 1 }, atMost: 0.2 },
      { from: 'nothing', why: 'no-loads' },
    ];
    expect(others.map(settingsToApply)).toEqual([undefined, undefined, undefined, undefined]);
    expect(settingsToApply(answerOf({ prediction: SURE }))).toBe('c10-d1');
  });
});
