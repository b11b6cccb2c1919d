/** Steps in which a page graph holds times: finer than any record's clock, and free of what arithmetic adds after the sixteenth digit. */
const STEPS_PER_MS = 100;

export const roundedMs = (ms: number): number => Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS;
