import { describe, expect, it } from 'vitest';
import { plannedText } from '../../../src/controls/trial-setup-view.ts';
import { trialView } from '../../../src/controls/trial-view.ts';
import type { SlotRule } from '../../../src/core/trial/trial-plan.ts';
import type { CurrentTrial, TrialFacts, TrialLengths, TrialNow } from '../../../src/protocol/trial-state.ts';
import { NOW, plain } from './sample-state.ts';

const usual = { loadsPerSlot: 3, minutesPerSlot: 10 };

const lengths = (slots: SlotRule): TrialLengths => ({ mostLoads: 1440, plannedLoads: 520, slots });

function currentTrial(changed: Partial<CurrentTrial> = {}): CurrentTrial {
  return {
    id: 't-1',
    stateKind: 'collecting',
    sentence: '12 loads counted so far.',
    warnings: [],
    slots: { kind: 'loads', perSlot: 5 },
    made: 12,
    loadsLeft: 500,
    arms: [
      { profileId: 'firefox-default', attempted: 10, recorded: 9, lost: 1 },
      { profileId: 'c8-d1', attempted: 5, recorded: 5, lost: 0 },
      { profileId: 'c4-d1', attempted: 5, recorded: 3, lost: 2, dropped: 'less efficient by 12 %' },
    ],
    turn: { profileId: 'c8-d1', block: 1, slot: 11, slotInBlock: 2 },
    now: { state: 'in-effect', since: NOW + (10 * 60 + 14) * 60_000, washout: false },
    ...changed,
  };
}

function view(current: CurrentTrial | undefined = currentTrial(), changed: Partial<TrialFacts> = {}) {
  const offer = {
    baseline: 'firefox-default',
    offered: [
      { id: 'c4-d1', title: 'four' },
      { id: 'c8-d1', title: 'eight' },
    ],
    notOffered: [{ id: 'control', why: 'it needs the gateway' }],
    usual,
  };
  return plain(trialView({ live: true, offer, current, ...changed }, NOW + 11 * 3_600_000));
}

it('says of a candidate what was predicted of it, and that it was not measured', () => {
  const [baseline, , dropped] = currentTrial().arms;
  const chosen = { profileId: 'c8-d1', attempted: 5, recorded: 5, lost: 0, predictedRatio: 1.06 };
  const arms = [baseline, chosen, { ...dropped, predictedRatio: 1.02 }] as CurrentTrial['arms'];
  expect(view(currentTrial({ arms })).current?.rows.map(({ note }) => note)).toEqual([
    'baseline',
    'predicted ≈ +6 %, not measured',
    'out: less efficient by 12 % · predicted ≈ +2 %, not measured',
  ]);
});

describe('where the gateway is switched', () => {
  const because = 'The gateway ended by itself, and everything goes direct.';
  it('says so when it offers its profiles, and marks no more than before as chosen', () => {
    const offer = { baseline: 'firefox-default', offered: [{ id: 'c8-d1', title: 'eight' }], notOffered: [], usual };
    const ended = currentTrial({ now: { state: 'ended', restoring: false } });
    const { setup } = view(ended, { live: false, offer: { ...offer, gateway: [{ id: 'c4-d6', title: 'six' }] } });
    expect(setup?.candidates.map(({ id, isChosen }) => [id, isChosen])).toEqual([
      ['c8-d1', true],
      ['c4-d6', false],
    ]);
    expect(setup?.explanation).toContain('The last ones go through the gateway');
    expect(view(ended, { live: false, offer }).setup?.explanation).not.toContain('gateway');
  });
  it('says of a plan that only plain http counts, and how many loads could have', () => {
    const words = (of: number) => plannedText({ ...lengths({ kind: 'loads', perSlot: 5 }), gateway: { could: 12, of } }, undefined);
    expect(words(50)).toContain('Only pages of the sites listed for pipelining count, whatever the settings: 12 of your last 50 loads.');
    expect(words(0)).toContain('You have no such loads yet.');
  });
  it('tells what becomes of it', () => {
    const said = (state: TrialNow) => view(currentTrial({ now: state, byGateway: true })).current?.now;
    expect(said({ state: 'paused', because, restoring: false })).toBe(
      `${because} The trial excludes loads until it continues. Continuing switches the gateway on again.`,
    );
    expect(said({ state: 'ended', restoring: false })).toBe('The gateway is as it was before the trial.');
    expect(said({ state: 'ended', restoring: true })).toContain('returns to what it was once no page is loading');
  });
});

