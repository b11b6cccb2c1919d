/** How far the comparison of everyday loads is, and what it had to leave out, in words. */
import type { WhyExcluded } from '../core/field/comparable-figures.ts';
import { MAX_REQUESTS } from '../core/measure/max-requests.ts';
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

/** Below the comparison; `undefined`: every load is in it. */
export function excludedWords({ excluded = [], withoutLink = 0 }: PopupState, figures: Figures): string | undefined {
  const causes = excluded.toSorted((a, b) => b.loads - a.loads).map(({ why, loads }) => `${loads} ${EXCLUSION_LABELS[why]}`);
  const all = [...causes, ...(withoutLink === 0 ? [] : [`${withoutLink} over a network that is not known`])];
  const total = excluded.reduce((sum, { loads }) => sum + loads, withoutLink);
  return total === 0 ? undefined : `${figures.count(total, LOADS)} excluded: ${all.join(', ')}.`;
}

const EXCLUSION_LABELS: Readonly<Record<WhyExcluded, string>> = {
  'no-timing': 'without timing',
  'not-in-effect': 'under other settings than intended',
  unfit: 'set aside by a trial',
  washout: 'right after a trial changed settings',
  'document-failed': 'that could not be fetched',
  'no-load-event': 'that never finished',
  'page-left': 'left before they finished',
  'too-many-requests': `with more than ${MAX_REQUESTS} requests`,
};
