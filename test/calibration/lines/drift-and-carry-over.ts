/**
 * Equal profiles while the network changes, and while a profile leaves something behind for the next. What is left behind after one profile alone
 * is simulated by whole trials (`trial-carry-over-...`).
 */
import { EVERYDAY, ONE_SITTING } from '../simulate/browsing.ts';
import type { EverydayDesign } from '../simulate/everyday-loads.ts';
import { EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { equalLine } from './equal-line.ts';
import { MONTE_CARLO } from './equal-rows.ts';

/** The effect that trials are planned to find. */
const EFFECT = Math.log(1.1);
const BAR = { atMost: 0.06, allowance: MONTE_CARLO };
/** A fifth of a third of the way down in each hour: the effect's size is drifted through in three hours. */
const DRIFT: EverydayDesign = { ...EVERYDAY_TRUTH, driftPerHour: EFFECT / 3 };
/** As many loads as the others have, a turn lasting three sessions. */
const SESSION_BLOCKS = Math.ceil((EVERYDAY_TRUTH.blocks * 3) / EVERYDAY.visitsPerSession);
const CARRY = Math.log(0.9);

export const DRIFT_AND_CARRY_OVER = [
  equalLine({
    name: 'equal-drift-sitting',
    what: 'everything gets better by a third of 10 % per hour, in one sitting.',
    truth: { ...DRIFT, habits: ONE_SITTING },
    any: BAR,
  }),
  equalLine({
    name: 'equal-drift-sessions',
    what: 'the same over sessions with hours between them, a slot lasting one session.',
    truth: { ...DRIFT, loadsPerSlot: 'session', blocks: SESSION_BLOCKS },
    any: BAR,
  }),
  equalLine({
    name: 'equal-carry-over',
    what: 'the first load after every switch is 10 % less efficient.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 1, effect: CARRY } },
    any: BAR,
  }),
  equalLine({
    name: 'equal-carry-over-long',
    what: 'the first three loads after every switch are 10 % less efficient.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 3, effect: CARRY } },
    any: BAR,
  }),
];
