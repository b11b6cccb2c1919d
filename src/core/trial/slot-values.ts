/** One value per slot: how efficient its loads were against other loads of the same pages. */
import { groupBy } from '../group-by.ts';
import { mean } from '../stats/mean.ts';
import { isCounted, logEfficiencyOf } from './stage-loads.ts';
import type { TrialLoad } from './trial-load.ts';

export interface SlotValue {
  readonly slot: number;
  readonly block: number;
  readonly profileId: string;
  /** Profile of the slot before, whether its loads count or not; `undefined`: there is none. */
  readonly after: string | undefined;
  /** Mean time at which the loads began, ms. */
  readonly at: number;
  /** Log efficiency less the mean of its page and link: of the first counted load, and over all of the slot. */
  readonly first: number;
  readonly all: number;
}

/** Pages that were loaded once tell nothing. In the order of the slots. */
export function slotValues(marked: readonly TrialLoad[]): readonly SlotValue[] {
  const before = profilesBefore(marked);
  const counted = marked.filter(isCounted);
  const pages = groupBy(counted, ({ page, link }) => `${page.length} ${page}${link}`);
  const values = [...pages.values()].flatMap((loads) => {
    if (loads.length < 2) return [];
    const level = mean(loads.map(logEfficiencyOf));
    return loads.map((load) => ({ load, value: logEfficiencyOf(load) - level }));
  });
  const slots = groupBy(values, ({ load }) => load.mark.slot);
  return [...slots.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([slot, own]) => {
      const [first] = own.toSorted((a, b) => a.load.mark.position - b.load.mark.position || a.load.startedAt - b.load.startedAt);
      if (first === undefined) return [];
      const { block, profileId } = first.load.mark;
      const at = mean(own.map(({ load }) => load.startedAt));
      return [{ slot, block, profileId, after: before.get(slot), at, first: first.value, all: mean(own.map(({ value }) => value)) }];
    });
}

function profilesBefore(marked: readonly TrialLoad[]): ReadonlyMap<number, string> {
  const profiles = new Map(marked.map(({ mark }) => [mark.slot, mark.profileId]));
  const slots = [...profiles.keys()].sort((a, b) => a - b);
  return new Map(slots.slice(1).flatMap((slot, at) => [[slot, profiles.get(slots[at] ?? -1) ?? '']]));
}
