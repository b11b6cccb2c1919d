/** What holds for everything a trial says, whatever became of its loads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnEvidence } from '../../../src/core/trial/evidence.ts';
import { judgeTrial, lookAtTrial } from '../../../src/core/trial/judge-trial.ts';
import { settledLoads } from '../../../src/core/trial/judged-loads.ts';
import { simulateTrial, type Truth } from '../../unit/core/trial/simulated-trial.ts';
import { BASELINE, planOf } from '../../unit/core/trial/trial-driver.ts';

const truth = fc
  .record({
    effect: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    spread: fc.constantFrom(0.02, 0.1, 0.3),
    lostBaseline: fc.constantFrom(0, 0, 0.3, 1),
    lostCandidate: fc.constantFrom(0, 0, 0.5, 1),
    carried: fc.constantFrom(0, 0, 0.3, -0.3),
  })
  .map(
    ({ effect, spread, lostBaseline, lostCandidate, carried }): Truth => ({
      effects: { 'c1-d1': effect },
      spread,
      lost: { [BASELINE]: lostBaseline, 'c1-d1': lostCandidate },
      carryOver: (mark, after) => (after === BASELINE && mark.profileId !== after ? carried : 0),
    }),
  );
const plan = fc.constantFrom(
  planOf({ slots: { kind: 'loads', perSlot: 3 }, mostLoadsPerArm: 60 }),
  planOf({ candidates: 3, mostLoadsPerArm: 48 }),
);

describe('what a trial says', () => {
  it('is no verdict while a check has failed, and then no finding is shown', () => {
    fc.assert(
      fc.property(plan, truth, fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 200 }), (drawn, given, seed, mostLoads) => {
        const { state } = simulateTrial(drawn, given, { seed, mostLoads });
        const failed = state.checks.some(({ outcome }) => outcome === 'failed');
        if (failed) expect(['invalid', 'stopped']).toContain(state.kind);
        if (failed || state.kind === 'invalid' || state.kind === 'checking') expect(state.figures.findings).toEqual([]);
        if (state.kind === 'invalid' && !failed) expect(state.reasons).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same after JSON, and again when it is asked twice', () => {
    fc.assert(
      fc.property(plan, truth, fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 120 }), (drawn, given, seed, mostLoads) => {
        const { progress, loads, state } = simulateTrial(drawn, given, { seed, mostLoads });
        const [storedPlan, storedProgress, storedLoads] = JSON.parse(JSON.stringify([drawn, progress, loads]));
        expect(judgeTrial(storedPlan, storedProgress, storedLoads)).toEqual(state);
        const { decision } = lookAtTrial(drawn, progress, loads);
        expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
        expect(state.sentence).not.toMatch(/undefined|NaN|Infinity/);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a finding', () => {
  it('does not depend on loads of slots that follow another profile, whatever they were', () => {
    const turns = planOf({ slotsPerTurn: 3, slots: { kind: 'loads', perSlot: 2 } });
    const left = fc.record({ seed: fc.integer({ min: 0, max: 2 ** 31 }), mostLoads: fc.integer({ min: 60, max: 200 }) });
    fc.assert(
      fc.property(left, fc.infiniteStream(fc.double({ min: -3, max: 3, noNaN: true })), ({ seed, mostLoads }, behind) => {
        const { progress, loads, state } = simulateTrial(turns, { spread: 0.3 }, { seed, mostLoads });
        const settled = new Set(settledLoads(turns, progress, loads));
        fc.pre(settled.size < loads.length);
        const changed = loads.map((load) =>
          settled.has(load) ? load : { ...load, efficiency: (load.efficiency ?? 1) * Math.exp(behind.next().value ?? 0) },
        );
        expect(judgeTrial(turns, progress, changed).figures.findings).toEqual(state.figures.findings);
      }),
      { numRuns: 20 },
    );
  });
});

describe('turnEvidence', () => {
  it('is 1 on average over the arms whose turn it could have been', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 18 }), (all) => {
        const average = all.reduce((sum, own) => sum + turnEvidence([{ own, all }]), 0) / all.length;
        expect(average).toBeCloseTo(1, 9);
      }),
    );
  });
});
