/** The mail's figures beside ours, and why they differ. */
import { cutoffSpan } from '../../core/compare/cutoff-span.ts';
import { rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { type ComparedSize, firstByteWords } from './read-size-tables.ts';
import type { ProfileVerdicts } from './read-size-verdicts.ts';
import type { SeedComparison } from './study-findings.ts';

const NOT_MEASURED = 'not measured';

const NO_DELAY =
  'the mail explains its gain by Windows, which hands over an asynchronous read 40 to 50 ms late while its buffer is not full; Linux hands over what there is at once, whatever the size of the read';
const FEW_LOADS =
  'a cohort here is one repeat with a few hundred connections, there a week of users: so small a sample strays by itself, as what is set to the value that is shipped shows';
const ONE_SIZE = 'Chromium began with 1 kB and doubled it with every full read; Firefox has one size for all reads of a response';

export function besidesTheMail({
  mail,
  verdict,
}: {
  readonly mail: ComparedSize | undefined;
  readonly verdict: ProfileVerdicts | undefined;
}): readonly SeedComparison[] {
  return [
    {
      what: 'outcome by cohort, reads that begin with 1 kB',
      seed: '10 of 10 sound weeks a win, by 0.8 % to 6.3 % as the mail sums up; 4 weeks corrupt',
      ours: cohortOutcomes(mail),
      why: `${NO_DELAY}; ${FEW_LOADS}`,
    },
    { what: 'average gain in time to first byte', seed: '2 to 3 %, 3 to 20 ms a request', ours: averageOf(verdict), why: NO_DELAY },
    {
      what: 'what the experiment changed',
      seed: 'reads of 1 kB, doubled with each read, instead of 4 or 32 kB, on Windows',
      ours: 'reads of at most 1 kB throughout (network.buffer.cache.size) instead of 32 kB, on Linux',
      why: ONE_SIZE,
    },
    {
      what: 'what was measured',
      seed: 'time to first byte of transactions on new connections, without what lies above 99 %',
      ours: 'responseStart less connectStart of requests that opened their connection, all of them',
      why: "the mail leaves the tail out for a skew at 50 s in all of its histograms; the lab's links have none",
    },
  ];
}

function cohortOutcomes(mail: ComparedSize | undefined): string {
  if (mail === undefined || mail.cohorts.length === 0) return NOT_MEASURED;
  const spans = mail.cohorts.flatMap((cohort) => (cohort.state === 'compared' ? [cutoffSpan(cohort.table)] : []));
  const shares = spans.flatMap((span) => (span.outcome === 'unknown' ? [] : [span.from.relative, span.to.relative]));
  const corrupt = mail.cohorts.length - spans.length;
  const wins = spans.filter(({ outcome }) => outcome === 'win').length;
  const range = shares.length === 0 ? '' : `, ${signedPercent(Math.min(...shares))} to ${signedPercent(Math.max(...shares))}`;
  return `${wins} of ${spans.length} sound cohorts a win${range}; ${corrupt} set aside`;
}

function averageOf(verdict: ProfileVerdicts | undefined): string {
  const change = verdict?.firstByte;
  if (change?.ratio === undefined) return NOT_MEASURED;
  const { ratio, low, high } = change;
  const interval = low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high);
  return `${signedPercent(ratio - 1)} in time (${interval}): ${firstByteWords(change.verdict)}`;
}
