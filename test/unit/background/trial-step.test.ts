import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepTrial, underWayKeys } from '../../../src/background/trial-step.ts';
import { advance, commandFor } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import { makeTrialPlan, type SlotRule } from '../../../src/core/trial/trial-plan.ts';
import { parseTrialRecord, storedTrialRecord, type TrialRecord } from '../../../src/protocol/trial-record.ts';

const AT = 1_800_000_000_000;
const SESSION = { id: 's-1', since: AT - 1_000 };
const arm = (id: string, role: 'baseline' | 'candidate') => ({ id, carrier: 'none' as const, role, depth: 1 });

const profiles = [arm('firefox-default', 'baseline'), arm('c8-d1', 'candidate')];
const PLAN = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });

function begun(slots: SlotRule = { kind: 'loads', perSlot: 3 }): TrialRecord {
  const plan = { ...PLAN, slots };
  const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
  return { plan, progress, before: {}, own: [], toldUntil: 10 };
}

interface Row {
  readonly key: number;
  readonly startedAt: number;
  state: 'open' | 'recorded' | 'failed' | 'forgotten';
}

/** A store of navigations, and what the trial is told of it. */
function told(trial: TrialRecord, rows: readonly Row[], more: Partial<Parameters<typeof stepTrial>[1]> = {}) {
  const underWay = underWayKeys(trial);
  return stepTrial(trial, {
    now: AT + 10_000,
    session: SESSION,
    began: rows.filter(({ key }) => key > trial.toldUntil),
    settled: rows.filter(({ key, state }) => underWay.includes(key) && state !== 'open'),
    ...more,
  });
}

const switched = (trial: TrialRecord, at = AT + 1): TrialRecord =>
  told(trial, [], { now: at, event: { kind: 'switched', at, slot: trial.progress.current.slot } }).trial;

const row = (key: number, state: Row['state'], at = AT + 100 * key): Row => ({ key, startedAt: at, state });

describe('what was predicted of the candidates', () => {
  const predicted = [{ profileId: 'c8-d1', ratio: 1.06 }];

  test('is kept with the trial, through every step and in the store', () => {
    const { trial } = told({ ...switched({ ...begun(), predicted }) }, [row(11, 'recorded')]);
    expect(trial.predicted).toEqual(predicted);
    expect(parseTrialRecord(JSON.parse(JSON.stringify(storedTrialRecord(trial)))).predicted).toEqual(predicted);
  });

  test('is absent in a trial of before, and has to be a ratio', () => {
    expect(parseTrialRecord(storedTrialRecord(begun()))).not.toHaveProperty('predicted');
    expect(() => storedTrialRecord({ ...begun(), predicted: [{ profileId: 'c8-d1', ratio: 0 }] })).toThrow();
  });
});

describe('what the person had applied before', () => {
  const former = { profileId: 'c4-d1', by: 'live' as const };
  const stopped = told({ ...switched(begun()), former }, [], { event: { kind: 'stopped', at: AT + 20_000 } }).trial;
  const reverted = { event: { kind: 'reverted' as const, at: AT + 30_000 }, now: AT + 30_000 };

  test('is kept with the trial, in the store too', () => {
    expect(parseTrialRecord(JSON.parse(JSON.stringify(storedTrialRecord(stopped)))).former).toEqual(former);
    expect(told(stopped, [], reverted).trial.former).toEqual(former);
  });

  test('is told not to be applied again, with the reason, until it is', () => {
    const { trial } = told(stopped, [], { ...reverted, notAgain: 'it is locked' });
    expect(trial.former).toEqual({ ...former, notAgain: 'it is locked' });
    expect(parseTrialRecord(JSON.parse(JSON.stringify(storedTrialRecord(trial)))).former).toEqual(trial.former);
    expect(told(trial, [], { now: AT + 40_000 }).trial.former).toEqual(trial.former);
    expect(told(trial, [], reverted).trial.former).toEqual(former);
  });
});

