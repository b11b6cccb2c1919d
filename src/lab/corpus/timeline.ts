/** The times of every request of a load, in the order of the recipe. */
import type { PageLoad, RequestTiming } from '../../core/measure/page-load.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { TIMELINE_FIELDS, type TimelineRow } from './corpus-load.ts';

/** @returns `undefined` where the record lacks the timing of a request: then the load is no use for calibration. */
export function timelineOf(load: PageLoad, page: PageRecipe): readonly TimelineRow[] | undefined {
  const start = load.requests[0]?.timing?.fetchStart;
  if (start === undefined) return undefined;
  const byName = new Map(load.requests.map((request) => [nameIn(request.url), request.timing]));
  const rows = ['', ...page.resources.map(({ name }) => name)].map((name) => {
    const timing = byName.get(name);
    return timing && row(timing, start);
  });
  return rows.every((each) => each !== undefined) ? rows : undefined;
}

/** The document has none: its address ends in a slash. */
const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const row = (timing: RequestTiming, start: number): TimelineRow =>
  TIMELINE_FIELDS.map((field) => {
    const time = timing[field];
    return time === undefined ? null : tenths(time - start);
  });

/** Firefox's clock is finer, but nothing of a load is known better. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;
