/** What the read-size study found. Pure. */

import { cutoffSpan } from '../../core/compare/cutoff-span.ts';
import type { CutoffTable } from '../../core/compare/cutoff-table.ts';
import { counted, rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { besidesTheMail } from './read-size-besides.ts';
import { compared, pairedArms, type RepeatCohort, repeatCohorts } from './read-size-first-bytes.ts';
import { type ComparedSize, cohortTable, firstByteWords, outcomeTable, profileTable, verdictTable } from './read-size-tables.ts';
import { type ProfileVerdicts, profileVerdicts, type TimeChange } from './read-size-verdicts.ts';
import type { StudyFindings } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

/** The mail's own: reads begin with 1 kB. */
const AS_IN_THE_MAIL = 'read-1k';
/** What is shipped, set by hand. */
const NOTHING_CHANGED = 'read-32k';
/** Less than what is shipped. */
const SMALLER: readonly string[] = ['read-1k', 'read-4k', 'read-16k', 'read-1k-x768'];

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
    besides: besidesTheMail({ mail, verdict: verdicts.find(({ id }) => id === AS_IN_THE_MAIL) }),
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

function answerOf(verdicts: readonly ProfileVerdicts[], sizes: readonly SizeFindings[]): readonly string[] {
  const smaller = verdicts.filter(({ id }) => SMALLER.includes(id));
  const same = verdicts.find(({ id }) => id === NOTHING_CHANGED);
  if (smaller.length === 0) return ['Too little was measured: there are no loads of a smaller read buffer beside those of the baseline.'];
  return [
    chanceDiffers(same) ?? headline(smaller),
    ...verdicts.filter(({ id }) => id !== NOTHING_CHANGED).map(sentenceOf),
    ...(same ? [`${sentenceOf(same)} It sets what is shipped, so that much is chance${chanceWins(sizes)}.`] : []),
    ...sizes.flatMap(({ id, cohorts }) => asideSentence(id, cohorts)),
  ];
}

/** How often a cohort looks like a win or a loss of what changes nothing. */
function chanceWins(sizes: readonly SizeFindings[]): string {
  const cohorts = sizes.find(({ id }) => id === NOTHING_CHANGED)?.cohorts ?? [];
  const outcomes = cohorts.flatMap((cohort) => (cohort.state === 'compared' ? [cutoffSpan(cohort.table).outcome] : []));
  const one = outcomes.filter((outcome) => outcome === 'win' || outcome === 'loss').length;
  return outcomes.length === 0 ? '' : `, and so is that ${one} of its ${counted(outcomes.length, 'cohort')} look like a win or a loss`;
}

/** A check: what changes nothing must not differ. `undefined`: it does not, or was not loaded. */
function chanceDiffers(same: ProfileVerdicts | undefined): string | undefined {
  const verdict = same?.exchange?.verdict;
  if (verdict !== 'better' && verdict !== 'worse') return undefined;
  return `No answer: ${NOTHING_CHANGED}, which sets what is shipped, differs from the baseline as well, so something else than the profiles made the difference. Measure again on an idle machine.`;
}

/** By what no waiting in the browser blurs. Several smaller sizes may disagree: one that brings them sooner is enough. */
function headline(smaller: readonly ProfileVerdicts[]): string {
  const having = (verdict: string) => smaller.filter(({ exchange }) => exchange?.verdict === verdict).map(({ id }) => id);
  const sooner = having('better');
  const settled = [...having('no-meaningful-difference'), ...having('worse')];
  if (sooner.length > 0)
    return `Yes, with ${sooner.join(', ')}: the first bytes of a new connection come sooner than with what Firefox ships.`;
  if (settled.length === smaller.length)
    return 'No: with no smaller read buffer do the first bytes of a new connection come sooner than with what Firefox ships.';
  const open = smaller.filter(({ id }) => !settled.includes(id)).map(({ id }) => id);
  return `Too little was measured for an answer: ${open.join(', ')} ${open.length === 1 ? 'needs' : 'need'} more loads.`;
}

function sentenceOf({ id, loads, firstByte, exchange }: ProfileVerdicts): string {
  if (firstByte?.ratio === undefined || exchange?.ratio === undefined)
    return `${id}: ${counted(loads, 'load')}, none of which can be compared.`;
  const pairs = counted(firstByte.pairs, 'pair');
  return `${id}: over ${pairs} of loads time to first byte ${changeText(firstByte)}; without waiting in the browser ${changeText(exchange)}.`;
}

function changeText({ ratio = 1, low, high, verdict }: TimeChange): string {
  const interval = low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high);
  return `${signedPercent(ratio - 1)} (${interval}), ${firstByteWords(verdict)}`;
}

function asideSentence(id: string, cohorts: readonly RepeatCohort[]): readonly string[] {
  return cohorts.flatMap((cohort) =>
    cohort.state === 'corrupt'
      ? [`${id}, ${cohort.name} set aside: ${cohort.corruptions.map(({ sign, detail }) => `${sign}, ${detail}`).join('; ')}.`]
      : [],
  );
}
