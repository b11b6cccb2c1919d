import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { findProfile } from '../../../../src/core/profiles/presets.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { type SearchOrder, type SearchOutcome, searchRounds } from '../../../../src/core/search/search-rounds.ts';

const profile = (id: string) => {
  const found = findProfile(id);
  if (found === undefined) throw new Error(id);
  return found;
};
const PACING = 'firefox-default+network.http.pacing.requests.enabled=false';
const BOTH = 'c16-d1+network.http.pacing.requests.enabled=false';

interface Play {
  /** ms of a load under each profile. */
  readonly times: Readonly<Record<string, number>>;
  readonly candidates: readonly string[];
  readonly loads?: number;
  readonly interruptAfter?: number;
  /** Share by which a load takes longer at most, by chance. */
  readonly noise?: number;
  /** How much longer a load of the confirmation takes than those before. */
  readonly slowdown?: number;
  /** Why none of the loads counts. */
  readonly excludedBecause?: string;
}

/** Plays a search against profiles that take so long, give or take 2 %, the same give or take for all of a block. */
function play({
  times,
  candidates,
  loads = 100,
  interruptAfter = Number.POSITIVE_INFINITY,
  excludedBecause,
  noise = 0.02,
  slowdown = 1,
}: Play) {
  const random = seededRandom(5);
  const orders: SearchOrder[] = [];
  const all: ComparableLoad[] = [];
  const rounds = searchRounds({
    candidates: candidates.map(profile),
    scenarios: 1,
    loads,
    predicted: ({ id }) => (id === BOTH ? 1.6 : 1.4),
  });
  let left = loads;
  let step = rounds.next();
  while (step.done !== true) {
    const { arms, firstBlock, blocks } = step.value;
    orders.push(step.value);
    const made = Array.from({ length: blocks }, (_, block) => {
      const weather = 1 + 0.05 * random.next();
      return arms.map(({ id }): ComparableLoad => {
        const loadTimeMs = (times[id] ?? 1000) * weather * (1 + noise * random.next());
        const place = { profileId: id, page: 'p', link: 'l', block: firstBlock + block };
        if (excludedBecause !== undefined) return { ...place, valid: false, efficiency: undefined, loadTimeMs: undefined };
        return { ...place, valid: true, efficiency: 100 / loadTimeMs, loadTimeMs };
      });
    }).flat();
    left -= made.length * (step.value.kind === 'confirmation' ? slowdown : 1);
    all.push(...made);
    step = rounds.next({
      loads: made,
      loadsLeft: Math.max(0, Math.floor(left)),
      interrupted: orders.length >= interruptAfter,
      excludedBecause,
    });
  }
  return { outcome: step.value as SearchOutcome, orders, loads: all };
}

