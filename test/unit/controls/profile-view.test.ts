import { expect, it } from 'vitest';
import { profileView } from '../../../src/controls/profile-view.ts';

const active = {
  profileId: 'firefox-default',
  title: "Firefox's own settings",
  appliedBy: 'browser',
  carrier: 'none',
  mismatches: [],
} as const;

it.each([
  [
    'route',
    'At start, the last session’s way through the gateway could not be removed: why. Restart Firefox. If pages do not load, press “Undo”.',
  ],
  [
    'gateway',
    'At start, the end of the gateway could not be recorded: why. Switch the gateway on and off again. Loads until then may count as sent through it.',
  ],
  ['byHand', 'At start, what you set manually could not be recorded as in effect: why. Restart Firefox. Loads until then are excluded.'],
  ['policy', 'At start, the policy’s profile could not be read: why. Ask whoever wrote policies.json to correct it, then restart Firefox.'],
  [
    'managedTrial',
    'At start, the trial that the policy asks for could not begin: why. Ask whoever wrote policies.json to correct it. Each start of Firefox tries again.',
  ],
  [
    'helper',
    'At start, what the helper app applied could not be recorded: why. Restart Firefox. If this stays, run “plumbfox helper doctor”.',
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
    'What happened to the gateway could not be saved. Firefox reported: QuotaExceededError: full. Check that the disk is not full. The next load tries again; none is recorded before.',
    'Whether Firefox runs well with these settings could not be saved. Firefox reported: the store cannot be read. Press “It works: keep it” under Apply, or the helper app undoes them.',
  ]);
});

it('says nothing when nothing did', () => {
  expect(profileView(active).failures).toEqual([]);
});
