/** How many requests a load may have: a page that asks without end must not fill the disk. */
import type { PageLoad } from './page-load.ts';

/** Requests of one load. Our own choice: several times what the busiest everyday pages make. */
export const MAX_REQUESTS = 2_000;

/** The load without what is above the bound; one that reached it is measured as cut short. */
export function withinMaxRequests(load: PageLoad): PageLoad {
  if (load.requests.length <= MAX_REQUESTS) return load;
  return cutOff({ ...load, requests: load.requests.slice(0, MAX_REQUESTS) });
}

/** Says of a load that more was asked for than is recorded. */
export const cutOff = (load: PageLoad): PageLoad =>
  load.observation.tooManyRequests ? load : { ...load, observation: { ...load.observation, tooManyRequests: true } };
