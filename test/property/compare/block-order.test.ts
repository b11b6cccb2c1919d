import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOrder } from '../../../src/core/compare/block-order.ts';

const run = fc.record({
  profiles: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 }),
  scenarios: fc.uniqueArray(fc.record({ page: fc.string(), link: fc.string() }), {
    maxLength: 4,
    selector: ({ page, link }) => JSON.stringify([page, link]),
  }),
  blocks: fc.integer({ min: 0, max: 5 }),
  seed: fc.integer(),
});

describe('blockOrder', () => {
  it('gives every profile its turn once in each block of each scenario, block after block', () => {
    fc.assert(
      fc.property(run, (options) => {
        const { profiles, scenarios, blocks } = options;
        const plan = blockOrder(options);
        expect(plan).toHaveLength(profiles.length * scenarios.length * blocks);
        expect(plan.map(({ order }) => order)).toEqual(plan.map((_, at) => at));
        for (let turn = 0; turn < scenarios.length * blocks; turn++) {
          const loads = plan.slice(turn * profiles.length, (turn + 1) * profiles.length);
          expect(loads.map(({ profileId }) => profileId).sort()).toEqual([...profiles].sort());
          for (const { page, link, block } of loads) {
            expect({ page, link }).toEqual(scenarios[turn % scenarios.length]);
            expect(block).toBe(Math.floor(turn / scenarios.length));
          }
        }
      }),
    );
  });

  it('is the same for the same seed, and more blocks only append', () => {
    fc.assert(
      fc.property(run, (options) => {
        const plan = blockOrder(options);
        expect(blockOrder(options)).toEqual(plan);
        expect(blockOrder({ ...options, blocks: options.blocks + 2 }).slice(0, plan.length)).toEqual(plan);
      }),
    );
  });

  it('reverses the order of every other block', () => {
    fc.assert(
      fc.property(run, (options) => {
        const orderIn = (block: number, { page, link }: { page: string; link: string }) =>
          blockOrder({ ...options, blocks: 4 })
            .filter((load) => load.block === block && load.page === page && load.link === link)
            .map(({ profileId }) => profileId);
        for (const scenario of options.scenarios) {
          for (const block of [0, 2]) expect(orderIn(block + 1, scenario)).toEqual(orderIn(block, scenario).toReversed());
        }
      }),
    );
  });

  it('puts every profile first about equally often', () => {
    // 4 profiles, first or last in 2000 draws: 1000 each, standard deviation sqrt(2000 / 4) = 22; 5 of them are 112.
    const plan = blockOrder({ profiles: ['a', 'b', 'c', 'd'], scenarios: [{ page: 'p', link: 'l' }], blocks: 4000, seed: 3 });
    for (const id of ['a', 'b', 'c', 'd']) {
      const firsts = plan.filter(({ profileId, order }) => profileId === id && order % 4 === 0).length;
      expect(Math.abs(firsts - 1000)).toBeLessThan(112);
    }
  });
});
