/** What the read-size study found. Pure. */

import { cutoffSpan } from '../../../core/compare/cutoff-span.ts';
import type { CutoffTable } from '../../../core/compare/cutoff-table.ts';
import { counted, signedPercent } from '../../../core/text/figures.ts';
import type { ComparisonWithOriginal, StudyFindings } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { answerOf } from './answer.ts';
import { NOTHING_CHANGED } from './check.ts';
import { compared, pairedArms, repeatCohorts } from './first-bytes.ts';
import { cohortSpan, cohortSpans, LAST_CUTOFF, winsOf } from './outcomes.ts';
import { type ComparedSize, cohortTable, outcomeTable, profileTable, verdictTable } from './tables.ts';
import { type ProfileVerdicts, profileVerdicts } from './verdicts.ts';
import { soonerInWords, soonerRange, timeVerdictWords } from './words.ts';

/** The mail's own: reads begin with 1 kB. */
const AS_IN_THE_MAIL = 'read-1k';

export interface SizeFindings extends ComparedSize {
  /** Of the sound cohorts together; `undefined`: there is none. */
  readonly table: CutoffTable | undefined;
}

export function readSizeFindings(data: StudyData): StudyFindings {
  const { study, loads } = data;
  const verdicts = profileVerdicts(data);
  const sizes = verdicts.map(({ id }): SizeFindings => {
    const arms = { first: study.baseline, second: id };
    const cohorts = repeatCohorts(loads, arms);
    return { id, cohorts, table: together(data, { id, cohorts }) };
  });
  const mail = sizes.find(({ id }) => id === AS_IN_THE_MAIL);
  return {
    tables: [
      verdictTable(verdicts, study.baseline),
      ...(sizes.length > 0 ? [outcomeTable(sizes, study.baseline)] : []),
      ...(mail ? [cohortTable(mail, study.baseline)] : []),
      ...sizes.flatMap(({ id, table }) => (table ? [profileTable({ id, table }, study.baseline)] : [])),
    ],
    answer: answerOf(verdicts, sizes),
    comparisonWithOriginal: comparedWithTheMail({
      mail,
      same: sizes.find(({ id }) => id === NOTHING_CHANGED),
      verdict: verdicts.find(({ id }) => id === AS_IN_THE_MAIL),
    }),
    pictures: [],
    figures: { verdicts, sizes, unit: 'microseconds' },
  };
}

/** The repeats of the cohorts that are sound, as one. */
function together({ study, loads }: StudyData, { id, cohorts }: ComparedSize): CutoffTable | undefined {
  const sound = new Set(cohorts.flatMap(({ state, repeat }) => (state === 'compared' ? [repeat] : [])));
  const kept = loads.filter(({ block }) => sound.has(block));
  const all = compared(pairedArms(kept, { first: study.baseline, second: id }));
  return all.state === 'compared' ? all.table : undefined;
}

/** The mail's figures beside ours, and why they differ. */
const NOT_MEASURED = 'not measured';

const NO_DELAY =
  'the mail explains its gain by Windows, which hands over an asynchronous read 40 to 50 ms late while its buffer is not full; Linux hands over what there is at once, whatever the size of the read';
const FEW_LOADS =
  'a cohort here is one repeat with a few hundred connections, there a week of users: so small a sample strays by itself, as what is set to the value that is shipped shows';
const ONE_SIZE = 'Chromium began with 1 KB and doubled it with every full read; Firefox has one size for all reads of a response';

function comparedWithTheMail({
  mail,
  same,
  verdict,
}: {
  readonly mail: ComparedSize | undefined;
  /** The check. */
  readonly same: ComparedSize | undefined;
  readonly verdict: ProfileVerdicts | undefined;
}): readonly ComparisonWithOriginal[] {
  return [
    {
      what: 'outcome by cohort, reads that begin with 1 KiB',
      original:
        '10 of 10 sound weeks a win at the cut-offs up to 95 %, by 0.8 % to 6.3 % as the mail sums up; 6 of 10 at all cut-offs up to 99.5 %, the other 4 mixed; 4 weeks corrupt',
      ours: `${cohortOutcomes(mail)}${chanceOutcomes(same)}`,
      why: `${NO_DELAY}; ${FEW_LOADS}`,
    },
    {
      what: 'average gain in time to first byte',
      original: '2 to 3 % sooner, 3 to 20 ms a request',
      ours: averageOf(verdict),
      why: NO_DELAY,
    },
    {
      what: 'what the experiment changed',
      original: 'reads of 1 KB, doubled with each read, instead of 4 or 32 KB (as the mail writes), on Windows',
      ours: 'reads of at most 1 KiB throughout (network.buffer.cache.size) instead of 32 KiB, on Linux',
      why: ONE_SIZE,
    },
    {
      what: 'what was measured',
      original: 'time to first byte of transactions on new connections, without what lies above 99 %',
      ours: `responseStart less connectStart of requests that opened their connection: averages of all of them, outcomes up to ${LAST_CUTOFF} %`,
      why: "the mail leaves the tail out for a skew at 50 s in all of its histograms; the lab's links have none",
    },
  ];
}

function cohortOutcomes(mail: ComparedSize | undefined): string {
  if (mail === undefined || mail.cohorts.length === 0) return NOT_MEASURED;
  const spans = cohortSpans(mail.cohorts, cohortSpan);
  const shares = spans.flatMap((span) => (span.outcome === 'unknown' ? [] : [span.from.relative, span.to.relative]));
  const range = shares.length === 0 ? '' : `, the ends from ${signedPercent(Math.min(...shares))} to ${signedPercent(Math.max(...shares))}`;
  const toTheEnd = winsOf(cohortSpans(mail.cohorts, (table) => cutoffSpan(table)));
  const corrupt = mail.cohorts.length - spans.length;
  return `${winsOf(spans)} of ${spans.length} sound cohorts a win at the cut-offs up to ${LAST_CUTOFF} %${range}; ${toTheEnd} of ${spans.length} at all cut-offs up to 99.5 %; ${corrupt} set aside`;
}

/** How many wins and losses there are where nothing was changed. */
function chanceOutcomes(same: ComparedSize | undefined): string {
  const spans = cohortSpans(same?.cohorts ?? [], cohortSpan);
  const losses = spans.filter(({ outcome }) => outcome === 'loss').length;
  return spans.length === 0
    ? ''
    : `; of ${NOTHING_CHANGED}, which changes nothing, ${winsOf(spans)} of ${spans.length} a win and ${losses} a loss`;
}

function averageOf(verdict: ProfileVerdicts | undefined): string {
  const change = verdict?.firstByte;
  if (verdict === undefined || change?.ratio === undefined) return NOT_MEASURED;
  const interval = `95 % interval, ${counted(verdict.intervals, 'profile')} together: ${soonerRange(change)}; ${counted(change.pairs, 'pair')} of loads`;
  return `${soonerInWords(change.ratio)} (${interval}): ${timeVerdictWords(change)}`;
}
