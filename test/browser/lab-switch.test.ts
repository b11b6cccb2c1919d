/** Profiles are switched live: what the servers see on the very next load is the new profile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBATION } from '../../src/core/gateway-policy.ts';
import { PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import { startTestLane, type TestLane } from '../support/lane.ts';

const SWITCHES = process.env.PLUMBFOX_FULL === '1' ? { lab: 20, release: 5 } : { lab: 5, release: 2 };
/** `network.http.max-urgent-start-excessive-connections-per-host` as shipped. */
const URGENT_START = 3;

/** What Firefox's release channel has built in: Experiments are refused, and the lab build with them. */
const REFUSING = { preferences: { 'extensions.experiments.enabled': false } };

describe.each([
  { variant: 'lab', start: {} },
  { variant: 'release', start: REFUSING },
] as const)('switching live in a Firefox that takes the $variant build', ({ variant, start }) => {
  let test: TestLane;
  beforeAll(async () => {
    test = await startTestLane('rtt=10,down=20000', start);
  });
  afterAll(() => test?.lane.close());

  it('says who switches', () => {
    expect(test.facts.applier).toBe(variant === 'lab' ? 'experiment-api' : 'driver');
  });

  it('runs under no policy, and untouched is what Firefox ships', () => {
    expect(test.facts.browser.policies).toBe(variant === 'lab' ? 'inactive' : 'unknown');
    expect(test.facts.untouched.find(({ preference }) => preference === PER_SERVER)).toMatchObject({
      value: 6,
      userSet: false,
      locked: false,
    });
  });

  const switches = SWITCHES[variant];

  it(`lowers 8 to 2 for the very next load, ${switches} times of ${switches}`, async () => {
    const peaks: { high: number; low: number }[] = [];
    for (let turn = 0; turn < switches; turn++) {
      const high = await test.load('c8-d1', 'hold');
      const low = await test.load('c2-d1', 'hold');
      expect([high.validity, low.validity]).toEqual([{ state: 'valid' }, { state: 'valid' }]);
      peaks.push({ high: high.observed?.peakOutstanding ?? 0, low: low.observed?.peakOutstanding ?? 0 });
    }
    // 24 pictures are wanted at once and each is held back, so the limit is always reached.
    expect(peaks.filter(({ high }) => high >= 8 && high <= 8 + URGENT_START)).toHaveLength(switches);
    expect(peaks.filter(({ low }) => low >= 2 && low <= 2 + URGENT_START)).toHaveLength(switches);
  });

  it('carries depth through the gateway: the server sees as many at once as connections x depth', async () => {
    const { observed, validity, outcome } = await test.load('c2-d4', 'hold');
    expect(validity).toEqual({ state: 'valid' });
    expect(observed).toMatchObject({ peakConnections: 2, peakDepth: 4, peakOutstanding: 8 });
    // As people's gateway: the site is met for the first time, so that its first responses come one at a time on each connection.
    const [site] = outcome.gateway?.origins ?? [];
    expect(site?.pipelinedRequests).toBeGreaterThan(0);
    expect(site?.pipelinedRequests).toBeLessThanOrEqual((site?.requests ?? 0) - PROBATION.answers);
  });

  it('returns to what Firefox ships', async () => {
    const { observed, outcome } = await test.load('firefox-default', 'hold');
    expect(outcome.readBack.find(({ preference }) => preference === PER_SERVER)).toMatchObject({ value: 6, userSet: false });
    expect(observed?.peakOutstanding).toBeGreaterThanOrEqual(6);
    expect(observed?.peakOutstanding).toBeLessThanOrEqual(6 + URGENT_START);
  });
});
