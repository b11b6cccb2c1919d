import { expect, it } from 'vitest';
import { supportOf } from '../../../../src/core/search/screen.ts';

it.each([
  ['a gain over the whole band', { ratio: 1.2, ratioBand: { low: 1.05, high: 1.3 } }, 'supported'],
  ['one that the band does not support', { ratio: 1.2, ratioBand: { low: 0.95, high: 1.3 } }, 'possible'],
  ['just below 3 %, with a wide band', { ratio: 1.029, ratioBand: { low: 0.95, high: 1.15 } }, 'possible'],
  ['below 3 %, with a narrow band', { ratio: 1.01, ratioBand: { low: 0.995, high: 1.029 } }, 'no-gain'],
  ['a loss, whose band reaches above', { ratio: 0.98, ratioBand: { low: 0.9, high: 1.06 } }, 'no-gain'],
  ['no band that was measured: that of the simulated loads', { ratio: 1.01, simulatedRatioBand: { low: 0.98, high: 1.04 } }, 'possible'],
  ['one simulated load', { ratio: 1.029 }, 'no-gain'],
  ['nothing changed', { ratio: 1, ratioBand: { low: 1, high: 1 } }, 'no-effect'],
] as const)('%s', (_what, predicted, support) => {
  expect(supportOf(predicted)).toBe(support);
});
