/** What whole trials come to, by simulation with seeds: a few of each kind, so that a change that ruins them is seen at once. `npm run calibrate` makes more of them. */
import { describe, expect, it } from 'vitest';
import { simulateTrial, type Truth } from '../unit/core/trial/simulated-trial.ts';
import { planOf, TURNS } from '../unit/core/trial/trial-driver.ts';

const SLOTS = { kind: 'loads', perSlot: 3 } as const;

function ends(truth: Truth, { runs, ...options }: { readonly runs: number; readonly mostLoadsPerArm?: number }) {
  return Array.from({ length: runs }, (_, seed) =>
    simulateTrial(planOf({ ...TURNS, ...options, seed: 100 + seed, slots: SLOTS }), truth, { seed }),
  );
}

describe('simulated trials', () => {
  // One in twenty may be wrong, either way; at these seeds none is called better.
  it('of equal profiles confirm none, whatever the network does meanwhile', () => {
    const drifting = ends({ driftPerHour: Math.log(1.1) / 3 }, { runs: 4, mostLoadsPerArm: 108 });
    const washed = ends({ carryOver: ({ position }) => (position === 0 ? -0.5 : 0) }, { runs: 4, mostLoadsPerArm: 108 });
    for (const { state } of [...drifting, ...washed]) expect(state.kind).not.toBe('confirmed');
  });

  it('of a profile that is 20 % better confirm it', () => {
    for (const { state } of ends({ effects: { 'c1-d1': Math.log(1.2) } }, { runs: 6 })) expect(state.kind).toBe('confirmed');
  });

  it('confirm what only some pages gain, whoever loads all of them in the same order again and again', () => {
    const truth = { effects: { 'c1-d1': 0.18 }, shares: [2.5, 2, 1, 0, 0, 0.5], inTurn: 6, spread: 0.05 };
    for (const { state } of ends(truth, { runs: 6, mostLoadsPerArm: 144 })) expect(state.kind).toBe('confirmed');
  });

  it('do not take what a profile leaves behind for a slot for a difference, whichever of the two it is and whatever its size', () => {
    for (const after of ['c1-d1', 'firefox-default']) {
      const truth: Truth = { carryOver: (mark, before) => (before === after && mark.profileId !== after ? -0.7 : 0) };
      for (const { state } of ends(truth, { runs: 3, mostLoadsPerArm: 120 })) expect(state.kind).toBe('no-difference');
    }
  });
});