describe('searchRounds', () => {
  it('confirms what is faster on blocks that chose nothing, and measures what each preference does', () => {
    const { outcome, orders } = play({
      times: { [BOTH]: 600, [PACING]: 750, 'c16-d1': 950 },
      candidates: [BOTH, PACING, 'c16-d1', 'c8-d1'],
    });
    expect(outcome.answer).toMatchObject({ state: 'faster', best: { profileId: BOTH, verdict: 'better' }, cheapest: { profileId: BOTH } });
    const ratio = outcome.answer.state === 'faster' ? outcome.answer.best.ratio : undefined;
    // 1000 / 600.
    expect(ratio).toBeGreaterThan(1.6);
    expect(ratio).toBeLessThan(1.74);
    const chosenBy = orders.filter(({ kind }) => kind === 'halving').map(({ firstBlock, blocks }) => firstBlock + blocks);
    const confirmedBy = orders.filter(({ kind }) => kind === 'confirmation').map(({ firstBlock }) => firstBlock);
    expect(Math.min(...confirmedBy)).toBeGreaterThanOrEqual(Math.max(...chosenBy));
    const found = outcome.answer.state === 'faster' ? outcome.answer.contributions : [];
    expect(found.map(({ preference }) => preference).sort()).toEqual([
      'network.http.max-persistent-connections-per-server',
      'network.http.pacing.requests.enabled',
    ]);
    // Without pacing's line 950 instead of 600, without the connections 750.
    expect(found.find(({ preference }) => preference.includes('pacing'))?.measured?.ratio).toBeCloseTo(950 / 600, 1);
    expect(found.find(({ preference }) => preference.includes('per-server'))?.measured?.ratio).toBeCloseTo(750 / 600, 1);
    expect(found.every(({ predicted }) => predicted !== undefined)).toBe(true);
  });

  it('recommends the cheaper of two that are as fast', () => {
    const { outcome } = play({ times: { [BOTH]: 600, [PACING]: 601 }, candidates: [BOTH, PACING], loads: 200 });
    expect(outcome.answer).toMatchObject({ state: 'faster', cheapest: { profileId: PACING } });
  });

  it('weighs all that is set when it names the cheaper of two, as the report does', () => {
    // Equally many connections, so the fewer preferences: 1000 / 600 and 1000 / 594 are within 3 %, and BOTH is the faster.
    const { outcome } = play({ times: { [BOTH]: 594, 'c16-d1': 600 }, candidates: [BOTH, 'c16-d1'], loads: 200 });
    expect(outcome.answer).toMatchObject({ state: 'faster', best: { profileId: BOTH }, cheapest: { profileId: 'c16-d1' } });
  });

  it('has no verdict where no load counts, and says why', () => {
    const { outcome, orders } = play({ times: {}, candidates: [BOTH, PACING], excludedBecause: 'a proxy is set' });
    expect(outcome.answer).toEqual({
      state: 'no-verdict',
      reason: "No settings have a load that can be compared with one of Firefox's own: a proxy is set.",
    });
    expect(orders.map(({ kind }) => kind)).toEqual(['halving']);
    expect(outcome.steps[0]?.arms.map(({ outcome: what }) => what)).toEqual(['no-loads', 'no-loads']);
  });

  it('names what there was no time to measure, and leaves the answer open then', () => {
    // 55 % of 20 loads are 11: one arm in 2 blocks is 4, two are 6, three need two rounds of 5.5, and 2 x 4 are 8.
    const slow = play({ times: { [BOTH]: 1200, [PACING]: 1100 }, candidates: [BOTH, PACING, 'c16-d1', 'c8-d1'], loads: 20 });
    expect(slow.outcome.answer).toEqual({ state: 'undecided', notMeasured: ['c16-d1', 'c8-d1'] });
    expect(slow.outcome.steps[0]?.arms.map(({ profileId, outcome: what }) => [profileId, what])).toEqual([
      [BOTH, 'not-ahead'],
      [PACING, 'not-ahead'],
      ['c16-d1', 'not-measured'],
      ['c8-d1', 'not-measured'],
    ]);
    const fast = play({ times: { [BOTH]: 500 }, candidates: [BOTH, PACING, 'c16-d1', 'c8-d1'], loads: 20 });
    expect(fast.orders.flatMap(({ arms }) => arms.map(({ id }) => id))).not.toContain('c16-d1');
    expect(fast.outcome.steps[0]?.arms.map(({ outcome: what }) => what).slice(2)).toEqual(['not-measured', 'not-measured']);
  });

  it('orders no block of a confirmation that there is no time for', () => {
    // 3 blocks of 2 choose, and 4 loads are left: 2 blocks of the 6 that are planned.
    const { outcome, orders } = play({ times: { [BOTH]: 600 }, candidates: [BOTH], loads: 10 });
    expect(orders.map(({ kind, blocks }) => [kind, blocks])).toEqual([
      ['halving', 3],
      ['confirmation', 1],
      ['confirmation', 1],
    ]);
    expect(outcome.answer).toMatchObject({ state: 'undecided', closest: { profileId: BOTH, blocks: 2 } });
    const none = play({ times: { [BOTH]: 600 }, candidates: [BOTH], loads: 4 });
    expect(none.orders.map(({ kind }) => kind)).toEqual(['halving']);
    expect(none.outcome.answer).toMatchObject({ state: 'undecided', closest: { profileId: BOTH, pairs: 0, blocks: 0 } });
  });

  it('comes to the planned end of a confirmation whose loads take a tenth longer than those before', () => {
    // A gain of 4 % among loads that vary by 60 % has no verdict before the end.
    const { outcome, orders } = play({ times: { [BOTH]: 960 }, candidates: [BOTH], loads: 100, noise: 0.6, slowdown: 1.1 });
    const chosen = orders.filter(({ kind }) => kind === 'halving').reduce((sum, { blocks }) => sum + blocks, 0);
    const confirmed = orders.filter(({ kind }) => kind === 'confirmation').length;
    expect(outcome.answer).toMatchObject({ state: 'undecided', closest: { profileId: BOTH } });
    // 88 % of what is left, two loads a block.
    expect(confirmed).toBe(Math.floor((0.88 * (100 - 2 * chosen)) / 2));
    expect(outcome.decisive).toMatchObject({ blocks: confirmed, plannedBlocks: confirmed });
  });

  it('shares the chance of a miss among the parts of what it found', () => {
    const { outcome, loads, orders } = play({ times: { [BOTH]: 600, [PACING]: 750, 'c16-d1': 950 }, candidates: [BOTH] });
    const ordered = orders.find(({ kind }) => kind === 'contributions');
    const part = outcome.answer.state === 'faster' ? outcome.answer.contributions.find(({ value }) => value === 16) : undefined;
    const own = loads.filter(
      ({ block }) => ordered !== undefined && block >= ordered.firstBlock && block < ordered.firstBlock + ordered.blocks,
    );
    const both = own.filter(({ profileId }) => profileId === PACING || profileId === BOTH);
    // Two parts: half of 5 % each.
    const { low, high } =
      compareProfiles(both, {
        baseline: PACING,
        plannedBlocks: ordered?.blocks,
        alpha: 0.025,
      }).profiles.find(({ id }) => id === BOTH)?.versusBaseline ?? {};
    expect(low).toBeDefined();
    expect(part?.measured).toMatchObject({ low, high });
  });

  it('says that nothing was ahead, and confirms nothing', () => {
    const { outcome, orders } = play({ times: { [BOTH]: 1200, [PACING]: 1100 }, candidates: [BOTH, PACING] });
    // 1000 / 1100 is the faster, and its interval is narrow: no gain of 3 % is left, so none is unseen.
    expect(outcome.answer).toMatchObject({ state: 'nothing-beats', because: 'none-ahead' });
    expect(outcome.answer).not.toHaveProperty('unseenBelow');
    expect(outcome.answer.state === 'nothing-beats' ? outcome.answer.highest : undefined).toBeLessThan(1.03);
    expect(orders.map(({ kind }) => kind)).toEqual(['halving']);
    expect(outcome.steps[0]?.arms.map(({ outcome: what }) => what)).toEqual(['not-ahead', 'not-ahead']);
  });

  it('measures what too few loads leave open again, and says with what gains it would have been the same', () => {
    const { outcome, loads, orders } = play({ times: { [BOTH]: 1100, [PACING]: 1100 }, candidates: [BOTH, PACING], noise: 0.2 });
    const [first] = outcome.steps;
    const dropped = first?.arms.find(({ outcome: what }) => what === 'not-ahead')?.profileId ?? '';
    const stayed = first?.arms.find(({ outcome: what }) => what === 'open')?.profileId ?? '';
    expect([dropped, stayed].sort()).toEqual([BOTH, PACING].sort());
    // A second and third round, until a gain of 10 % would have shown.
    expect(orders.map(({ kind, blocks }) => [kind, blocks])).toEqual(Array.from({ length: 3 }, () => ['halving', 6]));
    const versus = (arms: readonly string[], until: number) => (id: string) =>
      compareProfiles(
        loads.filter(({ profileId, block }) => ['firefox-default', ...arms].includes(profileId) && block < until),
        { baseline: 'firefox-default' },
      ).profiles.find((each) => each.id === id)?.versusBaseline;
    const both = [versus([BOTH, PACING], 6)(dropped), versus([stayed], 18)(stayed)];
    expect(versus([stayed], 12)(stayed)?.detectableChange).toBeGreaterThan(0.1);
    expect(both[1]?.detectableChange).toBeLessThan(0.1);
    const open = both.filter((each) => (each?.high ?? 0) > 1.03);
    expect(open).not.toHaveLength(0);
    expect(outcome.answer).toEqual({
      state: 'nothing-beats',
      because: 'none-ahead',
      highest: Math.max(...both.map((each) => each?.high ?? Number.NaN)),
      unseenBelow: Math.max(...open.map((each) => each?.detectableChange ?? Number.NaN)),
    });
    expect(outcome.decisive).toMatchObject({ firstBlock: 0, blocks: 18 });
  });

  it('orders nothing further once it is interrupted', () => {
    const early = play({ times: { [BOTH]: 600 }, candidates: [BOTH, PACING], interruptAfter: 1 });
    expect(early.orders).toHaveLength(1);
    expect(early.outcome.answer).toEqual({ state: 'interrupted' });
    const late = play({ times: { [BOTH]: 600 }, candidates: [BOTH], interruptAfter: 2 });
    expect(late.outcome.answer).toMatchObject({ state: 'interrupted', closest: { profileId: BOTH } });
  });
});
