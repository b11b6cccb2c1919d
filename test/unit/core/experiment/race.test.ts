import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile } from '../../../../src/core/compare/comparison.ts';
import { affordableCandidates, minRaceLoads, type RaceLimit, type RaceOrder, race } from '../../../../src/core/experiment/race.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { BASELINE, baseline, control, direct, gateway, gaussian } from '../compare/simulated-run.ts';

interface Play {
  readonly profiles: readonly ComparedProfile[];
  /** Speed over the baseline's; 1 unless said. */
  readonly speeds?: Readonly<Record<string, number>>;
  readonly spread?: number;
  readonly pages?: number;
  readonly limit?: RaceLimit;
  readonly interruptAfter?: number;
  readonly protocolOf?: (page: number) => ComparableLoad['protocol'];
}

function play({ profiles, speeds = {}, spread = 0.02, pages = 4, limit = { kind: 'answer', maxBlocks: 40 }, ...rest }: Play) {
  const { interruptAfter = Number.POSITIVE_INFINITY, protocolOf } = rest;
  const random = seededRandom(11);
  const orders: RaceOrder[] = [];
  const loads: ComparableLoad[] = [];
  const rounds = race({ profiles, scenarios: pages, limit });
  let step = rounds.next();
  while (step.done !== true) {
    const { profileIds, firstBlock, blocks } = step.value;
    orders.push(step.value);
    const made: ComparableLoad[] = [];
    for (let block = firstBlock; block < firstBlock + blocks; block++) {
      for (let page = 0; page < pages; page++) {
        for (const profileId of profileIds) {
          const loadTimeMs = (1000 / (speeds[profileId] ?? 1)) * Math.exp(spread * gaussian(random));
          const protocol = protocolOf?.(page);
          made.push({ profileId, page: `page-${page}`, link: 'l', block, valid: true, efficiency: 300 / loadTimeMs, loadTimeMs, protocol });
        }
      }
    }
    loads.push(...made);
    const loadsLeft = limit.kind === 'loads' ? limit.loads - loads.length : undefined;
    step = rounds.next({ loads: made, loadsLeft, interrupted: orders.length >= interruptAfter });
  }
  return { outcome: step.value, orders, loads };
}

const FIVE = [baseline(), direct(4, 0.5), direct(8, 0.5), direct(10, 0.5), direct(16, 0.5)];

describe('a race', () => {
  it('ends with the answer, drops the losers on the way, and counts every load', () => {
    const { outcome, orders, loads } = play({ profiles: FIVE, speeds: { 'c8-d1': 1.2 } });
    expect(outcome.end).toBe('answered');
    expect(outcome.dropped.map(({ profileId }) => profileId)).not.toContain('c8-d1');
    // No block twice and none left out.
    expect(orders.map(({ firstBlock }) => firstBlock)).toEqual(
      orders.map((_, at) => orders.slice(0, at).reduce((sum, { blocks }) => sum + blocks, 0)),
    );
    const { plannedBlocks } = outcome;
    expect(compareProfiles(loads, { baseline: BASELINE, profiles: FIVE, plannedBlocks }).recommendation).toMatchObject({
      profileId: 'c8-d1',
    });
  });

  it('shows that there is nothing to gain where loads repeat well, and drops nobody for being as fast', () => {
    const { outcome, loads } = play({ profiles: FIVE, spread: 0.01 });
    const { recommendation } = compareProfiles(loads, { baseline: BASELINE, profiles: FIVE, plannedBlocks: outcome.plannedBlocks });
    expect(recommendation).toMatchObject({ state: 'keep-baseline', within: expect.any(Number) });
    expect(outcome.dropped.every(({ because }) => because === 'same')).toBe(true);
  });

  it('plans more blocks the more loads vary, and gives up what is not likely to be proven', () => {
    const quiet = play({ profiles: FIVE, spread: 0.03 }).outcome;
    const noisy = play({ profiles: FIVE, spread: 0.15 }).outcome;
    expect(noisy.plannedBlocks).toBeGreaterThan(quiet.plannedBlocks ?? Number.POSITIVE_INFINITY);
    expect(noisy.blocks).toBeLessThan(noisy.plannedBlocks ?? 0);
  });

  it('makes as many blocks as are asked for, by all profiles, and looks at none of them', () => {
    const { outcome, orders } = play({ profiles: FIVE, speeds: { 'c8-d1': 2 }, limit: { kind: 'blocks', blocks: 7 } });
    expect(orders).toEqual([{ profileIds: FIVE.map(({ id }) => id), firstBlock: 0, blocks: 7, loadsLeft: 140 }]);
    expect(outcome).toEqual({ end: 'planned-end', blocks: 7, plannedBlocks: 7, dropped: [] });
  });

  it('orders nothing further once it is interrupted, or out of loads', () => {
    expect(play({ profiles: FIVE, interruptAfter: 1 }).outcome).toMatchObject({ end: 'interrupted', plannedBlocks: undefined });
    const { outcome, loads } = play({ profiles: FIVE.slice(0, 2), spread: 0.5, pages: 1, limit: { kind: 'loads', loads: 30 } });
    expect(loads.length).toBeLessThanOrEqual(30);
    expect(outcome.end).not.toBe('interrupted');
  });

  it('measures what the gateway does by itself as long as a candidate goes through it', () => {
    const profiles = [baseline(), gateway({ connections: 4, depth: 6, efficiency: 0.5 }), direct(8, 0.5), control(0.5)];
    const { orders, outcome } = play({ profiles, speeds: { 'c4-d6': 0.5, 'c8-d1': 1.04 }, spread: 0.05 });
    expect(outcome.dropped.map(({ profileId }) => profileId)).toContain('c4-d6');
    for (const { profileIds } of orders) expect(profileIds.includes('c6-d1-gateway')).toBe(profileIds.includes('c4-d6'));
  });

  it('drops nobody where pages of several protocols would have several answers', () => {
    const { outcome } = play({ profiles: FIVE, speeds: { 'c8-d1': 1.5 }, protocolOf: (page) => (page % 2 === 0 ? 'http/1.1' : 'http/2') });
    expect(outcome).toMatchObject({ end: 'planned-end', dropped: [] });
  });

  it('takes as many candidates as can come to a verdict', () => {
    // One page over one link needs eleven blocks: 22 loads of one candidate.
    expect(minRaceLoads(1)).toBe(Math.ceil(22 / 0.88));
    expect(affordableCandidates({ loads: 25, scenarios: 1, candidates: 7 })).toBe(1);
    expect(affordableCandidates({ loads: 1000, scenarios: 1, candidates: 7 })).toBe(7);
  });
});
