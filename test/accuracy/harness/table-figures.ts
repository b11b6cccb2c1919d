/** Figures as the tables show them. */

/** `4.9 %` */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
/** `+4.9 %`, `−4.9 %` */
export const signedPercent = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
/** `0.931`; a figure that there is not is a dash. */
export const correlationText = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(3));
