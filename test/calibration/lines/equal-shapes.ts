/** Equal profiles whose loads are not as textbooks have them. */
import { BASELINE } from '../simulate/judge.ts';
import { bimodal, skewed, studentT3 } from '../simulate/noise.ts';
import { CANDIDATE, EVERYDAY_TRUTH, twoArms } from '../simulate/truths.ts';
import { equalLine } from './equal-line.ts';

const noisy = (noisyId: string) => twoArms().map((arm) => (arm.id === noisyId ? { ...arm, noisiness: 3 } : arm));

export const EQUAL_SHAPES = [
  equalLine({
    name: 'equal-3-against-27',
    what: 'the baseline has 27 loads, the candidate 3.',
    truth: {
      ...EVERYDAY_TRUTH,
      slotsPerTurn: 1,
      blocks: 3,
      arms: [
        { id: BASELINE, effect: 0, loadsPerSlot: 9 },
        { id: CANDIDATE, effect: 0, loadsPerSlot: 1 },
      ],
    },
  }),
  equalLine({
    name: 'equal-9-against-81',
    what: 'the baseline has 81 loads, the candidate 9.',
    truth: {
      ...EVERYDAY_TRUTH,
      slotsPerTurn: 1,
      blocks: 9,
      arms: [
        { id: BASELINE, effect: 0, loadsPerSlot: 9 },
        { id: CANDIDATE, effect: 0, loadsPerSlot: 1 },
      ],
    },
  }),
  equalLine({
    name: 'equal-candidate-noisy',
    what: 'the candidate is three times as noisy as the baseline.',
    truth: { ...EVERYDAY_TRUTH, arms: noisy(CANDIDATE) },
  }),
  equalLine({
    name: 'equal-baseline-noisy',
    what: 'the baseline is three times as noisy as the candidate.',
    truth: { ...EVERYDAY_TRUTH, arms: noisy(BASELINE) },
  }),
  equalLine({
    name: 'equal-heavy-tails',
    what: "noise is Student's t with 3 degrees of freedom.",
    truth: { ...EVERYDAY_TRUTH, noise: studentT3 },
  }),
  equalLine({
    name: 'equal-bimodal',
    what: 'noise has two modes, five of their own spreads apart.',
    truth: { ...EVERYDAY_TRUTH, noise: bimodal },
  }),
  equalLine({ name: 'equal-skewed', what: 'noise is log-normal: a tail of slow loads.', truth: { ...EVERYDAY_TRUTH, noise: skewed } }),
  equalLine({
    name: 'equal-slots',
    what: 'loads of a slot share an effect as large as their noise.',
    truth: { ...EVERYDAY_TRUTH, slotSpread: 0.25 },
  }),
  equalLine({ name: 'equal-few-blocks', what: 'six blocks, 54 loads each.', truth: { ...EVERYDAY_TRUTH, blocks: 6 } }),
  equalLine({
    name: 'equal-paired',
    what: 'only loads of the same page, link and block are compared.',
    truth: EVERYDAY_TRUTH,
    estimate: 'paired',
  }),
];
