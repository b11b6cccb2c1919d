/**
 * Intervals where every profile is loaded once per page and link: the pages stand for each other. Within a link they are the blocks, so
 * that an interval says how sure a difference is over pages such as these, not how well one page repeats. Pairs are of the same page over
 * the same link, in the same turn, as ever.
 */
import { type CompareOptions, compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { ComparableLoad, Comparison } from '../../core/compare/comparison.ts';
import { comparableLoads } from '../../core/report/comparable-loads.ts';
import type { StudyData } from './study-load.ts';

/** The loads of a study are fixed before the first, and looked at once. */
export function compareOverPages(data: StudyData, options: Pick<CompareOptions, 'baseline' | 'profiles' | 'alpha'>): Comparison {
  return compareProfiles(pagesAsBlocks(data), { ...options, looks: 'once' });
}

function pagesAsBlocks({ loads, pages }: StudyData): readonly ComparableLoad[] {
  const turns = 1 + Math.max(0, ...loads.map(({ block }) => block));
  const numberOf = new Map(pages.map(({ name }, at) => [name, at]));
  return comparableLoads(loads).map((load) => ({
    ...load,
    page: 'all pages',
    block: (numberOf.get(load.page) ?? pages.length) * turns + load.block,
  }));
}
