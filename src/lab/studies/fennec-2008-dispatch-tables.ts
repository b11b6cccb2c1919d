/** The tables of appended against bundled: profile by profile with intervals, and what each link and each page has of it, not tested. */
import { counted } from '../../core/compare/plain-words.ts';
import type { Separation } from '../../core/compare/separation.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import type { DispatchPair } from './fennec-2008-dispatch-pairs.ts';
import { type OverPages, overPages } from './fennec-2008-intervals.ts';
import { changeOf, ratioText } from './fennec-2008-words.ts';
import type { StudyTable } from './study-findings.ts';

/** A finding on appended over bundled, in words. */
export const DISPATCH_SHOWN: Readonly<Record<Separation['finding'], string>> = {
  better: 'appended shown to be better',
  worse: 'bundled shown to be better',
  'no-meaningful-difference': 'shown to differ by less than 3 %',
  undecided: 'neither shown to be better',
};

/** @param grounds - What the figures rest on, in words. */
export function pairTable(pairs: readonly DispatchPair[], grounds: string): StudyTable {
  return {
    title: `Appended against bundled: geometric means, ${grounds}; 95 % intervals over pages${pairs.length === 1 ? '' : `, for all ${pairs.length} profiles of a column together`}`,
    columns: [
      { name: 'profile', align: 'left' },
      { name: 'efficiency', align: 'left' },
      { name: 'ahead in', align: 'right' },
      { name: 'finding', align: 'left' },
      { name: 'time until nothing blocks rendering', align: 'left' },
      { name: 'time until the first paint', align: 'left' },
    ],
    rows: pairs.map(({ profile, efficiency, blocking, paint }) => [
      profile.id,
      ratioText(efficiency),
      `${efficiency.scenariosAhead} of ${efficiency.scenarios}`,
      DISPATCH_SHOWN[efficiency.finding],
      timeText(blocking, efficiency),
      timeText(paint, efficiency),
    ]),
  };
}

/** With the number of pages where it is not known of all. */
function timeText(time: OverPages, { pages }: OverPages): string {
  if (time.ratio === undefined) return UNKNOWN;
  return `${ratioText(time)}${time.pages.length < pages.length ? `, ${counted(time.pages.length, 'page')}` : ''}`;
}

export interface Places {
  readonly of: 'link' | 'page';
  readonly names: readonly string[];
  /** What a figure is the mean of: `n = 7 pages, one load each`. */
  readonly grounds: string;
}

/** A row per link or page, a column per profile that was dispatched both ways. */
export function placeTable(pairs: readonly DispatchPair[], { of, names, grounds }: Places): StudyTable {
  return {
    title: `Efficiency appended against bundled, ${of} by ${of}: geometric means (${grounds}), not tested`,
    columns: [{ name: of, align: 'left' }, ...pairs.map(({ profile }) => ({ name: profile.id, align: 'right' as const }))],
    rows: names.map((name) => [name, ...pairs.map((pair) => changeOf(ratioAt(pair, { of, name })))]),
  };
}

function ratioAt({ matched }: DispatchPair, { of, name }: { readonly of: 'link' | 'page'; readonly name: string }): number | undefined {
  const there = matched.filter((each) => each[of] === name);
  return overPages(
    there.map(({ page, link, logEfficiency }) => ({ page, link, log: logEfficiency })),
    1,
  ).ratio;
}
