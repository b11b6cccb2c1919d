import { expect, it } from 'vitest';
import { profileView } from '../../../src/popup/profile-view.ts';

const active = {
  profileId: 'firefox-default',
  title: 'What this Firefox ships',
  appliedBy: 'browser',
  carrier: 'none',
  mismatches: [],
} as const;

it('says what went wrong at start, a sentence each', () => {
  expect(profileView(active, ['the policy names c9-d99, which is no profile.', 'the route could not be dropped']).startFailures).toEqual([
    'At start: the policy names c9-d99, which is no profile.',
    'At start: the route could not be dropped.',
  ]);
});

it('says nothing when nothing did', () => {
  expect(profileView(active).startFailures).toEqual([]);
});
