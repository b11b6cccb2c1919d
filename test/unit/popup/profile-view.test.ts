import { expect, it } from 'vitest';
import { profileView } from '../../../src/popup/profile-view.ts';

const active = {
  profileId: 'firefox-default',
  title: 'What this Firefox ships',
  appliedBy: 'browser',
  carrier: 'none',
  mismatches: [],
} as const;

it.each([
  [
    'route',
    'At start: the way through the gateway of the last session could not be taken back: why. Start Firefox anew; if pages do not load, press “Back to before”.',
  ],
  [
    'gateway',
    'At start: the end of the gateway could not be noted: why. Switch the gateway on and off again; loads made until then may be counted as through it.',
  ],
  [
    'byHand',
    'At start: the profile that you have set by hand could not be noted as in effect: why. Start Firefox anew; loads made until then count for no profile.',
  ],
  [
    'policy',
    'At start: the policy that names a profile could not be heeded: why. Ask whoever wrote policies.json to correct it, or to take it away, and start Firefox anew.',
  ],
  [
    'managedTrial',
    'At start: the trial that the policy asks for could not be started: why. Ask whoever wrote policies.json to correct its trial; it is tried again with every start of Firefox.',
  ],
  [
    'helper',
    'At start: what the helper has put in effect could not be noted: why. Start Firefox anew; if it stays so, run “plumbfox helper doctor”.',
  ],
] as const)('says of %s what went wrong at start, why, and what to do', (part, words) => {
  expect(profileView(active, { startFailures: [{ part, why: 'why. ' }] }).failures).toEqual([words]);
});

it('says what failed since when nobody waited for it, and what to do', () => {
  const lateFailures = [
    { of: 'gateway', message: 'QuotaExceededError: full.' },
    { of: 'health', message: 'the store cannot be read' },
  ] as const;
  expect(profileView(active, { lateFailures }).failures).toEqual([
    'What became of the gateway could not be noted. Firefox reported: QuotaExceededError: full. Check that the disk is not full. It is noted with the next load; none is recorded before.',
    'Whether Firefox is well with the applied profile could not be noted. Firefox reported: the store cannot be read. Press “It works: keep it” under Apply, or the helper takes the profile back.',
  ]);
});

it('says nothing when nothing did', () => {
  expect(profileView(active).failures).toEqual([]);
});