const now = (state: TrialNow, changed: Partial<CurrentTrial> = {}) => view(currentTrial({ now: state, ...changed })).current;

describe('where the person sets profiles by hand', () => {
  const due = { profileId: 'c8-d1', policies: '{}' };
  const task = (byHand: TrialFacts['byHand'] | undefined, profileId = 'c8-d1') =>
    view(currentTrial({ slots: { kind: 'session' }, now: { state: 'due-at-start', held: 'c10-d1' }, due: { ...due, profileId } }), {
      live: false,
      ...(byHand && { byHand }),
    }).current;
  const explanation = (byHand: TrialFacts['byHand']) =>
    view(currentTrial({ now: { state: 'ended', restoring: false } }), { live: false, ...(byHand && { byHand }) }).setup?.explanation;

  it('speaks of no policy on Android, which has none', () => {
    expect(task('android')?.task).toBe('Before you next start Firefox, set 8 connections manually, above.');
    expect(task('android', 'firefox-default')?.task).toBe('Before you next start Firefox, undo the manual settings, above.');
    expect(task('android')).not.toHaveProperty('policies');
    expect(explanation('android')).not.toContain('policies.json');
  });
  it('offers both elsewhere', () => {
    expect(task('desktop')?.task).toMatch(/policies\.json.* Or set 8 connections manually, above\.$/);
    expect(task('desktop')?.policies).toBe('{}');
    expect(explanation('desktop')).toContain('install their policies.json or set them manually');
  });
  it('speaks of policies alone where nothing can be set by hand', () => {
    expect(task(undefined)?.task).not.toContain('by hand');
  });
});

describe('what is happening now', () => {
  it('counts slots within their block and both from 1, and says since when', () => {
    // NOW is midnight UTC.
    expect(view().current?.now).toBe('Slot 3 of block 2 (8 connections) since 10:14.');
  });

  it('says that the first load after a switch does not count, before it has begun', () => {
    expect(now({ state: 'in-effect', since: NOW, washout: true })?.now).toContain(
      'Slot 3 of block 2 (8 connections) since 00:00. The next load is the first after the switch and is excluded.',
    );
  });

  it('names the day of a slot that began on another', () => {
    expect(now({ state: 'in-effect', since: NOW - 3_600_000, washout: false })?.now).toContain('since 23:00 on December 31');
  });

  it.each([
    [0, '(8 connections) is next, about to take effect.'],
    [1, '(8 connections) is next. It takes effect once the loading page has finished, within two minutes.'],
    [3, '(8 connections) is next. It takes effect once the 3 loading pages have finished, within two minutes.'],
  ])('waits for %d pages that are loading', (loading, words) => {
    expect(now({ state: 'switching', loading })?.now).toContain(words);
  });

  it('says why it paused by itself, and that the preferences are back or will be', () => {
    expect(now({ state: 'paused', because: 'a.b was 6 and is 9 now: someone else has changed it.', restoring: false })?.now).toBe(
      'a.b was 6 and is 9 now: someone else has changed it. The trial excludes loads until it continues. What someone else changed was left alone, and everything else is restored. You can continue once that is restored, too.',
    );
    expect(now({ state: 'paused', because: undefined, restoring: true })).toMatchObject({
      title: 'Paused.',
      now: expect.stringMatching(/^You have paused the trial\..*once no page is loading/),
    });
  });
});

