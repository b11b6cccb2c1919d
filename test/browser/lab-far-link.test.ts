/** The effect the project began with, in a real Firefox: depth pays on a far link, of sites the gateway knows. Ratios within one run, medians over alternated turns. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureLoad } from '../../src/core/measure/measure-load.ts';
import { median } from '../../src/core/stats/quantile.ts';
import { startTestLane, type TestLane } from '../support/lane.ts';

const TURNS = 3;
const PROFILES = ['firefox-default', 'c4-d6', 'c1-d2'] as const;

describe('the wiki page at RTT 300 ms, 2 Mbit/s', () => {
  let test: TestLane;
  const times = new Map<string, number[]>();
  beforeAll(async () => {
    // At a first visit the gateway's probation takes what depth gains.
    test = await startTestLane('rtt=300,down=2000,up=384,queue=100', { gatewayVisit: 'known-site' });
    for (let turn = 0; turn < TURNS; turn++) {
      // Another order every turn, so that none is always first.
      for (const profile of [...PROFILES.slice(turn), ...PROFILES.slice(0, turn)]) {
        const { outcome, validity } = await test.load(profile, 'wiki');
        expect(validity).toEqual({ state: 'valid' });
        times.set(profile, [...(times.get(profile) ?? []), measureLoad(outcome.load, {}).loadTimeMs]);
      }
    }
  });
  afterAll(() => test?.lane.close());

  const typical = (profile: string) => median(times.get(profile) ?? []) ?? Number.NaN;

  it('is at least 15 % faster with 4 connections of depth 6 than with what Firefox ships', () => {
    expect(typical('c4-d6') / typical('firefox-default')).toBeLessThanOrEqual(0.85);
  });

  it('is slowest with 1 connection of depth 2', () => {
    expect(typical('c1-d2')).toBeGreaterThan(Math.max(typical('firefox-default'), typical('c4-d6')));
  });
});
