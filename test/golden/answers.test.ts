/**
 * The answer in words, in every state there is, as it was when somebody last looked at it. A difference is shown line by line; when it is
 * meant, write it with: npx vitest run --project unit test/golden -u
 */
import { expect, it } from 'vitest';
import { type Answer, UNANSWERED } from '../../src/core/answer/answer.ts';
import { answerLabel, answerSentence } from '../../src/core/answer/format-answer.ts';

const twelve = { profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 } } as const;
const deep = { profileId: 'c4-d6', carrier: 'gateway', change: { gain: 0.31, low: undefined, high: undefined } } as const;
const running = { from: 'trial', state: 'running', isPaused: false, loads: 24 } as const;

const ANSWERS: Readonly<Record<string, Answer>> = {
  'a trial has confirmed connections': { from: 'trial', state: 'confirmed', loads: 40, ...twelve },
  'a trial has confirmed a profile with a name': { from: 'trial', state: 'confirmed', loads: 1, ...twelve, profileId: 'betterfox' },
  'a trial has confirmed a depth': { from: 'trial', state: 'confirmed', loads: 80, ...deep, change: { gain: 0.31, low: 0.2, high: 0.44 } },
  'a trial has confirmed a depth against the gateway itself': {
    from: 'trial',
    state: 'confirmed',
    loads: 80,
    ...deep,
    alone: { gain: 0.18, low: 0.092, high: 0.28 },
  },
  'a trial has shown no difference': {
    from: 'trial',
    state: 'no-difference',
    loads: 240,
    within: 0.03,
    ...twelve,
    change: { gain: 0.004, low: -0.012, high: 0.021 },
  },
  'a trial has shown no difference from the gateway itself': {
    from: 'trial',
    state: 'no-difference',
    loads: 240,
    within: 0.03,
    ...deep,
    alone: { gain: 0.004, low: -0.012, high: 0.021 },
  },
  'a trial has used up its loads': {
    from: 'trial',
    state: 'open',
    loads: 800,
    closest: { ...twelve, change: { gain: 0.021, low: -0.04, high: 0.084 } },
  },
  'a trial has used up its loads, and none can be compared': { from: 'trial', state: 'open', loads: 800 },
  'a trial has found all of them slower': {
    from: 'trial',
    state: 'slower',
    profiles: [
      { ...twelve, profileId: 'c3-d1', change: { gain: -0.33, low: -0.48, high: -0.2 } },
      { ...twelve, profileId: 'c1-d1', change: { gain: -0.6, low: -0.7, high: -0.51 } },
    ],
  },
  'a trial collects': { ...running, stage: 'collecting' },
  'a trial collects, and one is ahead': {
    ...running,
    stage: 'collecting',
    best: { ...twelve, change: { gain: 0.09, low: -0.02, high: 0.2 } },
  },
  'a trial waits for its checks': { ...running, stage: 'checking' },
  'a trial has one ahead, not proven': {
    ...running,
    stage: 'leading',
    leader: { ...twelve, change: { gain: 0.29, low: -0.02, high: 0.7 } },
  },
  'a check of a trial fails': { ...running, stage: 'held' },
  'a trial is paused': { ...running, stage: 'collecting', isPaused: true },
  'a gain is predicted': {
    from: 'prediction',
    profileId: 'c10-d1',
    carrier: 'none',
    change: { gain: 0.18, low: 0.12, high: 0.25 },
    pages: 14,
  },
  'a gain was predicted before the newest load': {
    from: 'prediction',
    profileId: 'c10-d1',
    carrier: 'none',
    change: { gain: 0.18, low: 0.12, high: 0.25 },
    pages: 14,
    loadsSince: 1,
  },
  'part of the requests is in reach, as predicted before the newest loads': {
    from: 'reach',
    requests: 250,
    byConnections: 30,
    tried: { preferences: 3, of: 40, requests: 250 },
    atMost: 0.094,
    loadsSince: 12,
  },
  'a gain is predicted for some of the pages, on the network before': {
    from: 'prediction',
    profileId: 'c10-d1',
    carrier: 'none',
    change: { gain: 0.2, low: 0.016, high: 0.4 },
    pages: 12,
    outside: 8,
    former: { name: 'Home', isGiven: true },
  },
  'nothing to gain on some of the pages, on the network before': {
    from: 'reach',
    requests: 250,
    byConnections: 30,
    atMost: 0.01,
    tried: { preferences: 3, of: 40, requests: 250 },
    pages: 12,
    outside: 8,
    former: { name: 'RTT 40 ms, 20 Mbit/s', isGiven: false },
    loadsSince: 3,
  },
  'part of the requests is in reach, and nothing to gain': {
    from: 'reach',
    requests: 250,
    byConnections: 30,
    tried: { preferences: 3, of: 40, requests: 250 },
    atMost: 0.01,
  },
  'no request is in reach': { from: 'reach', requests: 250, byConnections: 0, tried: { preferences: 3, of: 40, requests: 250 }, atMost: 0 },
  'a part of the requests has no model, and nothing to gain by the others': {
    from: 'reach',
    requests: 250,
    byConnections: 30,
    atMost: 0.01,
    tried: { preferences: 3, of: 55, requests: 150 },
  },
  'no setting of what all requests use has a model': {
    from: 'reach',
    requests: 250,
    byConnections: 0,
    atMost: 0,
    tried: { preferences: 0, of: 34, requests: 0 },
  },
  'all requests are in reach, and the band is wide': {
    from: 'reach',
    requests: 250,
    byConnections: 250,
    tried: { preferences: 3, of: 40, requests: 250 },
    atMost: 0.094,
  },
  'hardly any request is in reach, and nobody knows the error': {
    from: 'reach',
    requests: 250,
    byConnections: 1,
    tried: { preferences: 3, of: 40, requests: 250 },
  },
  ...Object.fromEntries(UNANSWERED.map((why) => [`no answer: ${why}`, { from: 'nothing', why }])),
};

it('every answer in words', async () => {
  const lines = Object.entries(ANSWERS).map(([name, answer]) => `${name}\n  ${answerLabel(answer)}\n  ${answerSentence(answer)}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('answers.txt');
});
