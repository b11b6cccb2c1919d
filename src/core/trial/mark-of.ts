/** The mark that a load carries into the store. */
import type { TrialMark } from './trial-mark.ts';
import type { TrialProgress } from './trial-progress.ts';

/** To be asked when the load is recorded, after the event was taken; `undefined`: the load is not of the trial. */
export function markOf({ loads }: TrialProgress, loadId: string): TrialMark | undefined {
  const load = loads.find(({ id }) => id === loadId);
  return load === undefined || load.void || load.state === 'lost' ? undefined : load.mark;
}
