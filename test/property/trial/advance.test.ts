/** The course of a trial under any order of events: it may be stored and read back between any two, and told again what it knows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, commandFor, type TrialEvent } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import type { TrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialProgress } from '../../../src/core/trial/trial-progress.ts';
import type { TrialDecision } from '../../../src/core/trial/trial-state.ts';
import { parseTrialProgress } from '../../../src/protocol/trial-record.ts';
import { markOf, planOf } from '../../unit/core/trial/trial-driver.ts';

const PLANS: readonly TrialPlan[] = [
  planOf({ candidates: 1, slots: { kind: 'loads', perSlot: 2 } }),
  planOf({ candidates: 3, slots: { kind: 'loads', perSlot: 1 } }),
  planOf({ candidates: 2, slots: { kind: 'minutes', perSlot: 0.01 } }),
  planOf({ candidates: 2, live: false, slots: { kind: 'session' } }),
];

/** What happens next, said without reference to the state; the driver turns it into the event that fits. */
type Move =
  | { readonly kind: 'obey' | 'fail' | 'begin' | 'lose' | 'record' | 'pause' | 'resume' | 'wait' | 'restart' | 'stop' | 'stray' }
  | { readonly kind: 'decide'; readonly step: TrialDecision['step']['kind']; readonly arm: number };

const plain = (kind: Exclude<Move['kind'], 'decide'>, weight: number) => ({ weight, arbitrary: fc.constant<Move>({ kind }) });
const move = fc.oneof(
  plain('obey', 12),
  plain('begin', 8),
  plain('record', 8),
  plain('lose', 2),
  plain('fail', 2),
  plain('pause', 1),
  plain('resume', 2),
  plain('wait', 3),
  plain('restart', 2),
  plain('stray', 1),
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), step: fc.constantFrom('drop', 'end'), arm: fc.nat(2) }),
  },
);
const moves = fc.array(fc.tuple(move, fc.integer({ min: 1, max: 400 })), { maxLength: 120 });

interface Told {
  readonly event: TrialEvent;
  readonly after: TrialProgress;
}

/** The events that the moves come to, told once each. */
function play(plan: TrialPlan, list: readonly (readonly [Move, number])[]): readonly Told[] {
  const told: Told[] = [];
  let progress = beginTrial(plan);
  let at = 10;
  const tell = (event: TrialEvent) => {
    progress = advance(progress, event, plan).progress;
    told.push({ event, after: progress });
  };
  tell({ kind: 'browser-started', at: 1, sessionId: 's0' });
  tell({ kind: 'started', at: 2 });
  let loads = 0;
  for (const [next, step] of list) {
    at += step;
    const event = eventOf(next, { plan, progress, at, loadId: `l${loads}` });
    if (event?.kind === 'load-began') loads += 1;
    if (event !== undefined) tell(event);
  }
  return told;
}

interface Moment {
  readonly plan: TrialPlan;
  readonly progress: TrialProgress;
  readonly at: number;
  readonly loadId: string;
}

function eventOf(next: Move, { plan, progress, at, loadId }: Moment): TrialEvent | undefined {
  const { current, stretches } = progress;
  const underWay = progress.loads.find(({ state }) => state === 'under-way');
  const command = commandFor(progress, plan);
  switch (next.kind) {
    case 'begin':
      return { kind: 'load-began', at, loadId };
    case 'record':
      return underWay && { kind: 'load-recorded', at, loadId: underWay.id };
    case 'lose':
      return underWay && { kind: 'load-lost', at, loadId: underWay.id };
    case 'stray':
      return { kind: 'load-recorded', at, loadId: 'nobody' };
    case 'pause':
      return { kind: 'paused', at };
    case 'resume':
      return { kind: 'resumed', at };
    case 'stop':
      return { kind: 'stopped', at };
    case 'wait':
      return { kind: 'clock', at };
    case 'restart':
      return { kind: 'browser-started', at, sessionId: `s${at}` };
    case 'fail':
      return command?.kind === 'switch-to' || command?.kind === 'prepare' || command?.kind === 'verify'
        ? { kind: 'switch-failed', at, slot: command.slot, reason: 'locked' }
        : undefined;
    case 'decide':
      return { kind: 'looked', at, decision: { slot: current.slot, stretch: stretches.length, step: stepOf(next, plan) } };
    case 'obey':
      break;
  }
  switch (command?.kind) {
    case 'switch-to':
    case 'verify':
      return { kind: 'switched', at, slot: command.slot };
    case 'prepare':
      return { kind: 'prepared', at, slot: command.slot };
    case 'look':
      return { kind: 'looked', at, decision: { slot: current.slot, stretch: stretches.length, step: { kind: 'go-on' } } };
    case 'revert':
      return { kind: 'reverted', at };
    case undefined:
      return undefined;
  }
}

