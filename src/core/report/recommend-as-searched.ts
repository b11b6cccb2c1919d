/** What the report of a search recommends: what the search answers, whatever its loads would say by themselves. */
import type { Recommendation, RecommendedProfile } from '../compare/comparison.ts';
import { assertNever } from '../errors.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import type { SearchAnswer, SearchRecord } from '../search/search-record.ts';
import type { Report } from './report.ts';

/**
 * The loads of a report may be those of a round that only chose, of which the best looks better than it is: only the answer of the search decides
 * what is recommended. A report without a search stays as it is.
 */
export function recommendingAsSearched(report: Report): Report {
  const { comparison, search } = report;
  if (search === undefined) return report;
  return { ...report, comparison: { ...comparison, recommendation: recommendationOf(search, comparison.recommendation) } };
}

function recommendationOf({ answer, sentences }: SearchRecord, compared: Recommendation): Recommendation {
  const named = namedBy(answer);
  // The comparison that confirmed it says so in a sentence of its own.
  if (answer.state === 'faster' && compared.profileId === named.profileId) return compared;
  const recommended = { ...named, sentence: sentences.join(' ') };
  return { ...recommended, settingsAlone: recommended };
}

function namedBy(answer: SearchAnswer): Pick<RecommendedProfile, 'profileId' | 'state'> {
  switch (answer.state) {
    case 'faster':
      return { profileId: answer.cheapest.profileId, state: 'recommended' };
    case 'nothing-beats':
      return { profileId: BASELINE_ID, state: 'keep-baseline' };
    case 'undecided':
    case 'interrupted':
      return { profileId: null, state: 'need-more-loads' };
    case 'no-verdict':
      return { profileId: null, state: 'none' };
    default:
      return assertNever(answer);
  }
}
