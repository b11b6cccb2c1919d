import { describe, expect, it } from 'vitest';
import { tuneTimeLeft } from '../../../../src/cli/tune/run.ts';
import { blockOrder } from '../../../../src/core/compare/block-order.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { findPage } from '../../../../src/lab/pages/pages.ts';
import recorded from '../../../fixtures/tune-run.json';

const profiles = resolveProfiles(['firefox-default', 'c1-d1']);
const pages = [findPage('images')];
const links = [parseLink('rtt=300,down=2000'), parseLink('rtt=50,down=10000')];
const plan = blockOrder({
  profiles: profiles.map(({ id }) => id),
  scenarios: links.map(({ name }) => ({ page: 'images', link: name })),
  blocks: 3,
  seed: 1,
});

/** Runs the plan with loads that take so long. @returns after each load, what was said of the rest and what it took. */
function run(planned: typeof plan, msOf: (link: string) => number, onNetwork: 'real' | 'emulated' = 'emulated') {
  let nowMs = 1_000_000;
  const known = onNetwork === 'real' ? { pages: [], links: [] } : { pages, links };
  const left = tuneTimeLeft({ plan: planned, profiles, servedBy: 'embedded', ...known, now: () => nowMs });
  const end = nowMs + planned.reduce((sum, { link }) => sum + msOf(link), 0);
  return planned.map((load) => {
    nowMs += msOf(load.link);
    return { said: left.ended(load), truth: end - nowMs };
  });
}

describe('tuneTimeLeft', () => {
  it('knows that loads over the slower link take longer: 1.5 MB at 2 Mbit/s are 6 s, at 10 Mbit/s 1.2 s', () => {
    const all = run(plan, (link) => (link.startsWith('rtt=300') ? 7600 : 2100));
    // Two loads of each link make a block: after the first two nothing is known of the quicker link but what the simulator says.
    expect((all[1]?.said ?? 0) / (all[1]?.truth ?? 1)).toBeGreaterThan(0.75);
    expect((all[1]?.said ?? 0) / (all[1]?.truth ?? 1)).toBeLessThan(1.25);
    // From the second block on every load has been seen once.
    expect(all.slice(3).map(({ said }) => said)).toEqual(all.slice(3).map(({ truth }) => truth));
  });

  it('is within 25 % of what was left of a real run, from the fifth load to the last five seconds', () => {
    const loads = recorded.loads.map(([profileId, page, link, block, tookMs], order) => ({
      ...{ profileId: String(profileId), page: String(page), link: String(link), block: Number(block), order },
      tookMs: Number(tookMs),
    }));
    let nowMs = 0;
    const left = tuneTimeLeft({
      plan: loads,
      profiles: resolveProfiles([...new Set(loads.map(({ profileId }) => profileId))]),
      pages: ['wiki', 'images'].map(findPage),
      links: ['far-2m', 'dsl-10m'].map(parseLink),
      servedBy: 'embedded',
      now: () => nowMs,
    });
    const end = loads.reduce((sum, { tookMs }) => sum + tookMs, 0);
    const off = loads.map((load) => {
      nowMs += load.tookMs;
      const truth = end - nowMs;
      return truth < 5000 ? 0 : left.ended(load) / truth - 1;
    });
    expect(off.slice(4).filter((share) => Math.abs(share) > 0.25)).toEqual([]);
  });

  it('counts from the first load on, not from the start of the command', () => {
    // 4 loads of 3 s on a network that nobody can predict: 9 s are left after the first.
    expect(run(plan.slice(0, 4), () => 3000, 'real').map(({ said }) => said)).toEqual([9000, 6000, 3000, 0]);
  });
});
