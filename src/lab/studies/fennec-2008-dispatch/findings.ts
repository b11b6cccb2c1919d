/** What appending and bundling make of the same profile: ratios with intervals over pages, and what blocks rendering. Pure. */

import type { Separation } from '../../../core/compare/separation.ts';
import { counted, UNKNOWN } from '../../../core/text/figures.ts';
import { overPagesFigures } from '../fennec-2008/figures.ts';
import { type OverPages, overPages } from '../fennec-2008/intervals.ts';
import { changeOf, groundsOf, loadsEach, pagesInWords, ratioText, sureness } from '../fennec-2008/words.ts';
import type { StudyFindings, StudyTable } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { type DispatchPair, pairsOf } from './pairs.ts';

export function fennec2008DispatchFindings(data: StudyData): StudyFindings {
  const pairs = pairsOf(data);
  if (pairs.length === 0) return { tables: [], answer: [], comparisonWithOriginal: [], pictures: [], figures: { pairs: [] } };
  const { links, pages } = data;
  const [grounds, each] = [groundsOf(data.loads), loadsEach(data.loads)];
  return {
    tables: [
      pairTable(pairs, grounds),
      placeTable(pairs, { of: 'link', names: links.map(({ name }) => name), grounds: `n = ${counted(pages.length, 'page')}, ${each}` }),
      placeTable(pairs, { of: 'page', names: pages.map(({ name }) => name), grounds: `n = ${counted(links.length, 'link')}, ${each}` }),
    ],
    answer: [...pairs.map(pairSentence), groundsSentence(pairs, grounds)],
    comparisonWithOriginal: [
      {
        what: 'requests appended to active connections, against bundles onto freed ones',
        original: '"significant", not measured',
        ours: `${pairs.map(({ profile, efficiency }) => `${profile.id} ${ratioText(efficiency)}, ${DISPATCH_SHOWN[efficiency.finding]}`).join('; ')} (${grounds})`,
        why: "the memo had no patch to measure; the bundles here are those of our gateway, not of the Firefox of then; the memo's depth counts the requests of all connections together, ours those of each, so only c1-d2 is its {1,2}",
      },
    ],
    pictures: [],
    figures: { pairs: pairs.map(pairFigures) },
  };
}

function pairSentence({ profile, efficiency }: DispatchPair): string {
  const byPage = pagesInWords(efficiency);
  return `${profile.id}, appended against bundled: ${ratioText(efficiency)} efficiency, ${DISPATCH_SHOWN[efficiency.finding]}; ${byPage === undefined ? '' : `${byPage}; `}ahead in ${efficiency.scenariosAhead} of ${counted(efficiency.scenarios, 'scenario')}.`;
}

function groundsSentence(pairs: readonly DispatchPair[], grounds: string): string {
  const bounded = pairs.some(({ efficiency }) => efficiency.low !== undefined);
  const intervals = bounded ? `intervals are over pages such as these, ${sureness(pairs.length)}` : 'too few pages for an interval';
  return `All are geometric means, ${grounds}; ${intervals}.`;
}

function pairFigures({ profile, efficiency, blocking, paint, matched }: DispatchPair) {
  return {
    profileId: profile.id,
    ...overPagesFigures(efficiency),
    timeUntilUnblocked: overPagesFigures(blocking),
    timeUntilFirstPaint: overPagesFigures(paint),
    scenarios: matched.map(({ page, link, logEfficiency }) => ({ page, link, ratio: Math.exp(logEfficiency) })),
  };
}

/** A finding on appended over bundled, in words. */
const DISPATCH_SHOWN: Readonly<Record<Separation['finding'], string>> = {
  better: 'appended shown to be better',
  worse: 'bundled shown to be better',
  'no-meaningful-difference': 'shown to differ by less than 3 %',
  undecided: 'neither shown to be better',
};

/** @param grounds - What the figures rest on, in words. */
function pairTable(pairs: readonly DispatchPair[], grounds: string): StudyTable {
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
function placeTable(pairs: readonly DispatchPair[], { of, names, grounds }: Places): StudyTable {
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
