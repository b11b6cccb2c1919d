/** The answer to the question of the read-size study, in sentences. Pure. */
import { counted, percent } from '../../../core/text/figures.ts';
import { excludesNoChange, NOTHING_CHANGED } from './check.ts';
import type { RepeatCohort } from './first-bytes.ts';
import { cohortSpan, cohortSpans } from './outcomes.ts';
import type { ComparedSize } from './tables.ts';
import type { ProfileVerdicts, TimeChange } from './verdicts.ts';
import { EXCHANGE, FIRST_BYTE, soonerInWords, soonerRange, timeVerdictWords } from './words.ts';

/** Less than what is shipped. */
const SMALLER: readonly string[] = ['read-1k', 'read-4k', 'read-16k', 'read-1k-x768'];

/** Gains the mail names, as shares: its least week, and both ends of its average. */
const MAIL_GAINS = { least: 0.008, average: [0.02, 0.03] } as const;
/** Gains that may be ruled out, the smallest first. */
const BARS: readonly number[] = [MAIL_GAINS.least, ...MAIL_GAINS.average];
const LARGEST_BAR = Math.max(...BARS);

export function answerOf(verdicts: readonly ProfileVerdicts[], sizes: readonly ComparedSize[]): readonly string[] {
  const smaller = verdicts.filter(({ id }) => SMALLER.includes(id));
  const same = verdicts.find(({ id }) => id === NOTHING_CHANGED);
  const [first] = smaller;
  if (first === undefined) return ['Too little was measured: there are no loads of a smaller read buffer beside those of the baseline.'];
  return [
    chanceDiffers(same) ?? headline(smaller),
    ...unjudgedSentence(same),
    ...besideMailSentence(smaller),
    ...verdicts.filter(({ id }) => id !== NOTHING_CHANGED).map(sentenceOf),
    same === undefined
      ? `${NOTHING_CHANGED}, which sets what is shipped, was not loaded, so nothing checks these figures.`
      : `${sentenceOf(same)} It sets what is shipped, so that much is chance${chanceWins(sizes)}.`,
    `The intervals are 95 % intervals that hold for ${counted(first.intervals, 'profile')} together, measure by measure.`,
    ...sizes.flatMap(({ id, cohorts }) => asideSentence(id, cohorts)),
  ];
}

/** How often a cohort looks like a win or a loss of what changes nothing. */
function chanceWins(sizes: readonly ComparedSize[]): string {
  const spans = cohortSpans(sizes.find(({ id }) => id === NOTHING_CHANGED)?.cohorts ?? [], cohortSpan);
  const one = spans.filter(({ outcome }) => outcome === 'win' || outcome === 'loss').length;
  return spans.length === 0 ? '' : `, and so is that ${one} of its ${counted(spans.length, 'cohort')} look like a win or a loss`;
}

/** A check: what changes nothing must not differ by what the answer is read from. `undefined`: it does not, or was not loaded. */
function chanceDiffers(same: ProfileVerdicts | undefined): string | undefined {
  if (!excludesNoChange(same?.exchange)) return undefined;
  return `No answer: ${NOTHING_CHANGED}, which sets what is shipped, differs from the baseline as well by ${EXCHANGE}, so something else than the profiles made the difference. Measure again on an idle machine.`;
}

/** The same of the measures beside it: they get no verdict. */
function unjudgedSentence(same: ProfileVerdicts | undefined): readonly string[] {
  const by = [...(excludesNoChange(same?.firstByte) ? [FIRST_BYTE] : []), ...(excludesNoChange(same?.load) ? ['load efficiency'] : [])];
  return by.length === 0 ? [] : [`No verdict by ${by.join(' and by ')}: ${NOTHING_CHANGED} differs from the baseline there.`];
}

