/** The verdict on a profile with its reason in plain words. */
import { assertNever } from '../errors.ts';
import type { SetAside, Verdict, VersusBaseline } from './comparison.ts';
import { loadsNeededInWords } from './loads-needed-words.ts';
import { changeInWords, comparisonInWords, counted, rangeInWords } from './plain-words.ts';
import type { Separation } from './separation.ts';
import { FEWEST_BLOCKS } from './thresholds.ts';

export interface VerdictFacts {
  readonly profileId: string;
  readonly against: string;
  readonly separation: Separation;
  /** A check that failed; then there is no verdict. */
  readonly fault: string | undefined;
  /** Pages over links that are set aside in this comparison. */
  readonly without?: readonly SetAside[];
}

/** A fault of the profile's loads comes before whatever the figures say. */
export function verdictOf(facts: VerdictFacts): VersusBaseline {
  const { separation, against, fault } = facts;
  const { ratio, low, high, p, pairs, pairsAhead, detectableChange } = separation;
  const figures = { ratio, low, high, p, pairs, pairsAhead, detectableChange };
  if (fault !== undefined) {
    return {
      ...figures,
      verdict: 'no-verdict',
      reason: `No verdict: ${fault}.`,
      against,
      loadsNeeded: undefined,
      loadsNeededAtMost: undefined,
    };
  }
  const verdict: Verdict = separation.finding === 'undecided' ? 'need-more-loads' : separation.finding;
  return {
    ...figures,
    verdict,
    reason: reasonOf(facts),
    against,
    loadsNeeded: separation.loadsNeeded?.more,
    loadsNeededAtMost: separation.loadsNeeded?.atMost,
  };
}

/** What stands where the baseline would be compared with itself. */
export function baselineVerdict(baselineId: string): VersusBaseline {
  const reason = 'The others are compared with this one.';
  const figures = { ratio: 1, low: 1, high: 1, p: undefined, pairs: 0, pairsAhead: 0, detectableChange: undefined };
  return { ...figures, verdict: 'baseline', reason, against: baselineId, loadsNeeded: undefined, loadsNeededAtMost: undefined };
}

function reasonOf({ profileId, against, separation, without = [] }: VerdictFacts): string {
  const { finding, ratio, low, high, pairs, incomplete } = separation;
  const incompletePairs = incomplete > 0 ? ` ${counted(incomplete, 'incomplete pair')} left out.` : '';
  const dropped = `${incompletePairs}${without.map((one) => ` Without ${one.page} over ${one.link}: no load of ${one.profileId} counts there.`).join('')}`;
  if (ratio === undefined) return `${profileId} and ${against} have no complete pair of loads yet.${dropped}`;
  const comparison = comparisonInWords(ratio, against);
  if (low === undefined || high === undefined) {
    const few = `${counted(pairs, 'pair')} are too few to bound the difference (each page over each link needs at least two)`;
    const why = separation.blocks < FEWEST_BLOCKS ? few : 'these loads do not bound the difference yet';
    return `${profileId} looks ${comparison}, but ${why}.${stillNeeded(separation)}${dropped}`;
  }
  const interval = `(${rangeInWords(low, high)})`;
  switch (finding) {
    case 'better':
    case 'worse':
      return `${profileId} was more efficient in ${separation.pairsAhead} of ${counted(pairs, 'pair')}: ${comparison} ${interval}.${dropped}`;
    case 'no-meaningful-difference':
      return `${profileId} and ${against} differ by less than 3 %: ${changeInWords(ratio)} ${interval} over ${counted(pairs, 'pair')}.${dropped}`;
    case 'undecided':
      if (separation.blocks < FEWEST_BLOCKS)
        return `${profileId} looks ${comparison} ${interval}; there is no verdict before the third block.${stillNeeded(separation)}${dropped}`;
      return `${profileId} looks ${comparison}, but the interval ${interval} leaves it open.${stillNeeded(separation)}${dropped}`;
    default:
      return assertNever(finding);
  }
}

function stillNeeded({ loadsNeeded }: Separation): string {
  const words = loadsNeededInWords(loadsNeeded);
  return ` ${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
