/** What the machine of the corpus adds to each load, which no recipe and no link says. */
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';

/** Fitted to the calibration half, and nothing else. */
export const LAB_MACHINE: Partial<BrowserModel> = { requestWorkMs: 0 };
