/** The tables of the study of large objects. Pure. */
import type { VersusBaseline } from '../../../core/compare/comparison.ts';
import { verdictWords } from '../../../core/report/verdict-words.ts';
import { percent, rangeInWords, signedPercent, UNKNOWN } from '../../../core/text/figures.ts';
import type { StudyTable } from '../findings.ts';
import type { LargeObjectCell } from './cells.ts';
import { isRated } from './effects.ts';
import { FEWEST_WINDOWS } from './rate.ts';
import type { LoadVerdicts } from './verdicts.ts';
import { bandwidthDelayBytes, windowCourse } from './window.ts';
import { bytesInWords, IN_WINDOWS, megabits, percentRange } from './words.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });

/** Every cell, measured. */
export function rateTable(cells: readonly LargeObjectCell[]): StudyTable {
  return {
    title: `Delivery rate ${IN_WINDOWS} after slow start: medians over the loads, with their smallest and largest; stalls and packets lost are means, the longest stall is that of all loads; a rate needs ${FEWEST_WINDOWS} windows`,
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('profile', 'left'), column('loads'), column('goodput'), column('rate')],
      ...[
        column('of the link'),
        column('variation'),
        column('min to max'),
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
        ? [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]
        : [
            megabits(rate.meanKbps),
            percent(rate.shareOfLink),
            percent(rate.variation),
            percentRange(rate.spread.variation),
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
    title: `HTTP/2: the window against the bandwidth-delay product, by arithmetic and measured ${IN_WINDOWS} (medians over the loads, with their smallest and largest)`,
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('bandwidth-delay product'), column('window'), column('window / product')],
      ...[
        column('left when acknowledged'),
        column('pause of a cycle, arithmetic'),
        column('of the link, arithmetic'),
        column('loads'),
        column('of the link, measured'),
        column('min to max'),
        column('variation'),
        column('min to max'),
      ],
    ],
    rows: cells
      .filter(isRated)
      .filter(({ page }) => page.servedBy === 'http2')
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
          `${rate.loads}`,
          percent(rate.shareOfLink),
          percentRange(rate.spread.shareOfLink),
          percent(rate.variation),
          percentRange(rate.spread.variation),
        ];
      }),
  };
}

/** Efficiency of whole loads against the baseline, one comparison per protocol and link. */
export function verdictTable(compared: readonly LoadVerdicts[]): StudyTable {
  const together = [...new Set(compared.map(({ intervals }) => intervals))].join(' or ');
  return {
    title:
      'Whole loads against the baseline (efficiency; all sizes of a protocol together); the intervals of one protocol over one link hold together',
    columns: [
      ...[column('protocol and link', 'left'), column('profile', 'left'), column('pairs'), column('change')],
      ...[column(`95 % interval, ${together} together`), column('verdict', 'left')],
    ],
    rows: compared.flatMap(({ name, profiles }) =>
      profiles
        .filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline')
        .map((profile) => [name, profile.id, ...changeCells(profile.versusBaseline), verdictWords(profile)]),
    ),
  };
}

function changeCells({ ratio, low, high, pairs }: VersusBaseline): readonly string[] {
  const interval = low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high);
  return [`${pairs}`, ratio === undefined ? UNKNOWN : signedPercent(ratio - 1), interval];
}