describe('slots by session', () => {
  const due = { profileId: 'c8-d1', policies: '{}' };
  const slots = { kind: 'session' } as const;

  it('says what this session runs under instead, and what to do before the next', () => {
    const shown = now({ state: 'due-at-start', held: 'firefox-default' }, { due, slots });
    expect(shown?.now).toBe(
      'Slot 3 of block 2 (8 connections) is due. This session uses Firefox’s own settings, so its loads are excluded.',
    );
    expect(shown?.task).toContain('install the policies.json for 8 connections');
    expect(shown?.policies).toBe('{}');
  });

  it('asks for nothing but a new start when the profile is in place', () => {
    const shown = now({ state: 'due-at-start', held: 'c8-d1' }, { due, slots });
    expect(shown?.task).toBe('Leave everything as it is, and restart Firefox when it suits you.');
    expect(shown?.policies).toBeUndefined();
  });

  it('names the next profile while the slot is under way', () => {
    const next = { profileId: 'c4-d1', policies: '{"next":1}' };
    expect(now({ state: 'in-effect', since: NOW, washout: false }, { due: next, slots })).toMatchObject({
      task: expect.stringContaining('install the policies.json for 4 connections'),
      policies: '{"next":1}',
    });
  });

  it('says what the helper has laid ready, or when it will, and offers no file', () => {
    const ready = now({ state: 'due-at-start', held: 'firefox-default' }, { due: { ...due, helper: 'staged' }, slots, byHelper: true });
    expect(ready?.task).toBe('Ready: 8 connections. Restart Firefox when it suits you.');
    const later = now({ state: 'in-effect', since: NOW, washout: false }, { due: { ...due, helper: 'not-yet' }, slots, byHelper: true });
    expect(later?.task).toContain('If this stays, apply it above');
    expect([ready?.policies, later?.policies]).toEqual([undefined, undefined]);
  });

  it('says that what the helper takes back is so from the next start on', () => {
    const restored = 'Your own preferences return at the next start of Firefox.';
    expect(now({ state: 'ended', restoring: false }, { slots, byHelper: true })?.now).toBe(restored);
    // What a person has put in place only the person takes away.
    expect(now({ state: 'ended', restoring: false }, { slots })?.now).toContain('stays until you remove it');
  });

  it('says before the start and after the end what becomes of the profile that was applied', () => {
    const former = { profileId: 'c4-d1', by: 'helper' as const };
    const after = now({ state: 'ended', restoring: false }, { slots, byHelper: true, former });
    expect([after?.now, after?.former?.text]).toEqual([
      'Nothing of the trial is left.',
      'What you applied before the trial (4 connections) is in effect again from the next start of Firefox.',
    ]);
    expect(view(undefined, { current: undefined, former }).setup?.takesBack).toContain('The trial undoes what you applied (4 connections)');
  });

  it('offers no length of a slot', () => {
    const { setup } = view(undefined, { live: false, current: undefined });
    expect(setup).toMatchObject({ hasLength: false, explanation: expect.stringContaining('a slot is one session') });
  });
});

describe('what may be done', () => {
  const may = (state: TrialNow) => {
    const { current, setup } = view(currentTrial({ now: state }));
    return [current?.canPause, current?.canResume, current?.canStop, setup !== undefined];
  };

  it.each<[TrialNow, readonly boolean[]]>([
    [{ state: 'in-effect', since: NOW, washout: false }, [true, false, true, false]],
    [{ state: 'switching', loading: 1 }, [true, false, true, false]],
    [{ state: 'due-at-start', held: 'c4-d1' }, [true, false, true, false]],
    [{ state: 'paused', because: undefined, restoring: false }, [false, true, true, false]],
    // Until the preferences are back no other can be started.
    [{ state: 'ended', restoring: true }, [false, false, false, false]],
    [{ state: 'ended', restoring: false }, [false, false, false, true]],
  ])('%j', (state, expected) => expect(may(state)).toEqual(expected));

  it('before any trial only one can be started', () => {
    const shown = view(undefined, { current: undefined });
    expect(shown.current).toBeUndefined();
    expect(shown.setup?.candidates).toEqual([
      { id: 'c4-d1', title: 'four', isChosen: false },
      { id: 'c8-d1', title: 'eight', isChosen: true },
    ]);
    expect(shown.setup?.notOffered).toEqual([{ name: "Firefox's own settings through the gateway", why: 'it needs the gateway' }]);
  });
});