describe('a load', () => {
  test('is placed when it is recorded: the first after a switch is washout, the next counts', () => {
    const { places } = told(switched(begun()), [row(11, 'recorded'), row(12, 'recorded')]);
    expect([...places].map(([key, { mark, void: why }]) => [key, mark.slot, mark.position, mark.washout, why])).toEqual([
      [11, 0, 0, true, undefined],
      // It began before the first was told to have ended.
      [12, 0, 1, true, undefined],
    ]);
  });

  test('counts once, however often the same is told', () => {
    const rows = [row(11, 'recorded'), row(12, 'recorded')];
    const once = told(told(switched(begun()), rows.slice(0, 1)).trial, rows).trial;
    const twice = told(once, rows);
    expect(twice.trial).toBe(once);
    expect(twice.places.size).toBe(0);
    expect(once.progress.current).toMatchObject({ begun: 2, attempted: 1 });
  });

  test('that began before its profile was in effect is void, and says why', () => {
    const early = { key: 11, startedAt: AT + 500, state: 'recorded' as const };
    const { places } = told(switched(begun(), AT + 1_000), [early]);
    expect(places.get(11)).toMatchObject({ void: expect.stringContaining('before the profile of its slot was in effect') });
  });

  test('that failed, or whose row was dropped, is lost and has no place', () => {
    const open = told(switched(begun()), [row(11, 'open'), row(12, 'open')]).trial;
    const { trial, places } = told(open, [row(11, 'failed'), row(12, 'forgotten')]);
    expect(places.size).toBe(0);
    expect(trial.progress.loads.map(({ state }) => state)).toEqual(['lost', 'lost']);
  });

  test('that takes for ever is given up, and the switch that waits for it is asked for', () => {
    const slot = [row(11, 'recorded'), row(12, 'recorded'), row(13, 'recorded')];
    const first = told(switched(begun()), slot.slice(0, 1)).trial;
    const waiting = told(first, [...slot, row(14, 'open')]).trial;
    expect(commandFor(waiting.progress, waiting.plan)).toBeUndefined();
    // 120 s after it began (trial-defaults.ts); one millisecond less is not enough.
    const until = AT + 1_400 + 120_000;
    const patient = told(waiting, slot, { now: until }).trial;
    expect(commandFor(patient.progress, patient.plan)).toBeUndefined();
    const after = told(waiting, slot, { now: until + 1 }).trial;
    expect(commandFor(after.progress, after.plan)).toEqual({ kind: 'look', slot: 0 });
  });
});

describe('where a profile goes through the gateway', () => {
  const gatewayArms = [profiles[0], { ...arm('c4-d6', 'candidate'), carrier: 'gateway' as const, depth: 6 }] as typeof profiles;
  const plan = { ...PLAN, profiles: gatewayArms, slots: { kind: 'loads' as const, perSlot: 3 } };
  /** In the slot of the baseline, or of what goes through the gateway. */
  function inSlotOf(profileId: string): TrialRecord {
    const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
    const current = { ...progress.current, profileId };
    return switched({ plan, progress: { ...progress, current }, before: {}, own: [], toldUntil: 10 });
  }
  const routed = (key: number, route: 'gateway' | 'direct' | 'not-carried') => ({ ...row(key, 'recorded'), route });
  const courseOf = (profileId: string, rows: readonly ReturnType<typeof routed>[]) =>
    rows.reduce(
      ({ trial, voids }, one) => {
        const next = told(trial, [one]);
        return { trial: next.trial, voids: [...voids, next.places.get(one.key)?.void] };
      },
      { trial: inSlotOf(profileId), voids: [] as (string | undefined)[] },
    );

  test.each([
    ['firefox-default', 'direct', 'gateway', 'came through the gateway'],
    ['c4-d6', 'gateway', 'direct', 'bypassed the gateway'],
  ] as const)('in the slot of %s only plain http that came as it should counts', (profileId, right, wrong, why) => {
    const { trial, voids } = courseOf(profileId, [
      routed(11, 'not-carried'),
      routed(12, right),
      routed(13, 'not-carried'),
      routed(14, wrong),
      routed(15, right),
    ]);
    const notCarried = expect.stringContaining('is of no site listed for pipelining');
    expect(voids).toEqual([notCarried, undefined, notCarried, expect.stringContaining(why), undefined]);
    // The first that came as it should washed out what was before, and one was attempted: the slot of two goes on.
    expect(trial.progress.current).toMatchObject({ phase: 'in-effect', begun: 2, attempted: 1 });
    expect(trial.progress.stretches[0]?.counts[profileId]).toEqual({ attempted: 1, recorded: 1, lost: 0 });
    expect(trial.progress.loads.map(({ mark }) => mark.washout).slice(-1)).toEqual([false]);
  });

  test('a load that is told twice is set aside once', () => {
    const once = courseOf('c4-d6', [routed(11, 'gateway'), routed(12, 'not-carried')]).trial;
    expect(told(once, [routed(12, 'not-carried')]).trial).toBe(once);
  });

  test('elsewhere nobody asks how a load came', () => {
    const { places } = told(switched(begun()), [routed(11, 'not-carried')]);
    expect(places.get(11)?.void).toBeUndefined();
  });
});

