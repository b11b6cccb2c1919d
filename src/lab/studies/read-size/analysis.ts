/** Whether a smaller read buffer brings first bytes sooner: verdicts by profile, and cohorts in the form of the mail. Pure. */
import { type CutoffSide, type CutoffTable, cutoffSpan } from '../../../core/compare/cutoff-table.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { verdictWords } from '../../../core/report/shown-comparison.ts';
import { counted, formatSpeed, percent, signedPercent, UNKNOWN } from '../../../core/text/figures.ts';
import { excludesNoChange, intervalText } from '../comparisons.ts';
import {
  comparedWith,
  figureColumn as figure,
  type StudyFindings,
  type StudyTable,
  type TableColumn,
  tableOf,
  textColumn as text,
} from '../findings.ts';
import type { StudyData } from '../study.ts';
import { readSizePictures } from '../table-pictures.ts';
import {
  cohortSpan,
  cohortSpans,
  compared,
  LAST_CUTOFF,
  MICROSECONDS,
  pairedArms,
  type RepeatCohort,
  repeatCohorts,
  winsOf,
} from './cohorts.ts';
import { type CheckedChange, MARGIN, NOTHING_CHANGED, type ProfileVerdicts, profileVerdicts, type TimeChange } from './verdicts.ts';

/** The mail's own: reads begin with 1 kB. */
const AS_IN_THE_MAIL = 'read-1k';
/** Less than what is shipped. */
const SMALLER: readonly string[] = [AS_IN_THE_MAIL, 'read-4k', 'read-16k', 'read-1k-x768'];
/** Gains the mail names, as shares: its least week, and both ends of its average. */
const MAIL_GAINS = { least: 0.008, average: [0.02, 0.03] } as const;
/** Gains that may be ruled out, the smallest first. */
const BARS: readonly number[] = [MAIL_GAINS.least, ...MAIL_GAINS.average];
const MAX_BAR = Math.max(...BARS);

/** One profile with its cohorts, a cohort for each repeat. */
interface ComparedSize {
  readonly id: string;
  readonly cohorts: readonly RepeatCohort[];
  /** All sound cohorts together; `undefined`: there is none. */
  readonly table: CutoffTable | undefined;
}

/** The answer rests on times without waiting in the browser; the cohorts are those of the mail, with a repeat for a week. */
export function readSizeFindings(data: StudyData): StudyFindings {
  const { study } = data;
  const verdicts = profileVerdicts(data);
  const sizes = verdicts.map(({ id }) => comparedSize(data, id));
  const mail = sizes.find(({ id }) => id === AS_IN_THE_MAIL);
  const tables = [
    verdictTable(verdicts, study.baseline),
    ...(sizes.length > 0 ? [outcomeTable(sizes, study.baseline)] : []),
    ...(mail ? [cohortTable(mail, study.baseline)] : []),
    ...sizes.flatMap(({ id, table }) => (table ? [profileTable({ id, table }, study.baseline)] : [])),
  ];
  return {
    tables,
    answer: answerOf(verdicts, sizes),
    comparisonWithOriginal: comparedWith(study, {
      outcome: cohortOutcomes(
        mail,
        sizes.find(({ id }) => id === NOTHING_CHANGED),
      ),
      average: averageOf(verdicts.find(({ id }) => id === AS_IN_THE_MAIL)),
      change: 'reads of at most 1 KiB throughout (network.buffer.cache.size) instead of 32 KiB, on Linux',
      measure: `responseStart less connectStart of requests that opened their connection: averages of all of them, outcomes up to ${LAST_CUTOFF} %`,
    }),
    pictures: readSizePictures(tables),
    figures: { verdicts, sizes, unit: 'microseconds' },
  };
}

function comparedSize({ study, loads }: StudyData, id: string): ComparedSize {
  const arms = { first: study.baseline, second: id };
  const cohorts = repeatCohorts(loads, arms);
  const sound = new Set(cohorts.flatMap(({ state, repeat }) => (state === 'compared' ? [repeat] : [])));
  const together = compared(
    pairedArms(
      loads.filter(({ block }) => sound.has(block)),
      arms,
    ),
  );
  return { id, cohorts, table: together.state === 'compared' ? together.table : undefined };
}

/** What the first bytes show of the smaller buffers, by the measure that no waiting in the browser blurs. */
type ReadSizeOutcome =
  | { readonly state: 'unmeasured' }
  /** What changes nothing differs by this measure as well. */
  | { readonly state: 'check-differs' }
  | { readonly state: 'sooner'; readonly ids: readonly string[] }
  /** More loads are needed to show or rule out the largest gain of the mail. */
  | { readonly state: 'open'; readonly ids: readonly string[] }
  /** No gain of `bar` or more; the intervals leave `gain` at most, with `id`. */
  | { readonly state: 'ruled-out'; readonly bar: number; readonly id: string | undefined; readonly gain: number };

