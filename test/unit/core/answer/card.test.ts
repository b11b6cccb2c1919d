/** The states of the popup's card: which comes first, and the one button of each. */
import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/core/answer/answer.ts';
import { type AppliedNow, type CardInput, type CardState, type CardTrial, cardState } from '../../../../src/core/answer/card.ts';
import { leadsForward, mainAction } from '../../../../src/core/answer/card-actions.ts';

const FOUND = { profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;
const CONFIRMED: Answer = { from: 'trial', state: 'confirmed', loads: 40, ...FOUND };
const PREDICTION: Answer = {
  from: 'prediction',
  profileId: 'c16-d1',
  carrier: 'none',
  change: { gain: 0.09, low: 0.04, high: 0.14 },
  pages: 12,
};
const REACH: Answer = { from: 'reach', requests: 200, byConnections: 24, tried: { preferences: 3, of: 40, requests: 200 }, atMost: 0.01 };
const running = (stage: 'collecting' | 'checking' | 'leading' | 'held'): Answer => ({
  from: 'trial',
  state: 'running',
  stage,
  isPaused: false,
  loads: 30,
  ...(stage === 'leading' && { leader: FOUND }),
});
const TRIAL: CardTrial = { isPaused: false, candidates: ['c12-d1'], rows: [], each: 9, planned: 246, left: { unit: 'days', count: 6 } };
const APPLIED: AppliedNow = { profileId: 'c12-d1', by: 'live', wrong: [], locked: [] };

const input = (changed: Partial<CardInput> = {}): CardInput => ({
  answer: { from: 'nothing', why: 'no-loads' },
  recording: 'recording',
  loads: 0,
  applier: 'at-once',
  rows: [],
  proof: { state: 'working' },
  ...changed,
});

/** Every state, what leads to it, and its button. */
const STATES: readonly (readonly [CardState['kind'], Partial<CardInput>, string])[] = [
  ['no-permission', { recording: 'no-permission', answer: CONFIRMED }, 'allow'],
  ['private-only', { recording: 'private-browsing' }, 'check'],
  ['version-too-new', { recording: 'version-too-new' }, 'check'],
  ['held-by-another', { recording: 'held-by-another' }, 'check'],
  ['list-lost', { recording: 'list-lost' }, 'see-never'],
  ['disk-full', { recording: 'store-failed' }, 'check'],
  ['storage-lost', { lost: { loads: 41, until: 1 }, stopped: { from: 1, until: 2 } }, 'dismiss'],
  ['restarted', { stopped: { from: 1, until: 2 }, trial: TRIAL }, 'dismiss'],
  ['fresh', {}, 'try'],
  // The first answer of three sites is the answer of all pages.
  ['nothing-to-gain', { loads: 9, answer: REACH }, 'measure'],
  ['unanswered', { loads: 20, answer: { from: 'nothing', why: 'link-not-known' } }, 'measure'],
  ['nothing-to-gain', { loads: 20, answer: REACH }, 'measure'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'days', days: 12, loads: 246 } }, 'prove'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'loads', loads: 246 } }, 'prove'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'too-slow', days: 31, perDay: 8, needed: 9 } }, 'measure'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'restarts', restarts: 106 } }, 'see-apply'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'not-possible', why: 'no' } }, 'see-apply'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'restarts', restarts: 106 }, applier: 'person-alone' }, 'see-manual'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'not-possible', why: 'no' }, applier: 'person-alone' }, 'see-manual'],
  ['predicted', { loads: 20, answer: PREDICTION, proof: { state: 'days', days: 12, loads: 246 }, applier: 'person-alone' }, 'prove'],
  ['collecting', { trial: TRIAL, answer: running('collecting') }, 'pause'],
  ['leading', { trial: TRIAL, answer: running('checking') }, 'pause'],
  ['leading', { trial: TRIAL, answer: running('leading') }, 'pause'],
  ['paused', { trial: { ...TRIAL, isPaused: true }, answer: running('collecting') }, 'resume'],
  ['invalid', { trial: TRIAL, answer: running('held') }, 'see-trial'],
  ['invalid', { isTrialInvalid: true }, 'measure'],
  ['confirmed', { answer: CONFIRMED }, 'apply'],
  ['confirmed', { answer: { ...CONFIRMED, carrier: 'gateway' }, applier: 'person' }, 'see-gateway'],
  ['confirmed', { answer: CONFIRMED, applied: { ...APPLIED, profileId: 'c8-d1' } }, 'apply'],
  ['helper-missing', { answer: CONFIRMED, applier: 'person' }, 'see-apply'],
  ['manual-step', { answer: CONFIRMED, applier: 'person-alone' }, 'see-manual'],
  ['confirmed', { answer: CONFIRMED, applier: 'working' }, 'apply'],
  ['not-faster', { answer: { from: 'trial', state: 'open', loads: 500 } }, 'measure'],
  ['applied', { answer: CONFIRMED, applied: APPLIED }, 'undo'],
  ['applied', { applied: { ...APPLIED, by: 'policy' } }, 'see-apply'],
  ['applied-not-in-effect', { applied: { ...APPLIED, by: 'helper', awaitsRestart: 'to-apply' } }, 'undo'],
  ['undone-at-restart', { answer: CONFIRMED, applied: { ...APPLIED, by: 'helper', awaitsRestart: 'to-undo' } }, 'see-apply'],
  ['confirmed', { answer: CONFIRMED, applied: { ...APPLIED, profileId: 'c8-d1', by: 'helper', awaitsRestart: 'to-undo' } }, 'apply'],
  ['applied', { applied: { ...APPLIED, by: 'manual' } }, 'see-manual'],
  ['applied-not-in-effect', { applied: { ...APPLIED, by: 'manual', awaitsRestart: 'to-apply' } }, 'see-manual'],
  ['applied-not-in-effect', { applied: { ...APPLIED, wrong: ['network.http.max-connections'] } }, 'set-again'],
  ['applied-not-in-effect', { applied: { ...APPLIED, by: 'helper', wrong: ['network.http.max-connections'] } }, 'undo'],
  ['applied-not-in-effect', { applied: { ...APPLIED, by: 'policy', wrong: ['network.http.max-connections'] } }, 'see-apply'],
  ['locked', { applied: { ...APPLIED, wrong: ['a'], locked: ['a'] } }, 'see-apply'],
  ['locked', { answer: CONFIRMED, refusedLocked: 'network.http.max-connections' }, 'see-apply'],
];

it.each(STATES)('%s of %j has the button %s', (kind, changed, action) => {
  const state = cardState(input(changed));
  expect(state.kind).toBe(kind);
  expect(mainAction(state)).toBe(action);
});

it('a proven answer keeps what it rests on, and on which networks', () => {
  const basis = { alpha: 0.05, loads: 22, baselineLoads: 18, passed: 5, tooEarly: 0, warned: 0 };
  const networks = [{ name: 'Home', isGiven: true, loads: 40 }];
  expect(cardState(input({ answer: CONFIRMED, basis, networks }))).toMatchObject({ kind: 'confirmed', basis, networks });
});

it('leads forward by its button, and back by a link', () => {
  const forward = (changed: Partial<CardInput>) => leadsForward(cardState(input(changed)));
  expect([{ answer: CONFIRMED }, { loads: 20, answer: PREDICTION }, {}].map(forward)).toEqual([true, true, true]);
  const back = [{ answer: CONFIRMED, applied: APPLIED }, { loads: 20, answer: REACH }, { lost: { loads: 41, until: 1 } }];
  expect(back.map(forward)).toEqual([false, false, false]);
});