describe('a change by someone else', () => {
  const disturbed = 'a.b was 6 and is 9 now';

  test('pauses the trial with the reason, and voids the loads it may have touched', () => {
    const open = told(switched(begun()), [row(11, 'open')]).trial;
    const { trial, places } = told(open, [row(11, 'recorded')], { disturbed });
    expect(trial).toMatchObject({ pausedBecause: disturbed, progress: { status: 'paused' } });
    expect(places.get(11)?.void).toBeDefined();
  });

  test('is forgotten when the trial goes on, and kept until then', () => {
    const { trial: paused } = told(switched(begun()), [], { disturbed });
    expect(told(paused, [row(11, 'recorded')]).trial.pausedBecause).toBe(disturbed);
    const at = AT + 20_000;
    expect(told(paused, [], { now: at, event: { kind: 'resumed', at } }).trial).not.toHaveProperty('pausedBecause');
  });

  test('is none while no profile is in effect, nor when Firefox has just started', () => {
    expect(told(begun(), [], { disturbed }).trial.progress.status).toBe('running');
    const session = { id: 's-2', since: AT + 9_000 };
    const { trial } = told(switched(begun()), [], { disturbed, session });
    expect(trial.progress).toMatchObject({ status: 'running', current: { slot: 0, phase: 'switching' } });
  });
});

test('a new start of Firefox loses what was under way, and asks for the same profile again', () => {
  const open = told(switched(begun()), [row(11, 'open')]).trial;
  const session = { id: 's-2', since: AT + 60_000 };
  const { trial } = told(open, [row(12, 'open', AT + 59_000), row(13, 'open', AT + 61_000)], { session, now: AT + 62_000 });
  expect(trial.progress.loads.map(({ id, state, void: isVoid }) => [id, state, isVoid])).toEqual([
    ['11', 'lost', true],
    ['12', 'lost', true],
    ['13', 'under-way', true],
  ]);
  const { profileId } = open.progress.current;
  const done = told(trial, [row(13, 'recorded', AT + 61_000)], { session, now: AT + 63_000 }).trial;
  expect(commandFor(done.progress, done.plan)).toEqual({ kind: 'switch-to', slot: 0, profileId });
});

test('however the news is cut into steps, each load has the same place, and what is stored is what is read', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('recorded' as const, 'failed' as const), { maxLength: 6 }), fc.boolean(), (ends, alone) => {
      const rows = ends.map((state, at) => row(11 + at, state, AT + 100 + at));
      let trial = switched(begun({ kind: 'loads', perSlot: 50 }));
      const places = new Map<number, unknown>();
      for (const one of rows) {
        // Told when it begins and again when it has ended, or only then.
        if (!alone) trial = told(trial, [{ ...one, state: 'open' }]).trial;
        const after = told(trial, [one]);
        trial = parseTrialRecord(structuredClone(storedTrialRecord(after.trial)));
        for (const [key, place] of after.places) places.set(key, place);
      }
      const recorded = rows.filter(({ state }) => state === 'recorded').map(({ key }) => key);
      expect([...places.keys()]).toEqual(recorded);
      expect(trial.toldUntil).toBe(10 + rows.length);
      expect(trial.progress.current.begun).toBe(rows.length);
    }),
  );
});

describe('a clock that was set back by an hour', () => {
  const HOUR = 3_600_000;
  const later = () => told(switched(begun()), [row(11, 'recorded'), row(12, 'open')]).trial;
  const at = AT - HOUR;
  const session = { ...SESSION, since: SESSION.since - HOUR };

  test('keeps nobody from pausing, and nothing from being taken back', () => {
    const paused = told(later(), [], { now: at + 1, session, event: { kind: 'paused', at } }).trial;
    expect(paused.progress).toMatchObject({ status: 'paused', statusSince: at });
    const reverted = told(paused, [], { now: at + 3, session, event: { kind: 'reverted', at: at + 2 } }).trial;
    expect(reverted.progress.applied).toBe(false);
  });

  test('has the slot put in effect anew; what was loading does not count, what loads then does', () => {
    const { trial } = told(later(), [row(12, 'recorded')], { now: at, session });
    expect(trial.progress.current).toMatchObject({ slot: 0, phase: 'switching', attempted: 0 });
    expect(trial.progress.loads.at(-1)).toMatchObject({ id: '12', void: true, state: 'recorded' });
    const again = told(trial, [], { now: at + 2, session, event: { kind: 'switched', at: at + 1, slot: 0 } }).trial;
    const rows = [row(13, 'recorded', at + 100), row(14, 'open', at + 200)];
    expect(told(again, rows.slice(0, 1), { now: at + 150, session }).trial.progress.loads.at(-1)).toMatchObject({ id: '13', void: false });
    expect(told(again, rows, { now: at + 300, session }).trial.progress.current).toMatchObject({ phase: 'in-effect', begun: 2 });
  });

  test('hides no start of Firefox', () => {
    const { trial } = told(later(), [], { now: at, session: { id: 's-2', since: at - 100 } });
    expect(trial.progress).toMatchObject({ session: { id: 's-2', since: at - 100 }, current: { phase: 'switching' } });
  });

  test('is told from clocks that are a little apart', () => {
    const trial = later();
    expect(told(trial, [], { now: AT - 4_000 }).trial).toBe(trial);
  });
});
