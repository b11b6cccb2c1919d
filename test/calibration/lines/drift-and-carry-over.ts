/** Equal profiles while the network changes, and while a profile leaves something behind for the next. */
import { ONE_SITTING } from '../simulate/browsing.ts';
import type { EverydayDesign } from '../simulate/everyday-loads.ts';
import { BASELINE } from '../simulate/judge.ts';
import { EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { equalLine } from './equal-line.ts';

/** The effect that trials are planned to find. */
const EFFECT = Math.log(1.1);
const BAR = { atMost: 0.06 };
/** A fifth of a third of the way down in each hour: the effect's size is drifted through in three hours. */
const DRIFT: EverydayDesign = { ...EVERYDAY_TRUTH, driftPerHour: EFFECT / 3 };
const CARRY = Math.log(0.9);

export const DRIFT_AND_CARRY_OVER = [
  equalLine({
    name: 'equal-drift-sitting',
    what: 'everything gets better by a third of 10 % per hour, in one sitting.',
    truth: { ...DRIFT, habits: ONE_SITTING },
    once: BAR,
    any: BAR,
    runs: 2000,
  }),
  equalLine({
    name: 'equal-drift-sessions',
    what: 'the same over sessions with hours between them, a slot lasting one session.',
    truth: { ...DRIFT, loadsPerSlot: 'session', blocks: 10 },
    once: BAR,
    any: BAR,
    runs: 2000,
  }),
  equalLine({
    name: 'equal-carry-over',
    what: 'the first load after a switch is 10 % less efficient.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 1, effect: CARRY } },
    once: BAR,
    any: BAR,
    runs: 2000,
  }),
  equalLine({
    name: 'equal-carry-over-long',
    what: 'the first three loads after a switch are 10 % less efficient; the washout is one.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 3, effect: CARRY } },
    once: BAR,
    any: BAR,
    runs: 2000,
  }),
  equalLine({
    name: 'equal-carry-over-of-one',
    what: 'the first load after the baseline is 10 % less efficient.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 1, effect: CARRY, after: BASELINE } },
    once: BAR,
    any: BAR,
    runs: 2000,
  }),
  equalLine({
    name: 'equal-carry-over-of-one-long',
    what: 'the first three loads after the baseline are 10 % less efficient; the washout is one.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 3, effect: CARRY, after: BASELINE } },
  }),
];
