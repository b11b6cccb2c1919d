/** How far the comparison of everyday loads is, and what it had to leave out, in words. */
import type { PopupState } from '../protocol/popup-state.ts';
import type { Figures } from '../views/figures.ts';

const LOADS = { one: 'load', many: 'loads' };

/** `undefined`: it is as new as the loads. */
export function comparisonStatus({ comparing, comparisonFailure }: PopupState, figures: Figures): string | undefined {
  if (comparing !== undefined) {
    const { missing, loads } = comparing;
    if (missing === 0) return 'Comparing all loads anew…';
    return `Preparing loads that were recorded by an earlier version: ${figures.share(1 - missing / loads)} of ${figures.count(loads, LOADS)} done. You can close this and go on later.`;
  }
  return comparisonFailure === undefined ? undefined : `The loads could not be compared: ${comparisonFailure}`;
}

/** Why there is no comparison to be shown. */
export function noComparison({ comparing, loads }: PopupState): string {
  return comparing !== undefined && loads > 0
    ? 'The first comparison is under way.'
    : 'Nothing to compare yet: a comparison needs loads of the same page under at least two profiles.';
}

/** After the number of loads; empty where every record can be read. */
export function unreadableWords(unreadable: number | undefined, figures: Figures): string {
  if (unreadable === undefined || unreadable === 0) return '';
  return ` ${figures.count(unreadable, { one: 'record', many: 'records' })} cannot be read and ${unreadable === 1 ? 'is' : 'are'} left out.`;
}