function stepOf({ step, arm }: { step: TrialDecision['step']['kind']; arm: number }, plan: TrialPlan): TrialDecision['step'] {
  const profileId = plan.profiles[1 + (arm % (plan.profiles.length - 1))]?.id ?? '';
  if (step === 'end') return { kind: 'end', as: 'invalid' };
  const found = { profileId, ratio: 0.8, finding: 'worse', loads: 1, baselineLoads: 1 } as const;
  return { kind: 'drop', arms: [{ profileId, reason: 'harmful', found }] };
}

const anyPlan = fc.constantFrom(...PLANS);

describe('the course of a trial', () => {
  it('is the same when the event page dies between any two events, and any event is told again at any later time', () => {
    fc.assert(
      fc.property(anyPlan, moves, fc.infiniteStream(fc.nat(200)), fc.infiniteStream(fc.boolean()), (plan, list, back, again) => {
        const once = play(plan, list);
        let progress = beginTrial(plan);
        once.forEach(({ event, after }, at) => {
          // What was in memory is gone; only the stored progress is left.
          progress = parseTrialProgress(JSON.parse(JSON.stringify(progress)));
          progress = advance(progress, event, plan).progress;
          expect(progress).toEqual(after);
          // At most so many: a stream may say yes for ever.
          for (let told = 0; told < 20 && at > 1 && again.next().value; told++) {
            const earlier = once[Math.max(1, at - ((back.next().value ?? 0) % (at + 1)))];
            if (earlier === undefined) break;
            progress = advance(progress, earlier.event, plan).progress;
            expect(progress).toEqual(after);
          }
        });
      }),
      { numRuns: 400 },
    );
  });

  it('never has loads that do not add up, and marks each for the profile that was in effect when it began', () => {
    fc.assert(
      fc.property(anyPlan, moves, (plan, list) => {
        for (const { after } of play(plan, list)) {
          const counts = after.stretches.flatMap((stretch) => Object.values(stretch.counts));
          for (const { attempted, recorded, lost } of counts) {
            expect(attempted).toBeGreaterThanOrEqual(recorded + lost);
            expect(Math.min(recorded, lost)).toBeGreaterThanOrEqual(0);
          }
          const open = after.loads.filter(({ state, void: isVoid, mark }) => state === 'under-way' && !isVoid && !mark.washout).length;
          const sum = counts.reduce((total, { attempted, recorded, lost }) => total + attempted - recorded - lost, 0);
          expect(sum).toBe(open);
        }
      }),
    );
  });

  it('never asks for a switch while a load is under way, nor marks a load that was under way at a switch', () => {
    fc.assert(
      fc.property(anyPlan, moves, (plan, list) => {
        let before: TrialProgress | undefined;
        for (const { event, after } of play(plan, list)) {
          const command = commandFor(after, plan);
          if (command?.kind === 'switch-to') expect(after.loads.filter(({ state }) => state === 'under-way')).toEqual([]);
          const changed = before !== undefined && (before.current.slot !== after.current.slot || before.status !== after.status);
          if (changed)
            for (const { id, state } of before?.loads ?? []) if (state === 'under-way') expect(markOf(after, id)).toBeUndefined();
          if (event.kind === 'load-began' && after.current.phase !== 'in-effect') expect(markOf(after, event.loadId)).toBeUndefined();
          before = after;
        }
      }),
    );
  });

  it('keeps the baseline in every stretch, and never gives a dropped arm a turn again', () => {
    fc.assert(
      fc.property(anyPlan, moves, (plan, list) => {
        for (const { after } of play(plan, list)) {
          expect(after.stretches.every(({ arms }) => arms.includes(plan.baseline))).toBe(true);
          expect(after.dropped.map(({ profileId }) => profileId)).not.toContain(plan.baseline);
          const { arms } = after.stretches.at(-1) ?? { arms: [] };
          if (after.status === 'running' && after.current.phase === 'switching') expect(arms).toContain(after.current.profileId);
        }
      }),
    );
  });
});
