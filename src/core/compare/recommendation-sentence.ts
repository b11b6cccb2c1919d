/** The recommendation as a sentence with its figures. */
import { loadsNeededInWords } from './loads-needed-words.ts';
import { comparisonInWords, counted, rangeInWords } from './plain-words.ts';
import type { Candidate, RecommendationFacts } from './recommendation-facts.ts';
import type { Separation } from './separation.ts';

/** @param dearer the most efficient profile, where a cheaper one that is not separated from it was chosen. */
export function recommendedSentence(facts: RecommendationFacts, chosen: Candidate, dearer: Candidate | undefined): string {
  const { profile, shown, gain } = chosen;
  const parts = [`${figure(gain, facts.baseline)}${loadTimes(chosen.medianLoadTimeMs, facts.baselineMedianLoadTimeMs)}`];
  if (shown.against !== facts.baseline && shown.ratio !== undefined) {
    parts.push(`that counts what the gateway itself costs; the profile alone is ${comparisonInWords(shown.ratio, shown.against)}`);
  }
  if (dearer !== undefined) parts.push(`not separated from ${dearer.profile.id}, and cheaper`);
  if (profile.depth > 1) parts.push(depthNeeds(profile.carrier));
  return `Use ${profile.id}: ${parts.join('; ')}.`;
}

/** @param passedOver - Candidates without a verdict, which the sentence names. */
export function keepBaselineSentence(baseline: string, best: Candidate, passedOver: readonly Candidate[]): string {
  const gainOnlyWithinGateway = best.shown.verdict === 'better';
  const gainOnlyOfGateway = best.gain.finding === 'better';
  const found = `the best of the others, ${best.profile.id}, is ${figure(best.gain, baseline)}`;
  const because = gainOnlyWithinGateway
    ? `${found}: it is better than ${best.shown.against}, but the gateway that it needs takes the gain`
    : gainOnlyOfGateway
      ? `${found}, but not better than ${best.shown.against}: the gain is the gateway's, not the profile's`
      : `no profile is better; ${found}`;
  const without = passedOver.length > 0 ? ` No verdict on ${passedOver.map(({ profile }) => profile.id).join(', ')}.` : '';
  return `Keep ${baseline}: ${because}.${without}`;
}

/** @param best - The most promising of those that are not decided. */
export function needMoreLoadsSentence(baseline: string, best: Candidate): string {
  const how = loadsNeededInWords(best.shown.loadsNeeded ?? best.gain.loadsNeeded?.more);
  return `Not decided yet: ${best.profile.id} looks ${figure(best.gain, baseline)}, which leaves it open; ${how}.`;
}

function figure({ ratio, low, high, pairs }: Separation, against: string): string {
  if (ratio === undefined) return `not compared with ${against}`;
  const range = low === undefined || high === undefined ? '' : `${rangeInWords(low, high)}, `;
  return `${comparisonInWords(ratio, against)} (${range}${counted(pairs, 'pair')} of loads)`;
}

function loadTimes(own: number | undefined, baseline: number | undefined): string {
  if (own === undefined || baseline === undefined) return '';
  return `, load time ${seconds(own)} against ${seconds(baseline)}`;
}

function depthNeeds(carrier: Candidate['profile']['carrier']): string {
  switch (carrier) {
    case 'gateway':
      return 'its depth needs the gateway';
    case 'http2':
      return 'its depth holds for HTTP/2 servers that set no limit of their own';
    case 'legacy':
      return 'its depth needs a browser that still has HTTP/1.1 pipelining';
    case 'none':
      return 'its depth has no effect here: nothing carries it';
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9_950 ? 2 : 1)} s`;
}
