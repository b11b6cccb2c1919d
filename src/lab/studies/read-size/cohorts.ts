/** Times to first byte on new connections, the cohorts made of their histograms, and what a cohort comes to by the mail's own rule. Pure. */
import { type CohortArm, type Corruption, checkCohort } from '../../../core/compare/cohort-tables.ts';
import { type CutoffSpan, type CutoffTable, cutoffSpan, cutoffTable, MAIL_CUTOFFS } from '../../../core/compare/cutoff-table.ts';
import { groupBy } from '../../../core/group-by.ts';
import { exponentialBounds, type Histogram, histogramOf } from '../../../core/stats/histogram.ts';
import { mean } from '../../../core/stats/mean.ts';
import type { StudyLoad } from '../study.ts';

/** Microseconds in a millisecond: histograms count whole microseconds, tables show milliseconds. */
export const MICROSECONDS = 1000;

/**
 * 1 ms to a minute in steps of 1.9 %, in microseconds. The mail's buckets are 13 % wide, which millions of users even out; the few hundred
 * values of a repeat in the lab need narrower ones to show differences of 1 %.
 */
const BUCKETS = exponentialBounds({ min: MICROSECONDS, max: 60_000 * MICROSECONDS, bucketCount: 600 });

type Requests = Pick<StudyLoad, 'requests'>;

/** From the start of the handshake to the first byte of the answer, ms, for every request of the load that had to open its connection. */
export function firstByteTimes({ requests = [] }: Requests): readonly number[] {
  return requests.flatMap(({ connectStart, responseStart }) =>
    connectStart === undefined || responseStart === undefined || responseStart < connectStart ? [] : [responseStart - connectStart],
  );
}

/**
 * The same without what lies between handshake and request, ms: there nothing is read, and the browser waits for its own reasons. In
 * Firefox 153 pictures wait for the style sheets and scripts of the head on connections that are open already, up to 130 ms on the news page.
 */
export function exchangeTimes({ requests = [] }: Requests): readonly number[] {
  return requests.flatMap(({ connectStart, connectEnd, requestStart, responseStart }) =>
    connectStart === undefined || connectEnd === undefined || requestStart === undefined || responseStart === undefined
      ? []
      : [connectEnd - connectStart + (responseStart - requestStart)],
  );
}

/** Geometric mean, ms: a change of 1 % weighs the same near and far. `undefined`: there is none above 0. */
export function typicalMs(times: readonly number[]): number | undefined {
  const positive = times.filter((time) => time > 0);
  return positive.length === 0 ? undefined : Math.exp(mean(positive.map(Math.log)));
}

/** Whole microseconds, of every request on a new connection. */
const firstByteHistogram = (loads: readonly Requests[]): Histogram =>
  histogramOf(
    BUCKETS,
    loads.flatMap(firstByteTimes).map((time) => Math.round(time * MICROSECONDS)),
  );

export interface Arms {
  /** Without what is tried, as in the mail. */
  readonly first: readonly StudyLoad[];
  readonly second: readonly StudyLoad[];
}

/** Only pages over links in repeats that both have: an arm must not be quicker because its slow loads are missing. */
export function pairedArms(loads: readonly StudyLoad[], { first, second }: Readonly<Record<CohortArm, string>>): Arms {
  const usable = loads.filter(({ requests }) => requests !== undefined);
  const placesOf = (id: string) => new Set(usable.filter(({ profileId }) => profileId === id).map(placeOf));
  const others = placesOf(second);
  const both = new Set([...placesOf(first)].filter((place) => others.has(place)));
  const armOf = (id: string) => usable.filter((load) => load.profileId === id && both.has(placeOf(load)));
  return { first: armOf(first), second: armOf(second) };
}

const placeOf = ({ page, link, block }: Pick<StudyLoad, 'page' | 'link' | 'block'>): string => JSON.stringify([page, link, block]);

/** `repeat` counts from 0; its name counts from 1, as people do. */
export type RepeatCohort = { readonly name: string; readonly repeat: number } & Compared;

/** One cohort for every repeat of which a load of either arm was made, in microseconds. */
export function repeatCohorts(loads: readonly StudyLoad[], arms: Readonly<Record<CohortArm, string>>): readonly RepeatCohort[] {
  const ids = Object.values(arms);
  const repeats = groupBy(
    loads.filter(({ profileId }) => ids.includes(profileId)),
    ({ block }) => block,
  );
  return [...repeats]
    .sort(([a], [b]) => a - b)
    .map(([repeat, own]) => ({ name: `repeat ${repeat + 1}`, repeat, ...compared(pairedArms(own, arms)) }));
}

type Compared =
  | { readonly state: 'compared'; readonly table: CutoffTable }
  | { readonly state: 'corrupt'; readonly corruptions: readonly Corruption[] };

/** Set aside where a histogram is missing, empty or unlike the other: `checkCohort` says how. */
export function compared(arms: Arms): Compared {
  const histogramsOf = (loads: readonly StudyLoad[]) => (loads.length === 0 ? [] : [firstByteHistogram(loads)]);
  const check = checkCohort({ first: histogramsOf(arms.first), second: histogramsOf(arms.second) });
  if (check.state === 'corrupt') return check;
  return { state: 'compared', table: cutoffTable(check.first, check.second, MAIL_CUTOFFS) };
}

/**
 * In per cent. The mail leaves its tail out: its "WIN - 1.35% to 5.07%" ends at 95 % in nine weeks of ten and at 98 % in the first (see
 * `cutoffSpan`). At 98 % and above a repeat of the lab has a handful of connections, so that one of them decides.
 */
export const LAST_CUTOFF = 95;

/** The cut-offs up to 95 %: by these all ten sound weeks of the mail are wins. By all of them, up to 99.5 %, six are, and four are mixed. */
export const cohortSpan = (table: CutoffTable): CutoffSpan =>
  cutoffSpan({ ...table, rows: table.rows.filter(({ cutoffPercent }) => cutoffPercent <= LAST_CUTOFF) });

export const cohortSpans = (cohorts: readonly RepeatCohort[], spanOf: (table: CutoffTable) => CutoffSpan): readonly CutoffSpan[] =>
  cohorts.flatMap((cohort) => (cohort.state === 'compared' ? [spanOf(cohort.table)] : []));

export const winsOf = (spans: readonly CutoffSpan[]): number => spans.filter(({ outcome }) => outcome === 'win').length;
