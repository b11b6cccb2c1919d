import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/core/group-by.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { counted, type EverydayDesign, everydayLoads } from './everyday-loads.ts';
import { BASELINE } from './judge.ts';
import { bimodal, type Noise, normal, skewed, studentT3 } from './noise.ts';
import { CANDIDATE, twoArms } from './truths.ts';

/** Nothing but what a test puts in. */
const STILL: EverydayDesign = { arms: twoArms(), blocks: 40, loadsPerSlot: 5, noiseSpread: 0 };
const logs = (truth: EverydayDesign, seed = 1) =>
  everydayLoads(truth, seededRandom(seed)).map((load) => ({ ...load, log: Math.log(load.efficiency ?? Number.NaN) }));

describe('simulated everyday loads', () => {
  it('give every arm a slot in every block, whose first load after a switch is washout', () => {
    const loads = everydayLoads(STILL, seededRandom(3));
    for (const arm of [BASELINE, CANDIDATE]) {
      const own = loads.filter(({ profileId }) => profileId === arm);
      expect(own).toHaveLength(200);
      expect(new Set(own.map(({ block }) => block)).size).toBe(40);
    }
    const slots = [...groupBy(loads, ({ mark }) => mark.slot).values()];
    slots.forEach((slot, at) => {
      const switched = at > 0 && slots[at - 1]?.[0]?.profileId !== slot[0]?.profileId;
      expect(slot.map(({ mark }) => mark.washout)).toEqual(slot.map((_, position) => switched && position === 0));
      expect(slot.length - counted(slot).length).toBe(switched ? 1 : 0);
    });
  });

  it('differ between arms by the effect alone', () => {
    const truth = { ...STILL, arms: twoArms(Math.log(1.1)) };
    const of = (arm: string, loads: ReturnType<typeof logs>) =>
      new Map(loads.filter((l) => l.profileId === arm).map((l) => [`${l.page} ${l.link}`, l.log]));
    const loads = logs(truth);
    const own = of(CANDIDATE, loads);
    const both = [...of(BASELINE, loads)].filter(([key]) => own.has(key));
    expect(both.length).toBeGreaterThan(10);
    for (const [key, log] of both) expect((own.get(key) ?? 0) - log).toBeCloseTo(Math.log(1.1), 9);
  });

  it('drift with the hours', () => {
    const moved = logs({ ...STILL, driftPerHour: 0.5 });
    logs(STILL).forEach(({ log, startedAt }, at) => {
      expect((moved[at]?.log ?? 0) - log).toBeCloseTo((0.5 * startedAt) / 3_600_000, 9);
    });
  });

  it('carry over as many loads as said, after whom it is said', () => {
    const carried = logs({ ...STILL, carryOver: { loads: 2, effect: -0.1, after: BASELINE } });
    const plain = logs(STILL);
    const moved = carried.filter(({ log }, at) => Math.abs(log - (plain[at]?.log ?? 0)) > 1e-9);
    expect(moved.length).toBeGreaterThan(20);
    for (const { profileId, mark } of moved) expect([profileId, mark.position < 2]).toEqual([CANDIDATE, true]);
  });

  it('carry over a whole turn, all of its slots, where it follows the other', () => {
    const turns = { ...STILL, slotsPerTurn: 3 };
    const carried = logs({ ...turns, carryOver: { loads: 0, effect: -0.1, after: BASELINE, wholeTurn: true } });
    const plain = logs(turns);
    const isMoved = carried.map(({ log }, at) => Math.abs(log - (plain[at]?.log ?? 0)) > 1e-9);
    const turnOf = (at: number) => `${carried[at]?.mark.block} ${carried[at]?.profileId}`;
    const order = [...new Set(carried.map((_, at) => turnOf(at)))];
    carried.forEach(({ profileId }, at) => {
      const before = order[order.indexOf(turnOf(at)) - 1]?.split(' ')[1];
      expect(isMoved[at], `${at}`).toBe(profileId === CANDIDATE && before === BASELINE);
    });
  });

  it('repeat with the seed', () => {
    expect(logs(STILL, 5)).toEqual(logs(STILL, 5));
    expect(logs(STILL, 5)).not.toEqual(logs(STILL, 6));
  });
});

it.each<[string, Noise]>([
  ['normal', normal],
  ['bimodal', bimodal],
  ['skewed', skewed],
  ['student t3', studentT3],
])('noise has mean 0 and standard deviation 1: %s', (name, noise) => {
  const random = seededRandom(11);
  const draws = Array.from({ length: 200_000 }, () => noise(random));
  expect(mean(draws)).toBeCloseTo(0, 1);
  // The fourth moment of t3 is infinite, so its spread is found only roughly.
  expect(Math.sqrt(mean(draws.map((draw) => draw ** 2)))).toBeCloseTo(1, name === 'student t3' ? 0 : 1);
});
