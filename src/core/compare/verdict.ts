/** The verdict on a profile: what its separation from another says, unless a check of its loads failed. */
import type { Verdict, VersusBaseline } from './comparison.ts';
import { formatFault, formatReason, type ReasonInput } from './format-verdict.ts';
import type { VerdictFault } from './verdict-fault.ts';

export interface VerdictInput extends ReasonInput {
  /** A check that failed; then there is no verdict. */
  readonly fault: VerdictFault | undefined;
}

/** A fault of the profile's loads comes before whatever the figures say. */
export function verdictOf(input: VerdictInput): VersusBaseline {
  const { separation, against, fault } = input;
  const { ratio, low, high, p, pairs, pairsAhead, detectableChange, loadsNeeded } = separation;
  const figures = { ratio, low, high, p, pairs, pairsAhead, detectableChange };
  if (fault !== undefined) {
    const reason = `No verdict: ${formatFault(fault)}.`;
    return { ...figures, verdict: 'no-verdict', reason, against, loadsNeeded: undefined, loadsNeededAtMost: undefined };
  }
  const verdict: Verdict = separation.finding === 'undecided' ? 'need-more-loads' : separation.finding;
  const needed = { loadsNeeded: loadsNeeded?.more, loadsNeededAtMost: loadsNeeded?.atMost };
  return { ...figures, verdict, reason: formatReason(input), against, ...needed };
}

/** What stands where the baseline would be compared with itself. */
export function baselineVerdict(baselineId: string): VersusBaseline {
  const reason = 'The others are compared with this one.';
  const figures = { ratio: 1, low: 1, high: 1, p: undefined, pairs: 0, pairsAhead: 0, detectableChange: undefined };
  return { ...figures, verdict: 'baseline', reason, against: baselineId, loadsNeeded: undefined, loadsNeededAtMost: undefined };
}
