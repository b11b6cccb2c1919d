import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RankableScenario, rankScenarios } from '../../../src/core/compare/rank-scenarios.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const profiles = ids.map((id, at) => ({
  id,
  role: at === 0 ? ('baseline' as const) : ('candidate' as const),
  carrier: 'none' as const,
  connections: at + 1,
  depth: 1,
}));
/** Few distinct values, so that ties are common; some figures are missing. */
const figure = fc.option(
  fc.integer({ min: 1, max: 8 }).map((eighths) => eighths / 8),
  { nil: undefined, freq: 4 },
);
const scenarios = fc.array(
  fc
    .array(figure, { minLength: ids.length, maxLength: ids.length })
    .map((figures): RankableScenario => ({ profiles: figures.map((efficiencyMedian, at) => ({ id: ids[at] ?? '', efficiencyMedian })) })),
  { maxLength: 12 },
);
const rank = (each: readonly RankableScenario[], order = profiles) => rankScenarios(each, { baseline: 'a', profiles: order });

it('counts of every profile fit into its scenarios, and all slots are taken', () => {
  fc.assert(
    fc.property(scenarios, (each) => {
      const ranking = rank(each);
      for (const { ranked, firsts, topQuartile, lasts } of ranking.profiles) {
        expect(firsts).toBeLessThanOrEqual(topQuartile);
        expect(topQuartile).toBeLessThanOrEqual(ranked);
        expect(firsts + lasts).toBeLessThanOrEqual(ranked);
        expect(ranked).toBeLessThanOrEqual(ranking.scenarios);
      }
      const total = (of: 'firsts' | 'topQuartile') => ranking.profiles.reduce((sum, profile) => sum + profile[of], 0);
      expect(total('firsts')).toBeGreaterThanOrEqual(ranking.scenarios);
      expect(total('topQuartile')).toBeGreaterThanOrEqual(ranking.slots);
    }),
  );
});

it('does not depend on the order of scenarios or profiles', () => {
  fc.assert(
    fc.property(scenarios, (each) => {
      const turned = rank(
        each.toReversed().map((scenario) => ({ profiles: scenario.profiles.toReversed() })),
        profiles.toReversed(),
      );
      const straight = rank(each);
      expect(turned.profiles.map(({ id }) => id)).toEqual(straight.profiles.map(({ id }) => id));
      expect(turned.gain ?? 0).toBeCloseTo(straight.gain ?? 0, 12);
    }),
  );
});

it('is the same when every figure is halved, but for the spread', () => {
  fc.assert(
    fc.property(scenarios, (each) => {
      const halved = each.map((scenario) => ({
        profiles: scenario.profiles.map(({ id, efficiencyMedian }) => ({ id, efficiencyMedian: efficiencyMedian && efficiencyMedian / 2 })),
      }));
      const [whole, half] = [rank(each), rank(halved)];
      expect(half.profiles.map(({ id }) => id)).toEqual(whole.profiles.map(({ id }) => id));
      expect(half.gain).toBe(whole.gain);
      expect(half.meanSpread).toBe(whole.meanSpread && whole.meanSpread / 2);
    }),
  );
});
