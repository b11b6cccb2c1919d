/** Figures as text, the same in the terminal and in the HTML report; what is unknown is a dash, never 0. */

/** What stands for a figure that is not known: an en dash. */
export const UNKNOWN = '–';

/** `0.618 (0.605 to 0.632)`, `0.618`, or a dash. */
export function withInterval(
  { estimate, low, high }: { readonly estimate: number | undefined; readonly low: number | undefined; readonly high: number | undefined },
  digits: number,
): string {
  if (estimate === undefined) return UNKNOWN;
  if (low === undefined || high === undefined) return estimate.toFixed(digits);
  return `${estimate.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** `2.70 s`, `12.3 s`, or a dash. */
export function secondsText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return UNKNOWN;
  const seconds = milliseconds / 1000;
  return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
}

/** `12`, or `12 (1 excluded)`. */
export function loadsText({ loads, voidLoads }: { readonly loads: number; readonly voidLoads: number }): string {
  return voidLoads === 0 ? `${loads}` : `${loads} (${voidLoads} excluded)`;
}