export function outcomeOf(verdicts: readonly ProfileVerdicts[]): ReadSizeOutcome {
  const smaller = verdicts.filter(({ id }) => SMALLER.includes(id));
  if (smaller.length === 0) return { state: 'unmeasured' };
  if (excludesNoChange(verdicts.find(({ id }) => id === NOTHING_CHANGED)?.exchange)) return { state: 'check-differs' };
  const sooner = smaller.filter(({ exchange }) => exchange?.verdict === 'better');
  if (sooner.length > 0) return { state: 'sooner', ids: sooner.map(({ id }) => id) };
  const bounds = smaller.map(({ id, exchange }) => ({ id, gain: maxGain(exchange) ?? Number.POSITIVE_INFINITY }));
  const open = bounds.filter(({ gain }) => gain >= MAX_BAR);
  if (open.length > 0) return { state: 'open', ids: open.map(({ id }) => id) };
  const most = bounds.reduce<{ id?: string; gain: number }>((largest, each) => (each.gain > largest.gain ? each : largest), { gain: 0 });
  return { state: 'ruled-out', bar: BARS.find((share) => share > most.gain) ?? MAX_BAR, id: most.id, gain: most.gain };
}

/** Share that the interval leaves, to the tenth of a per cent above, as it is printed; 0: none. `undefined`: not bounded, or no verdict. */
function maxGain(change: TimeChange | undefined): number | undefined {
  if (change?.low === undefined || change.verdict === 'no-verdict') return undefined;
  return Math.max(0, Math.ceil((1 - change.low) * 1000 - 1e-9) / 1000);
}

/**
 * The smaller buffers whose interval holds the mail's average gain. Its shares are of the quicker arm's time (see `CutoffDelta`): 3 % are a ratio
 * of times of 1 / 1.03.
 */
export function notRuledOut(verdicts: readonly ProfileVerdicts[], measure: 'firstByte' | 'exchange'): readonly string[] {
  const [least, most] = MAIL_GAINS.average;
  return verdicts.flatMap(({ id, [measure]: change }) => {
    const { low, high } = change ?? {};
    const holds = low !== undefined && high !== undefined && low <= 1 / (1 + least) && high >= 1 / (1 + most);
    return SMALLER.includes(id) && change?.verdict !== 'no-verdict' && holds ? [id] : [];
  });
}

function answerOf(verdicts: readonly ProfileVerdicts[], sizes: readonly ComparedSize[]): readonly string[] {
  const outcome = outcomeOf(verdicts);
  if (outcome.state === 'unmeasured') return [];
  const possible = [...new Set([...notRuledOut(verdicts, 'firstByte'), ...notRuledOut(verdicts, 'exchange')])];
  const check = sizes.find(({ id }) => id === NOTHING_CHANGED);
  const spans = cohortSpans(check?.cohorts ?? [], cohortSpan);
  const [first] = verdicts;
  return [
    headline(outcome),
    ...(possible.length === 0
      ? []
      : [`The mail's 2 to 3 % are not ruled out by ${FIRST_BYTE} or by the time without waiting with ${possible.join(', ')}.`]),
    check === undefined
      ? `${NOTHING_CHANGED}, which sets Firefox's own values, was not loaded, so nothing checks these figures.`
      : `By chance alone, ${spans.filter(({ outcome: end }) => end === 'win' || end === 'loss').length} of ${counted(spans.length, 'cohort')} of ${NOTHING_CHANGED}, which sets Firefox's own values, look like a win or a loss. Intervals of ${counted(first?.intervals ?? 0, 'profile')} hold together at 95 %.`,
  ];
}

function headline(outcome: Exclude<ReadSizeOutcome, { state: 'unmeasured' }>): string {
  switch (outcome.state) {
    case 'check-differs':
      return `No answer: ${NOTHING_CHANGED}, which sets Firefox's own values, differs from the baseline as well. Measure again on an idle machine.`;
    case 'sooner':
      return `First bytes come sooner than with Firefox's own settings, without waiting in the browser, with ${outcome.ids.join(', ')}.`;
    case 'open':
      return `Not decided: ${outcome.ids.join(', ')} may bring first bytes ${percent(MAX_BAR)} sooner or not, without waiting in the browser; more loads decide.`;
    case 'ruled-out':
      return `No smaller read buffer brings first bytes ${percent(outcome.bar)} sooner, without waiting in the browser; the intervals leave at most ${percent(outcome.gain)}${outcome.id === undefined ? '' : ` (${outcome.id})`}.`;
  }
}

const FIRST_BYTE = 'time to first byte';
const NO_CHANGE = percent(0);

