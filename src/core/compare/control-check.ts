/**
 * The gateway's own cost is never taken for the profile's: the control (c6-d1, which is what Firefox does by itself, but
 * through the gateway) is compared with the baseline direct; where it differs by more than 3 %, gateway profiles are
 * compared with the control.
 */

import { counted, formatRange, speedComparison } from '../text/figures.ts';
import type { ControlCheck } from './comparison.ts';
import { formatFault } from './format-verdict.ts';
import type { Separation } from './separation.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';
import type { VerdictFault } from './verdict-fault.ts';

export interface ControlInput {
  readonly controlId: string;
  readonly baselineId: string;
  readonly separation: Separation;
  /** Why the control's figure cannot be trusted, where it cannot. */
  readonly fault: VerdictFault | undefined;
}

export function controlCheck({ controlId, baselineId, separation, fault }: ControlInput): ControlCheck {
  const { ratio, low, high, pairs } = separation;
  if (fault !== undefined || ratio === undefined) {
    const why = fault ? formatFault(fault) : `${controlId} and ${baselineId} have no pair of loads yet`;
    return {
      profileId: controlId,
      ratio,
      used: false,
      sentence: `The gateway's own cost is not known: ${why}. Profiles that need the gateway get no verdict.`,
    };
  }
  const used = Math.abs(ratio - 1) > MEANINGFUL_CHANGE;
  const range = low === undefined || high === undefined ? '' : `${formatRange(low, high)}, `;
  const figure = `${speedComparison(ratio, baselineId)} without it (${range}${counted(pairs, 'pair')})`;
  const consequence = used
    ? `more than 3 %, so gateway profiles are compared with ${controlId}, and the recommendation also asks what is left against ${baselineId}`
    : `within 3 %, so gateway profiles are compared with ${baselineId}`;
  return { profileId: controlId, ratio, used, sentence: `The gateway by itself (${controlId}) is ${figure}: ${consequence}.` };
}
