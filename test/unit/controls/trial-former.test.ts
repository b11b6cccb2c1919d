/** What is said of the profile that the person has applied: before a trial takes it back, while it is away, and when it is back or is not. */
import { expect, test } from 'vitest';
import { takesBackText } from '../../../src/controls/trial-setup-view.ts';
import { formerView } from '../../../src/controls/trial-view.ts';
import type { FormerProfile } from '../../../src/protocol/trial-record.ts';
import type { TrialNow } from '../../../src/protocol/trial-state.ts';

const by = (way: FormerProfile['by'], more: Partial<FormerProfile> = {}): FormerProfile => ({ profileId: 'c4-d1', by: way, ...more });
const ENDED: TrialNow = { state: 'ended', restoring: false };
const PAUSED: TrialNow = { state: 'paused', because: undefined, restoring: false };

test.each([
  ['live', 'The trial undoes what you applied (4 connections), and applies it again when it pauses or ends.'],
  [
    'helper',
    'The trial undoes what you applied (4 connections). When it pauses or ends, the helper app applies it again, at the next start of Firefox.',
  ],
  [
    'person',
    'The trial undoes what you set (4 connections), and Plumbfox cannot restore it. Set it again yourself when the trial has ended.',
  ],
] as const)('before the start, of what was applied by %s', (way, words) => {
  expect(takesBackText(by(way))).toBe(words);
});

test('while the trial runs, that it is applied again', () => {
  const text = 'What you applied (4 connections) is applied again when the trial pauses or ends.';
  for (const way of ['live', 'helper'] as const) {
    expect(formerView(by(way), { state: 'switching', loading: 0 })).toEqual({ text, isProblem: false });
  }
  expect(formerView(by('person'), { state: 'switching', loading: 0 })).toBeUndefined();
});

test('nothing while the trial is still putting back', () => {
  expect(formerView(by('live'), { state: 'ended', restoring: true })).toBeUndefined();
});

test.each([
  ['live', 'What you applied before the trial (4 connections) is in effect again.', false],
  ['helper', 'What you applied before the trial (4 connections) is in effect again from the next start of Firefox.', false],
  ['person', 'Before the trial Firefox used 4 connections: set that again as you did then, and restart Firefox.', true],
] as const)('after it, of what was applied by %s', (way, text, isProblem) => {
  expect(formerView(by(way), ENDED)).toEqual({ text, isProblem });
  expect(formerView(by(way), PAUSED)).toEqual({ text, isProblem });
});

test('why it could not be applied again, and what to do', () => {
  const former = by('live', { notAgain: 'the preference is locked.' });
  const why = 'What you applied before the trial (4 connections) could not be applied again: the preference is locked.';
  expect(formerView(former, ENDED)).toEqual({ text: `${why} Apply it yourself, above.`, isProblem: true });
  expect(formerView(former, PAUSED)).toEqual({ text: `${why} When the trial has ended, apply it yourself, above.`, isProblem: true });
});
