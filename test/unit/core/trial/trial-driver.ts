/** A trial that tests drive: plans, and progress after a list of events. */
import { advance, type TrialCommand, type TrialEvent } from '../../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import { DEFAULT_SLOTS_PER_TURN } from '../../../../src/core/trial/trial-defaults.ts';
import type { TrialMark } from '../../../../src/core/trial/trial-mark.ts';
import { makeTrialPlan, type TrialPlan, type TrialPlanOptions } from '../../../../src/core/trial/trial-plan.ts';
import type { TrialProgress } from '../../../../src/core/trial/trial-progress.ts';

export const BASELINE = 'firefox-default';

/** `firefox-default` and as many candidates as asked for: c1-d1, c2-d1, ... */
export function armsOf(candidates: number) {
  const others = Array.from({ length: candidates }, (_, at) => ({
    id: `c${at + 1}-d1`,
    carrier: 'none' as const,
    role: 'candidate' as const,
    connections: at + 1,
    depth: 1,
  }));
  return [{ id: BASELINE, carrier: 'none' as const, role: 'baseline' as const, depth: 1 }, ...others];
}

/** Turns of one slot unless said, so that slots are easily counted; `TURNS` as trials have them. */
export function planOf(options: Partial<TrialPlanOptions> & { readonly candidates?: number } = {}): TrialPlan {
  const { candidates = 1, ...rest } = options;
  return makeTrialPlan({
    id: 't1',
    seed: 1,
    baseline: BASELINE,
    profiles: armsOf(candidates),
    live: true,
    createdAt: 0,
    slots: { kind: 'loads', perSlot: 2 },
    slotsPerTurn: 1,
    ...rest,
  });
}

export const TURNS = { slotsPerTurn: DEFAULT_SLOTS_PER_TURN };

export interface Driven {
  readonly progress: TrialProgress;
  readonly command: TrialCommand | undefined;
}

export function drive(plan: TrialPlan, events: readonly TrialEvent[], from: TrialProgress = beginTrial(plan)): Driven {
  let driven: Driven = { progress: from, command: undefined };
  for (const event of events) {
    const { progress, command } = advance(driven.progress, event, plan);
    driven = { progress, command };
  }
  return driven;
}

/** A load that begins and is recorded, one after the other. */
export function load(loadId: string, at: number): readonly TrialEvent[] {
  return [
    { kind: 'load-began', at, loadId },
    { kind: 'load-recorded', at: at + 1, loadId },
  ];
}

/** The mark that a recorded load carries into the store, once its event was taken; `undefined`: the load is not of the trial. */
export function markOf({ loads }: TrialProgress, loadId: string): TrialMark | undefined {
  const load = loads.find(({ id }) => id === loadId);
  return load === undefined || load.void || load.state === 'lost' ? undefined : load.mark;
}
