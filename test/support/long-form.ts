/** Whether long sets are made whole (`PLUMBFOX_FULL=1`), or the cut of them that `npm test` makes. */
export const FULL = process.env.PLUMBFOX_FULL === '1';
