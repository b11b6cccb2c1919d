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
  /** Why none of the loads counts. */
  readonly excludedBecause?: string;
}

/** Plays a search against profiles that take so long, give or take 2 %, the same give or take for all of a block. */
function play({ times, candidates, loads = 100, interruptAfter = Number.POSITIVE_INFINITY, excludedBecause, noise = 0.02 }: Play) {
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
    left -= made.length;
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
  it('finds what is faster, and measures what each preference does', () => {
    const { outcome, orders } = play({
      times: { [BOTH]: 600, [PACING]: 750, 'c16-d1': 950 },
      candidates: [BOTH, PACING, 'c16-d1', 'c8-d1'],
    });
    expect(outcome.answer).toMatchObject({ state: 'faster', best: { profileId: BOTH, verdict: 'better' }, cheapest: { profileId: BOTH } });
    const ratio = outcome.answer.state === 'faster' ? outcome.answer.best.ratio : undefined;
    // 1000 / 600.
    expect(ratio).toBeGreaterThan(1.6);
    expect(ratio).toBeLessThan(1.74);
    // Every load of the race counts, and nothing is measured again: the last order is of the parts.
    expect(
      orders
        .map(({ kind }) => kind)
        .slice(0, -1)
        .every((kind) => kind === 'race'),
    ).toBe(true);
    expect(outcome.decisive?.blocks).toBe(
      Math.max(...orders.filter(({ kind }) => kind === 'race').map(({ firstBlock, blocks }) => firstBlock + blocks)),
    );
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
    expect(orders.map(({ kind }) => kind)).not.toContain('contributions');
    expect(outcome.steps[0]?.arms.map(({ outcome: what }) => what)).toEqual(['no-loads', 'no-loads']);
  });

  it('names what there was no time to measure, and leaves the answer open then', () => {
    // One page over one link has no verdict before the eleventh block: one candidate takes 22 loads, which is all that is planned of 26.
    const candidates = [BOTH, PACING, 'c16-d1', 'c8-d1'];
    const slow = play({ times: { [BOTH]: 1200 }, candidates, loads: 26 });
    expect(slow.outcome.answer).toMatchObject({ state: 'undecided', notMeasured: [PACING, 'c16-d1', 'c8-d1'] });
    const fast = play({ times: { [BOTH]: 500 }, candidates, loads: 26 });
    expect(fast.orders.flatMap(({ arms }) => arms.map(({ id }) => id))).not.toContain(PACING);
    expect(fast.outcome.answer).toMatchObject({ state: 'faster', best: { profileId: BOTH }, notMeasured: [PACING, 'c16-d1', 'c8-d1'] });
  });

  it('orders no block that there is no time for', () => {
    // Five blocks of two.
    const { outcome, orders } = play({ times: { [BOTH]: 600 }, candidates: [BOTH], loads: 10 });
    expect(orders.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(5);
    expect(outcome.answer).toMatchObject({ state: 'undecided', closest: { profileId: BOTH, blocks: 5 } });
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

  it('says that nothing was ahead', () => {
    const { outcome } = play({ times: { [BOTH]: 1200, [PACING]: 1100 }, candidates: [BOTH, PACING], loads: 200 });
    expect(outcome.answer).toMatchObject({ state: 'nothing-beats', because: 'none-ahead', closest: { profileId: PACING } });
    expect(outcome.steps[0]?.arms.map(({ outcome: what }) => what)).not.toContain('kept');
  });

  it('says with what gains it would have been the same, where the loads are few and noisy', () => {
    const { outcome, loads } = play({ times: { [BOTH]: 1100, [PACING]: 1100 }, candidates: [BOTH, PACING], noise: 0.2 });
    const versus = compareProfiles(loads, { baseline: 'firefox-default', plannedBlocks: outcome.decisive?.plannedBlocks })
      .profiles.filter(({ id }) => id !== 'firefox-default')
      .map(({ versusBaseline }) => versusBaseline);
    const open = versus.filter(({ high = 2 }) => high > 1.03);
    expect(open).not.toHaveLength(0);
    expect(outcome.answer).toMatchObject({
      state: 'nothing-beats',
      highest: Math.max(...versus.map(({ high = Number.NaN }) => high)),
      unseenBelow: Math.max(...open.map(({ detectableChange = Number.NaN }) => detectableChange)),
    });
  });

  it('orders nothing further once it is interrupted', () => {
    const early = play({ times: { [BOTH]: 600 }, candidates: [BOTH, PACING], interruptAfter: 1 });
    expect(early.orders).toHaveLength(1);
    expect(early.outcome.answer).toMatchObject({ state: 'interrupted' });
    const late = play({ times: { [BOTH]: 600 }, candidates: [BOTH], interruptAfter: 2 });
    expect(late.outcome.answer).toMatchObject({ state: 'interrupted', closest: { profileId: BOTH } });
  });
});
