/** What a figure of the 2008 studies rests on, and what an interval shows, in plain words. */

import type { Separation } from '../../../core/compare/separation.ts';
import { counted, rangeInWords, signedPercent, UNKNOWN } from '../../../core/text/figures.ts';
import type { StudyLoad } from '../study.ts';
import type { OverPages } from './intervals.ts';

/** `n = 7 pages x 8 links, one load each`; where scenarios are missing `n = 7 pages, 53 scenarios, one load each`. */
export function groundsOf(loads: readonly StudyLoad[]): string {
  const pages = new Set(loads.map(({ page }) => page)).size;
  const links = new Set(loads.map(({ link }) => link)).size;
  const scenarios = new Set(loads.map(({ page, link }) => JSON.stringify([page, link]))).size;
  const grid = scenarios === pages * links;
  return `n = ${counted(pages, 'page')}${grid ? ` x ${counted(links, 'link')}` : `, ${counted(scenarios, 'scenario')}`}, ${loadsEach(loads)}`;
}

/** Loads of a profile in a scenario: `one load each`, `3 loads each`, `1 to 3 loads each`. */
export function loadsEach(loads: readonly StudyLoad[]): string {
  const cells = new Map<string, number>();
  for (const { profileId, page, link } of loads) {
    const cell = JSON.stringify([profileId, page, link]);
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const [least, most] = [Math.min(...cells.values()), Math.max(...cells.values())];
  if (least !== most) return `${least} to ${most} loads each`;
  return most === 1 ? 'one load each' : `${most} loads each`;
}

/** `+58 % (+4.1 % to +139 %)`. */
export function ratioText({ ratio, low, high }: Pick<OverPages, 'ratio' | 'low' | 'high'>): string {
  if (ratio === undefined) return UNKNOWN;
  return low === undefined || high === undefined ? changeOf(ratio) : `${changeOf(ratio)} (${rangeInWords(low, high)})`;
}

/** `+58 % (+4.1 % to +139 % over pages such as these, 95 % for all 17 comparisons together)`. */
export function ratioSentence({ ratio, low, high, comparisons }: OverPages): string {
  if (ratio === undefined) return UNKNOWN;
  const range =
    low === undefined || high === undefined
      ? 'too few pages for an interval'
      : `${rangeInWords(low, high)} over pages such as these, ${sureness(comparisons)}`;
  return `${changeOf(ratio)} (${range})`;
}

/** `95 % for all 17 comparisons together`. */
export const sureness = (comparisons: number): string => (comparisons === 1 ? '95 %' : `95 % for all ${comparisons} comparisons together`);

/** A ratio as a signed percentage; a dash for what is not known. */
export const changeOf = (ratio: number | undefined): string => (ratio === undefined ? UNKNOWN : signedPercent(ratio - 1));

/** An efficiency, as the tables have it. */
export const figureText = (value: number | undefined): string => value?.toFixed(3) ?? UNKNOWN;

/** What the interval shows of the first of the two. */
export const SHOWN: Readonly<Record<Separation['finding'], string>> = {
  better: 'shown to be better',
  worse: 'shown to be worse',
  'no-meaningful-difference': 'shown to differ by less than 3 %',
  undecided: 'not shown to be better or worse',
};

/** `a`, `a and b`, `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** `single pages from +3 % (images-2008) to +110 % (docs-2008), not tested`; `undefined`: one page only. */
export function pagesInWords({ pages }: Pick<OverPages, 'pages'>): string | undefined {
  const ordered = [...pages].sort((a, b) => a.ratio - b.ratio);
  const [least, most] = [ordered[0], ordered.at(-1)];
  if (least === undefined || most === undefined || ordered.length < 2) return undefined;
  return `single pages from ${changeOf(least.ratio)} (${least.page}) to ${changeOf(most.ratio)} (${most.page}), not tested`;
}