/** By what no waiting in the browser blurs. Several smaller sizes may disagree: one that brings them sooner is enough. */
function headline(smaller: readonly ProfileVerdicts[]): string {
  const sooner = smaller.filter(({ exchange }) => exchange?.verdict === 'better');
  if (sooner.length > 0)
    return `Yes: the first bytes of a new connection come sooner than with what Firefox ships, by ${EXCHANGE} (${sooner.map(gainOf).join('; ')}).`;
  const bounds = smaller.map(({ id, exchange }) => ({ id, gain: largestGain(exchange) }));
  const known = bounds.flatMap(({ id, gain }) => (gain === undefined ? [] : [{ id, gain }]));
  const open = bounds.filter(({ gain }) => gain === undefined || gain >= LARGEST_BAR).map(({ id }) => id);
  if (open.length > 0)
    return `Too little was measured for an answer: ${open.join(', ')} ${open.length === 1 ? 'needs' : 'need'} more loads to show a gain of ${percent(LARGEST_BAR)} in ${EXCHANGE}, or to rule it out.`;
  const most = known.reduce((largest, each) => (each.gain > largest.gain ? each : largest), { id: '', gain: 0 });
  const bar = BARS.find((share) => share > most.gain) ?? LARGEST_BAR;
  const left = most.id === '' ? 'leave none' : `leave at most ${percent(most.gain)} (${most.id})`;
  return `No gain of ${percent(bar)} or more with any smaller read buffer that was tried, by ${EXCHANGE}: the intervals ${left}.`;
}

const gainOf = ({ id, exchange }: ProfileVerdicts): string =>
  `${id} ${exchange?.ratio === undefined ? '' : `${soonerInWords(exchange.ratio)}, ${soonerRange(exchange)}`}`;

/** Share that the interval leaves, to the tenth of a per cent above, as it is printed; 0: none. `undefined`: not bounded, or no verdict. */
function largestGain(change: TimeChange | undefined): number | undefined {
  if (change?.low === undefined || change.verdict === 'no-verdict') return undefined;
  return Math.max(0, Math.ceil((1 - change.low) * 1000 - 1e-9) / 1000);
}

/** Whether what the mail found may be there as well, by either measure. */
function besideMailSentence(smaller: readonly ProfileVerdicts[]): readonly string[] {
  const average = MAIL_GAINS.average.map((share) => percent(share).replace(' %', '')).join(' to ');
  const measures = [
    { name: FIRST_BYTE, changes: smaller.map(({ id, firstByte }) => ({ id, change: firstByte })) },
    { name: EXCHANGE, changes: smaller.map(({ id, exchange }) => ({ id, change: exchange })) },
  ].map(({ name, changes }) => ({ name, bounded: changes.filter(({ change }) => largestGain(change) !== undefined) }));
  const included = measures.flatMap(({ name, bounded }) => {
    const ids = bounded.filter(({ change }) => includesMail(change)).map(({ id }) => id);
    return ids.length === 0 ? [] : [`by ${name} with ${ids.join(', ')}`];
  });
  if (included.length > 0) return [`Not ruled out: the mail's ${average} % (${included.join('; ')}).`];
  const all = measures.every(({ bounded }) => bounded.length === smaller.length);
  return all ? [`No interval of a smaller read buffer includes the mail's ${average} %, by either measure.`] : [];
}

/** The mail's shares are of the quicker arm's time (see `CutoffDelta`): 3 % are a ratio of times of 1 / 1.03. */
function includesMail(change: TimeChange | undefined): boolean {
  const { low, high } = change ?? {};
  const [least, most] = MAIL_GAINS.average;
  return low !== undefined && high !== undefined && low <= 1 / (1 + least) && high >= 1 / (1 + most);
}

function sentenceOf({ id, loads, firstByte, exchange }: ProfileVerdicts): string {
  if (firstByte?.ratio === undefined || exchange?.ratio === undefined)
    return `${id}: ${counted(loads, 'load')}, none of which can be compared.`;
  const pairs = counted(firstByte.pairs, 'pair');
  return `${id}: over ${pairs} of loads ${FIRST_BYTE} ${changeText(firstByte)}; without waiting in the browser ${changeText(exchange)}.`;
}

const changeText = (change: TimeChange): string =>
  `${soonerInWords(change.ratio ?? 1)} (${soonerRange(change)}), ${timeVerdictWords(change)}`;

function asideSentence(id: string, cohorts: readonly RepeatCohort[]): readonly string[] {
  return cohorts.flatMap((cohort) =>
    cohort.state === 'corrupt'
      ? [`${id}, ${cohort.name} set aside: ${cohort.corruptions.map(({ sign, detail }) => `${sign}, ${detail}`).join('; ')}.`]
      : [],
  );
}