it.each([
  ['collecting', 'Collecting.'],
  ['checking', 'Checking.'],
  ['leading', 'One is ahead, being confirmed.'],
  ['confirmed', 'Confirmed.'],
  ['no-difference', 'No real difference.'],
  ['invalid', 'No verdict.'],
  ['stopped', 'Stopped.'],
] as const)('%s has a title, and its sentence beside it', (stateKind, title) => {
  expect(view(currentTrial({ stateKind, warnings: ['Loads go missing.'] })).current).toMatchObject({
    title,
    sentence: '12 loads counted so far.',
    warnings: ['Loads go missing.'],
  });
});

it('keeps what other protocols say apart from what is wrong with the trial', () => {
  const said = ['Apart from the verdict: 8 connections are as fast.'];
  expect(view(currentTrial({ otherProtocols: said })).current).toMatchObject({ warnings: [], otherProtocols: said });
  expect(view().current?.otherProtocols).toEqual([]);
});

it('does not call it no difference where the loads left it open', () => {
  const answer = { from: 'trial', state: 'open', loads: 40 } as const;
  expect(view(currentTrial({ stateKind: 'no-difference', answer })).current?.title).toBe('Not enough data.');
});

it('shows the loads of each profile, and why one has no turn any more', () => {
  expect(view().current?.rows).toEqual([
    { name: 'Firefox’s own settings', note: 'baseline', recorded: '9 of 10', lost: '1', isOn: false },
    { name: '8 connections', note: '', recorded: '5 of 5', lost: '0', isOn: true },
    { name: '4 connections', note: 'out: less efficient by 12 %', recorded: '3 of 5', lost: '2', isOn: false },
  ]);
});

it('says why the trial could not go on', () => {
  expect(view(currentTrial(), { failure: 'the disk is full.' }).problem).toBe(
    'The trial could not continue: the disk is full. The next page you load tries again.',
  );
  expect(view().problem).toBeUndefined();
});

describe('how many loads it will take', () => {
  const words = (slots: SlotRule) => plain(plannedText(lengths(slots), undefined));

  it('are page loads that the person makes, and how many at most', () => {
    expect(words({ kind: 'loads', perSlot: 5 })).toMatch(
      /^About 520 page loads until a 10 % gain is proven or ruled out\. .* with 1,440 page loads at most\./,
    );
  });

  const LIVE = { kind: 'loads', perSlot: 5 } as const;
  const at = (perDay: number, changed: Partial<TrialLengths> = {}) => plain(plannedText({ ...lengths(LIVE), ...changed }, perDay));

  it("says how many days that is at the person's pace", () => {
    // 520 / 40 = 13.
    expect(at(40)).toMatch(/^About 520 page loads until a 10 % gain is proven or ruled out: roughly 13 days at your pace\. /);
    expect(at(520)).toContain('roughly 1 day at your pace.');
    // 12 of 50 can count: 520 * 50 / 12 = 2,167 page loads in all, 73 a day.
    expect(at(73, { gateway: { could: 12, of: 50 } })).toContain('roughly 30 days at your pace.');
  });

  it('says first, where it cannot end in 30 days, from which pace on it could', () => {
    // 520 / 10 = 52; 520 / 30 = 17.3.
    expect(at(10)).toMatch(
      /^At your 10 page loads a day a proof takes about 52 days, at 18 page loads a day 30 days\. About 520 page loads /,
    );
    expect(at(36, { gateway: { could: 12, of: 50 } })).toMatch(/^At your 36 .* about 61 days, at 73 page loads a day 30 days\./);
  });

  it('or what needs no restarts, whatever the pace', () => {
    // 520 / 5 of a session.
    const restarts = /^A proof here would take 104 restarts of Firefox\. In Firefox ESR .* needs none\. About 520 page loads /;
    expect(words({ kind: 'session' })).toMatch(restarts);
    expect(at(1_000, { slots: { kind: 'session' } })).toMatch(restarts);
  });
});
