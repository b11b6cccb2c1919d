/** The tables of the study of large objects. Pure. */
import type { Comparison } from '../../core/compare/comparison.ts';
import { percent } from '../../core/compare/plain-words.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import { verdictWords } from '../../core/report/verdict-words.ts';
import type { LargeObjectCell } from './h2-large-objects-cells.ts';
import { bandwidthDelayBytes, windowCourse } from './h2-large-objects-window.ts';
import { bytesInWords, megabits } from './h2-large-objects-words.ts';
import type { StudyTable } from './study-findings.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });

/** Every cell, measured. */
export function rateTable(cells: readonly LargeObjectCell[]): StudyTable {
  return {
    title: 'Delivery rate in windows of 100 ms after slow start (medians over the loads; a rate needs 5 windows)',
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('profile', 'left'), column('loads'), column('goodput'), column('rate')],
      ...[
        column('of the link'),
        column('variation'),
        column('below half'),
        column('stalls'),
        column('longest stall'),
        column('packets lost'),
      ],
    ],
    rows: cells.map(({ page, link, profile, loads, goodputKbps, rate, droppedDown }) => [
      page.name,
      link.name,
      profile.id,
      `${loads.length}`,
      megabits(goodputKbps),
      ...(rate === undefined
        ? [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]
        : [
            megabits(rate.meanKbps),
            percent(rate.shareOfLink),
            percent(rate.variation),
            percent(rate.belowHalf),
            rate.stalls.toFixed(1),
            `${rate.longestStallMs} ms`,
          ]),
      droppedDown === undefined ? UNKNOWN : droppedDown.toFixed(droppedDown < 10 ? 1 : 0),
    ]),
  };
}

/** HTTP/2 alone: the window against the bandwidth-delay product, by arithmetic, and what was measured. */
export function windowTable(cells: readonly LargeObjectCell[]): StudyTable {
  return {
    title: 'HTTP/2: the window against the bandwidth-delay product, by arithmetic and measured',
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('bandwidth-delay product'), column('window'), column('window / product')],
      ...[
        column('left when acknowledged'),
        column('pause of a cycle'),
        column('of the link, arithmetic'),
        column('measured'),
        column('variation'),
      ],
    ],
    rows: cells
      .filter(({ page, rate }) => page.servedBy === 'http2' && rate !== undefined)
      .map(({ page, link, windowBytes, rate }) => {
        const course = windowCourse(windowBytes, link);
        const product = bandwidthDelayBytes(link);
        return [
          page.name,
          link.name,
          bytesInWords(product),
          bytesInWords(windowBytes),
          (windowBytes / product).toFixed(1),
          bytesInWords(course.leftBytes),
          `${course.pauseMs.toFixed(0)} ms`,
          percent(course.share),
          rate === undefined ? UNKNOWN : percent(rate.shareOfLink),
          rate === undefined ? UNKNOWN : percent(rate.variation),
        ];
      }),
  };
}

/** Efficiency of whole loads against the baseline, one comparison per protocol and link. */
export function verdictTable(comparisons: readonly { readonly name: string; readonly comparison: Comparison }[]): StudyTable {
  return {
    title: 'Whole loads against the baseline (efficiency; all sizes of a protocol together)',
    columns: [column('protocol and link', 'left'), column('profile', 'left'), column('change'), column('verdict', 'left')],
    rows: comparisons.flatMap(({ name, comparison }) =>
      comparison.profiles
        .filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline')
        .map((profile) => [name, profile.id, changeOf(profile.versusBaseline.ratio), verdictWords(profile)]),
    ),
  };
}

const changeOf = (ratio: number | undefined): string =>
  ratio === undefined ? UNKNOWN : `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
