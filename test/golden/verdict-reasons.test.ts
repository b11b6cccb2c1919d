/** Why there is a verdict or none, case by case: each from loads, in the words that reports and tables show. */
import { expect, it } from 'vitest';
import type { CompareOptions } from '../../src/core/compare/compare-options.ts';
import { compareProfiles } from '../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../src/core/compare/comparison.ts';
import { BASELINE, baseline, control, direct, gateway, gaussian, simulate } from '../unit/core/compare/simulated-run.ts';

const TWO = [baseline(), direct(8, 0.6)];

interface Case {
  readonly loads: readonly ComparableLoad[];
  readonly options?: Partial<CompareOptions>;
  /** Whose reason is shown; `c8-d1` unless said. */
  readonly of?: string;
}

/** Hardly any noise unless said. */
const run = ({ blocks = 4, spread = 0.002, scenarios = 4, efficiency = 0.6 } = {}): readonly ComparableLoad[] =>
  simulate({ profiles: [baseline(), direct(8, efficiency)], blocks, scenarios, seed: 5, noise: (random) => spread * gaussian(random) });

/** Lost to a cause that may depend on how long they took. */
const losing = (loads: readonly ComparableLoad[], isLost: (load: ComparableLoad) => boolean) =>
  loads.map((load): ComparableLoad => (isLost(load) ? { ...load, valid: false } : load));

const isPage = ({ page, link }: ComparableLoad): boolean => page === 'page-0' && link === 'link-1';
const isEight = ({ profileId }: ComparableLoad): boolean => profileId === 'c8-d1';

const withGateway = [baseline(), gateway({ connections: 4, depth: 6, efficiency: 0.6 }), control(0.5)];

const CASES: Readonly<Record<string, Case>> = {
  'faster in every pair': { loads: run() },
  'slower in every pair': { loads: run({ efficiency: 0.4 }) },
  'within 3 %': { loads: run({ efficiency: 0.5 }) },
  'a page over a link excluded': {
    loads: run().map((load) => (isEight(load) && isPage(load) ? { ...load, valid: false, lostTo: 'unrelated' as const } : load)),
  },
  'no pair of loads': { loads: run().filter(({ profileId }) => profileId === BASELINE) },
  'one block': { loads: run({ blocks: 1 }) },
  'two blocks': { loads: run({ blocks: 2 }) },
  'two blocks of one page: too few for an interval': { loads: run({ blocks: 2, scenarios: 1 }), options: { alpha: 0.001 } },
  'a page with one pair': { loads: run().filter((load) => !isPage(load) || load.block === 0) },
  'pairs that do not vary': {
    loads: run().map((load) => ({ ...load, efficiency: isEight(load) ? 0.6 : 0.5, loadTimeMs: undefined })),
  },
  'an interval around no change': { loads: run({ efficiency: 0.52, spread: 0.1 }) },
  'surely faster, perhaps by less than 3 %': { loads: run({ efficiency: 0.5145, spread: 0.008 }) },
  'an interval that leaves everything open': { loads: run({ blocks: 3, scenarios: 1, spread: 0.5 }) },
  'everyday loads that share blocks and no page': {
    loads: run({ scenarios: 1 }).map((load) => ({ ...load, page: load.profileId, slot: load.block })),
  },
  'everyday loads of one block': { loads: run({ blocks: 1 }).map((load) => ({ ...load, slot: 0 })) },
  'most loads lost': { loads: losing(run(), (load) => isEight(load) && load.block < 3) },
  'a page lost': { loads: losing(run({ blocks: 6 }), (load) => isEight(load) && isPage(load)) },
  'unequal losses': { loads: losing(run({ blocks: 6 }), (load) => isEight(load) && load.block < 2) },
  unrandomised: { loads: run(), options: { turns: 'as-they-came' } },
  "the gateway's own cost not known": {
    loads: simulate({ profiles: withGateway, blocks: 4, seed: 5 }).filter(({ profileId }) => profileId !== 'c6-d1-gateway'),
    options: { profiles: withGateway },
    of: 'c4-d6',
  },
};

it('every reason is one of these sentences', async () => {
  const text = Object.entries(CASES).map(([name, { loads, options, of = 'c8-d1' }]) => {
    const { profiles } = compareProfiles(loads, { baseline: BASELINE, profiles: TWO, ...options });
    const versus = profiles.find(({ id }) => id === of)?.versusBaseline;
    return `${name}: ${versus?.verdict}\n  ${versus?.reason}\n`;
  });
  await expect(text.join('')).toMatchFileSnapshot('verdict-reasons.txt');
});
