/** A person's pace, and how long a trial takes at it. */
import { describe, expect, it } from 'vitest';
import { loadsPerDay, proofOf, trialLeft } from '../../../../src/core/answer/proof.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

describe('the pace', () => {
  it('is that of the page loads since the oldest of them', () => {
    // 48 in two days; 30 in 36 hours.
    expect(loadsPerDay({ loads: 48, since: NOW - 48 * HOUR }, NOW)).toBe(24);
    expect(loadsPerDay({ loads: 30, since: NOW - 36 * HOUR }, NOW)).toBe(20);
  });

  it('is not known before they span a day: 21 in ten minutes are neither 21 a day nor 3,024', () => {
    expect(loadsPerDay({ loads: 21, since: NOW - HOUR / 6 }, NOW)).toBeUndefined();
    expect(loadsPerDay({ loads: 21, since: NOW - 24 * HOUR + 1 }, NOW)).toBeUndefined();
    expect(loadsPerDay({ loads: 21, since: NOW - 24 * HOUR }, NOW)).toBe(21);
    // The clock was set back.
    expect(loadsPerDay({ loads: 21, since: NOW + HOUR }, NOW)).toBeUndefined();
  });
});

describe('a trial is offered', () => {
  const proof = (perDay: number | undefined, isLive = true, loads = 246) => proofOf({ loads, isLive, perDay });

  it('where it ends within 30 days at the pace that there is', () => {
    // 246 / 20.5 = 12; 300 / 10 = 30.
    expect(proof(20.5)).toEqual({ state: 'days', days: 12, loads: 246 });
    expect(proof(10, true, 300)).toEqual({ state: 'days', days: 30, loads: 300 });
  });

  it('where the pace is not known yet, with its page loads', () => {
    expect(proof(undefined)).toEqual({ state: 'loads', loads: 246 });
    expect(proof(undefined, false, 150)).toEqual({ state: 'loads', loads: 150 });
  });

  it('and else says from which pace on', () => {
    // 246 / 8 = 30.75; 246 / 30 = 8.2.
    expect(proof(8)).toEqual({ state: 'too-slow', days: 31, perDay: 8, needed: 9 });
    // Less than one a day is not none: 246 / 0.25 = 984.
    expect(proof(0.25)).toEqual({ state: 'too-slow', days: 984, perDay: 1, needed: 9 });
  });

  it('by the page loads that could count, where the gateway carries only some', () => {
    const countable = { could: 20, of: 50 };
    // 200 of which are two in five: 500.
    expect(proofOf({ loads: 200, isLive: true, perDay: 20, countable })).toEqual({ state: 'days', days: 25, loads: 200 });
    expect(proofOf({ loads: 200, isLive: true, perDay: 10, countable })).toEqual({ state: 'too-slow', days: 50, perDay: 10, needed: 17 });
    expect(proofOf({ loads: 200, isLive: true, perDay: 10, countable: { could: 0, of: 50 } })).toEqual({ state: 'loads', loads: 200 });
  });

  it('not where each start of Firefox is a turn and it takes more than one a day', () => {
    // Five page loads are expected of a start.
    expect(proof(1000, false, 530)).toEqual({ state: 'restarts', restarts: 106 });
    // 150 / 5 = 30 starts, one a day, however many pages each day has; at 4 a day the pages take longer: 150 / 4 = 37.5.
    expect(proof(50, false, 150)).toEqual({ state: 'days', days: 30, loads: 150 });
    expect(proof(4, false, 150)).toEqual({ state: 'too-slow', days: 38, perDay: 4, needed: 5 });
  });
});

describe('a trial still takes', () => {
  it('days at the pace that there is, and at least one', () => {
    expect(trialLeft({ loads: 123, isLive: true, perDay: 20.5 })).toEqual({ unit: 'days', count: 6 });
    expect(trialLeft({ loads: 0, isLive: true, perDay: 20.5 })).toEqual({ unit: 'days', count: 1 });
    expect(trialLeft({ loads: 123, isLive: true, perDay: undefined })).toBeUndefined();
    // 123 of which are one in two: 246.
    expect(trialLeft({ loads: 123, isLive: true, perDay: 20.5, countable: { could: 5, of: 10 } })).toEqual({ unit: 'days', count: 12 });
    expect(trialLeft({ loads: 123, isLive: true, perDay: 20.5, countable: { could: 0, of: 10 } })).toBeUndefined();
  });

  it('restarts, where each is a turn', () => {
    expect(trialLeft({ loads: 123, isLive: false, perDay: 20.5 })).toEqual({ unit: 'restarts', count: 25 });
  });
});