/** `2.1 % sooner`, `0.4 % later`, `0 %`; the ratio is of times. */
function formatSooner(ratio: number): string {
  const change = percent(Math.abs(ratio - 1));
  return change === NO_CHANGE ? NO_CHANGE : `${change} ${ratio < 1 ? 'sooner' : 'later'}`;
}

/** From the least gain to the largest: `0.4 % later to 2.1 % sooner`, `1 % to 2.1 % sooner`; `not bounded yet`. */
function soonerRange({ low, high }: Pick<TimeChange, 'low' | 'high'>): string {
  if (low === undefined || high === undefined) return 'not bounded yet';
  const [least, most] = [formatSooner(high), formatSooner(low)];
  const side = ['sooner', 'later'].find((word) => least.endsWith(word) && most.endsWith(word));
  return `${side === undefined ? least : least.slice(0, -side.length - 1)} to ${most}`;
}

type Change = Pick<TimeChange, 'verdict' | 'low' | 'high' | 'toldFromCheck'>;

/** `not shown to differ from read-32k` where what changes nothing seems to do as much. */
const verdictText = (change: Change, labels: Readonly<Partial<Record<Change['verdict'], string>>> = {}): string =>
  change.verdict === 'need-more-loads' && excludesNoChange(change) && !change.toldFromCheck
    ? `not shown to differ from ${NOTHING_CHANGED}`
    : (labels[change.verdict] ?? verdictWords(change));

const timeVerdictText = (change: TimeChange): string =>
  verdictText(change, { better: 'sooner', worse: 'later', 'no-meaningful-difference': `within ${percent(MARGIN)}` });

/** The intervals of one measure hold together; those of the three measures do not. */
function verdictTable(verdicts: readonly ProfileVerdicts[], baseline: string): StudyTable {
  const ofTime = (change: TimeChange | undefined) =>
    change && {
      pairs: change.pairs,
      change: change.ratio && formatSooner(change.ratio),
      range: soonerRange(change),
      verdict: timeVerdictText(change),
    };
  const ofLoad = (change: CheckedChange | undefined) =>
    change && {
      pairs: change.pairs,
      change: change.ratio && formatSpeed(change.ratio),
      range: intervalText(change, 'not bounded yet'),
      verdict: verdictText(change),
    };
  const rows = verdicts.flatMap(({ id, loads, firstByte, exchange, load }) => [
    { id, loads, measure: FIRST_BYTE, ...ofTime(firstByte) },
    { id, loads, measure: 'without waiting', ...ofTime(exchange) },
    { id, loads, measure: 'load efficiency', ...ofLoad(load) },
  ]);
  const title = `Against ${baseline}, on new connections. Without waiting: less what the browser waits between handshake and request. No difference: within ${percent(MARGIN)} of a time, ${percent(MEANINGFUL_CHANGE)} of efficiency; more counts where it differs from ${NOTHING_CHANGED} too`;
  return tableOf(title, rows, [
    text('profile', ({ id }) => id),
    figure('loads', ({ loads }) => loads),
    text('of', ({ measure }) => measure),
    figure('pairs', ({ pairs }) => pairs),
    figure('change', ({ change }) => change),
    figure(`95 % interval, ${verdicts[0]?.intervals ?? 0} together`, ({ range }) => range),
    text('verdict', ({ verdict }) => verdict),
  ]);
}

/** The mail's headline of every week: by how much ~mean differs at the first and the last cut-off. */
function outcomeTable(sizes: readonly ComparedSize[], baseline: string): StudyTable {
  const names = [...new Set(sizes.flatMap(({ cohorts }) => cohorts.map(({ name }) => name)))];
  const title = `Outcome by cohort: how much larger ${baseline}'s ~mean is than the profile's, at cut-offs of 50 % and ${LAST_CUTOFF} %; a win has it larger at all between, as in the mail`;
  return tableOf(title, names, [
    text('cohort', (name) => name),
    ...sizes.map(({ id, cohorts }) => figure<string>(id, (name) => outcomeText(cohorts.find((cohort) => cohort.name === name)))),
  ]);
}

function outcomeText(cohort: RepeatCohort | undefined): string | undefined {
  if (cohort === undefined) return undefined;
  if (cohort.state === 'corrupt') return 'excluded';
  const span = cohortSpan(cohort.table);
  if (span.outcome === 'unknown') return undefined;
  return `${span.outcome.replace('-', ' ')} ${signedPercent(span.from.relative)} to ${signedPercent(span.to.relative)}`;
}

interface CutoffCells {
  readonly cohort: string;
  readonly row?: CutoffTable['rows'][number];
}

