/** The `search` of `tune --json`, from that of a report. */
import type { Contribution, Proof, SearchAnswer, SearchRecord } from '../../../core/search/search-record.ts';
import type { SearchDocument, SearchedSettings } from '../document.ts';

export function searchJson({ answer, sentences, screening, steps, tookS }: SearchRecord): SearchDocument {
  const { best, cheapest, contributions } =
    answer.state === 'faster' ? answer : { best: undefined, cheapest: undefined, contributions: [] };
  return {
    state: answer.state,
    because: answer.state === 'nothing-beats' ? answer.because : null,
    sentences,
    best: settingsJson(best),
    cheapest: settingsJson(cheapest),
    bestOf: (answer.state === 'faster' ? answer.bestOf : undefined) ?? null,
    closest: settingsJson(closestOf(answer)),
    highest: (answer.state === 'nothing-beats' ? answer.highest : undefined) ?? null,
    unseenBelow: (answer.state === 'nothing-beats' ? answer.unseenBelow : undefined) ?? null,
    notMeasured: answer.state === 'faster' || answer.state === 'undecided' ? (answer.notMeasured ?? []) : [],
    contributions: contributions.map(contributionJson),
    screening: {
      ...screening,
      shortlist: screening.shortlist.map(({ profileId, why, predicted }) => ({
        profileId,
        why,
        predicted: predicted === undefined ? null : { ratio: predicted.ratio, low: predicted.low ?? null, high: predicted.high ?? null },
      })),
    },
    steps: steps.map((step) => ({
      ...step,
      arms: step.arms.map(({ profileId, ratio, outcome }) => ({ profileId, ratio: ratio ?? null, outcome })),
    })),
    tookS,
  };
}

const closestOf = (answer: SearchAnswer): Proof | undefined =>
  answer.state === 'faster' || answer.state === 'no-verdict' ? undefined : answer.closest;

function settingsJson(proof: Proof | undefined): SearchedSettings | null {
  if (proof === undefined) return null;
  const { profileId, settings, ratio, low, high, pairs, blocks, loadTimeMs, baselineMs } = proof;
  const figures = {
    ratio: ratio ?? null,
    low: low ?? null,
    high: high ?? null,
    loadTimeMs: loadTimeMs ?? null,
    baselineMs: baselineMs ?? null,
  };
  return { profileId, settings, pairs, blocks, ...figures };
}

function contributionJson({ preference, value, predicted, measured }: Contribution): SearchDocument['contributions'][number] {
  const own = measured && { ratio: measured.ratio, low: measured.low ?? null, high: measured.high ?? null, pairs: measured.pairs };
  return { preference, value, predicted: predicted ?? null, measured: own ?? null };
}
