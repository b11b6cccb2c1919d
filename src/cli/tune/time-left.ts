/**
 * How long a run of `tune` will go on. A load that was made before takes as long again; the others what the simulator says, times how far it
 * was off so far.
 */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import type { PageRecipe } from '../../lab/pages/page-recipe.ts';
import { expectedLoadMs } from '../../lab/study-run/study-plan.ts';
import { AROUND_LOAD_MS } from '../../lab/study-run/work-left.ts';

export interface TuneTimeLeft {
  /** A load of the plan has just ended. @returns ms that the rest of the plan will take. */
  ended(load: Cell): number;
}

export interface TuneTimeLeftOptions {
  readonly plan: readonly PlannedLoad[];
  readonly profiles: readonly Profile[];
  /** Both empty on the real network: then every load is taken to last as long as the others. */
  readonly pages: readonly PageRecipe[];
  readonly links: readonly LinkSpec[];
  /** Monotonic clock, ms; the first load begins now. */
  readonly now: () => number;
}

export function tuneTimeLeft({ plan, profiles, pages, links, now }: TuneTimeLeftOptions): TuneTimeLeft {
  const times = new Map<string, number>();
  for (const page of pages) {
    for (const link of links) {
      const predicted = expectedLoadMs(
        { page: { name: page.name, recipe: page, servedBy: 'embedded', connections: 'cold' }, link },
        profiles,
      );
      for (const [profileId, ms] of predicted) times.set(key({ page: page.name, link: link.name, profileId }), ms);
    }
  }
  const expectedMs = (load: Cell): number => (times.get(key(load)) ?? 0) + AROUND_LOAD_MS;
  const took = new Map<string, number>();
  let waiting: readonly PlannedLoad[] = plan;
  const made = { expected: 0, took: 0 };
  let before = now();
  return {
    ended: (load) => {
      const at = now();
      const tookMs = at - before;
      before = at;
      made.expected += expectedMs(load);
      made.took += tookMs;
      took.set(key(load), tookMs);
      waiting = waiting.slice(1);
      const scale = made.took / made.expected;
      return waiting.reduce((sum, each) => sum + (took.get(key(each)) ?? scale * expectedMs(each)), 0);
    },
  };
}

type Cell = Pick<PlannedLoad, 'page' | 'link' | 'profileId'>;

const key = ({ page, link, profileId }: Cell): string => JSON.stringify([page, link, profileId]);