/** Cohort by cohort, as the mail has weeks; a cohort that is set aside says why in its only row. */
function cohortTable({ id, cohorts }: ComparedSize, baseline: string): StudyTable {
  const rows = cohorts.flatMap((cohort): readonly CutoffCells[] => {
    if (cohort.state === 'compared') return cohort.table.rows.map((row) => ({ cohort: cohort.name, row }));
    const why = cohort.corruptions.map(({ sign, arm, detail }) => `${sign}${arm ? ` (${arm})` : ''}: ${detail}`).join('; ');
    return [{ cohort: `${cohort.name}, excluded: ${why}` }];
  });
  const title = `Time to first byte on new connections by cohort, ms: ${baseline}, then ${id}, then the difference, also as a share of the second. Value: as many of the times lie below it as the cut-off says; means of those times, each taken as the smallest of its bucket (min), halfway (~), or the largest (max)`;
  return tableOf(title, rows, [text('cohort', ({ cohort }) => cohort), ...CUTOFF_COLUMNS]);
}

/** All sound cohorts of a profile together. */
function profileTable({ id, table }: { readonly id: string; readonly table: CutoffTable }, baseline: string): StudyTable {
  const { first, second } = table.samples;
  const rows = table.rows.map((row) => ({ cohort: '', row }));
  return tableOf(`All cohorts together, ms: ${baseline} (${first} new connections), then ${id} (${second})`, rows, CUTOFF_COLUMNS);
}

/** The mail's columns, which it does not explain either. */
const CUTOFF_COLUMNS: readonly TableColumn<CutoffCells>[] = [
  figure('cut-off', ({ row }) => row && `${row.cutoffPercent} %`),
  ...sideColumns('first'),
  ...sideColumns('second'),
  figure('Δ value', ({ row }) => row && ms(row.valueDelta.absolute)),
  figure('Δ %', ({ row }) => row && share(row.valueDelta.relative)),
  figure('Δ ~mean', ({ row }) => row && ms(row.meanDelta.absolute)),
  figure('Δ %', ({ row }) => row && share(row.meanDelta.relative)),
];

function sideColumns(side: 'first' | 'second'): readonly TableColumn<CutoffCells>[] {
  const names: readonly (readonly [string, keyof CutoffSide])[] = [
    ['value', 'value'],
    ['min mean', 'minMean'],
    ['~mean', 'mean'],
    ['max mean', 'maxMean'],
  ];
  return names.map(([name, key]) => figure(name, ({ row }) => row && ms(row[side][key])));
}

function ms(microseconds: number | undefined): string | undefined {
  return microseconds === undefined ? undefined : signed((microseconds / MICROSECONDS).toFixed(Math.abs(microseconds) < 99_950 ? 2 : 1));
}

function share(relative: number | undefined): string {
  return relative === undefined ? UNKNOWN : `${signed((100 * relative).toFixed(2))} %`;
}

/** A minus sign, and none before what rounds to nothing. */
const signed = (digits: string): string => (Number(digits) === 0 ? digits.replace('-', '') : digits.replace('-', '−'));

/** With the wins and losses there are where nothing was changed. */
function cohortOutcomes(mail: ComparedSize | undefined, check: ComparedSize | undefined): string | undefined {
  if (mail === undefined || mail.cohorts.length === 0) return undefined;
  const spans = cohortSpans(mail.cohorts, cohortSpan);
  const shares = spans.flatMap((span) => (span.outcome === 'unknown' ? [] : [span.from.relative, span.to.relative]));
  const range = shares.length === 0 ? '' : `, the ends from ${signedPercent(Math.min(...shares))} to ${signedPercent(Math.max(...shares))}`;
  const toTheEnd = winsOf(cohortSpans(mail.cohorts, (table) => cutoffSpan(table)));
  const checks = cohortSpans(check?.cohorts ?? [], cohortSpan);
  const chance =
    checks.length === 0
      ? ''
      : `; of ${NOTHING_CHANGED}, which changes nothing, ${winsOf(checks)} of ${checks.length} a win and ${checks.filter(({ outcome }) => outcome === 'loss').length} a loss`;
  return `${winsOf(spans)} of ${spans.length} sound cohorts a win at the cut-offs up to ${LAST_CUTOFF} %${range}; ${toTheEnd} of ${spans.length} at all cut-offs up to 99.5 %; ${mail.cohorts.length - spans.length} excluded${chance}`;
}

function averageOf(verdict: ProfileVerdicts | undefined): string | undefined {
  const change = verdict?.firstByte;
  if (verdict === undefined || change?.ratio === undefined) return undefined;
  const interval = `95 % interval, ${counted(verdict.intervals, 'profile')} together: ${soonerRange(change)}; ${counted(change.pairs, 'pair')} of loads`;
  return `${formatSooner(change.ratio)} (${interval}): ${timeVerdictText(change)}`;
}
