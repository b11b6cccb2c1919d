/** How far the simulator was from real loads, when it was last held against them. Written by `npm run accuracy -- --write`. */

export interface ModelError {
  /** Absolute error of the load time as a share of the measured one, where nothing is known of the machine: half of the predictions are closer. 0.05 is 5 %. */
  readonly errorP50: number;
  /** The same; nine of ten predictions are closer. */
  readonly errorP90: number;
  /** What it was held against, in a few words. */
  readonly basis: string;
}

/** `undefined`: not measured yet. */
export const MODEL_ERROR: ModelError | undefined = {
  errorP50: 0.0357,
  errorP90: 0.1584,
  basis:
    '336 loads of 14 scenarios (7 pages, 8 links) in Firefox 153.7.0, not used in calibration; 1.3 % and 7.0 % where the work of the machine itself is known',
};
