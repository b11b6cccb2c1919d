/**
 * The recommendation: among the profiles not separated from the best (not surely worse, or by less than 3 %), the cheapest (fewest
 * connections, then smallest depth).
 *
 * A profile is judged by what the person gains by using it, gateway included, so the best is the one with the highest ratio
 * against the baseline itself, and it can be recommended only if it is better there. Where the gateway's own cost is above
 * 3 %, it must in addition be better than the control, or the gain is the gateway's and not the profile's.
 *
 * Only profiles shown to be better are chosen from: when the baseline is separated from the best, a cheaper profile that is
 * not separated from either is not yet known to gain anything.
 */
import { compareCost } from '../profiles/compare-cost.ts';
import type { Recommendation } from './comparison.ts';
import type { Candidate, RecommendationFacts } from './recommendation-facts.ts';
import { keepBaselineSentence, needMoreLoadsSentence, recommendedSentence } from './recommendation-sentence.ts';

export function recommend(facts: RecommendationFacts): Recommendation {
  const { baseline, baselineFault, candidates } = facts;
  if (baselineFault !== undefined) return none(`No recommendation: ${baselineFault}.`);
  const judged = candidates.filter(({ shown, gain }) => shown.verdict !== 'no-verdict' && gain.ratio !== undefined);
  const best = bestOf(judged);
  if (best === undefined) return none(whyNone(candidates));
  const proven = judged.filter(isProven);
  if (proven.length > 0) return recommended(facts, judged, proven);
  const open = judged.filter((candidate) => !isDecided(candidate));
  const undecided = bestOf(open);
  const passedOver = candidates.filter((candidate) => !judged.includes(candidate));
  if (undecided !== undefined) {
    return { profileId: null, state: 'need-more-loads', sentence: needMoreLoadsSentence(baseline, undecided) };
  }
  return { profileId: baseline, state: 'keep-baseline', sentence: keepBaselineSentence(baseline, best, passedOver) };
}

/** The cheaper first (see `compareCost`); of equally cheap ones the more efficient. */
export function byCost(a: Candidate, b: Candidate): number {
  return compareCost(a.profile, b.profile) || (b.gain.ratio ?? 0) - (a.gain.ratio ?? 0);
}

function recommended(facts: RecommendationFacts, judged: readonly Candidate[], proven: readonly Candidate[]): Recommendation {
  const best = bestOf(judged);
  const among = proven.filter((candidate) => candidate === best || !isBehind(facts, candidate, best));
  // The best may itself be unproven (wide interval); then the proven ones that it does not beat are the field.
  const field = among.length > 0 ? among : proven;
  const chosen = [...field].sort(byCost)[0];
  if (chosen === undefined) return none('No recommendation: no profile is better.');
  const bestProven = bestOf(field);
  const dearer = bestProven !== chosen ? bestProven : undefined;
  return { profileId: chosen.profile.id, state: 'recommended', sentence: recommendedSentence(facts, chosen, dearer) };
}

function isBehind(facts: RecommendationFacts, candidate: Candidate, best: Candidate | undefined): boolean {
  if (best === undefined) return false;
  // A lead that is sure but means nothing to a person is worth no dearer profile.
  return facts.separate(candidate.profile.id, best.profile.id).finding === 'worse';
}

function isProven({ shown, gain }: Candidate): boolean {
  return shown.verdict === 'better' && gain.finding === 'better';
}

function isDecided({ shown, gain }: Candidate): boolean {
  const decided = (finding: string) => finding === 'worse' || finding === 'no-meaningful-difference';
  return decided(shown.verdict) || decided(gain.finding);
}

function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => (b.gain.ratio ?? 0) - (a.gain.ratio ?? 0) || byCost(a, b))[0];
}

function whyNone(candidates: readonly Candidate[]): string {
  const faults = candidates.filter(({ shown }) => shown.verdict === 'no-verdict').map(({ shown }) => shown.reason);
  if (faults.length > 0) return `No recommendation. ${[...new Set(faults)].join(' ')}`;
  if (candidates.length === 0) return 'No recommendation: there is no profile to compare with the baseline.';
  return 'No recommendation yet: no pair of loads is complete.';
}

function none(sentence: string): Recommendation {
  return { profileId: null, state: 'none', sentence };
}
