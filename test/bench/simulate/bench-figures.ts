/** What the benchmark of the simulator found, held against its bars, for people and for machines. */
import { type TextColumn, textTable } from '../../../src/core/text/text-table.ts';
import { LANTERN_VERSION } from '../../accuracy/lantern/install-lantern.ts';
import { type Cost, growthExponent } from './growth.ts';
import type { Timing } from './timing.ts';

/** One work done by the simulator, and as often by Lantern where it was asked for. */
export interface Contest {
  readonly what: string;
  readonly ours: Timing;
  readonly lantern: Timing | undefined;
  /** Most ms that ours may take. */
  readonly barMs: number;
}

export interface Growth {
  readonly what: string;
  readonly costs: readonly Cost[];
}

export interface BenchFigures {
  readonly machine: { readonly node: string; readonly cores: number; readonly processor: string };
  /** Load averages of the last minute. */
  readonly busy: { readonly before: number; readonly after: number };
  readonly rounds: number;
  readonly contests: readonly Contest[];
  readonly growths: readonly Growth[];
}

/** For a machine with two cores at 2.1 GHz. */
export const STUDY_BAR_MS = 250;
export const WIDE_PAGE_BAR_MS = 40;
/** n log n, and what the clock's noise adds to its exponent. */
const EXPONENT_BAR = 1.05;

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly range: string;
  /** Absent: there is none. */
  readonly bar?: { readonly words: string; readonly met: boolean };
}

export const allMet = (figures: BenchFigures): boolean => rowsOf(figures).every(({ bar }) => bar?.met !== false);

export const benchJson = (figures: BenchFigures): unknown => ({
  met: allMet(figures),
  ...figures,
  contests: figures.contests.map((contest) => ({ ...contest, lantern: contest.lantern ?? null })),
  growths: figures.growths.map(({ what, costs }) => ({ what, exponent: growthExponent(costs), bar: EXPONENT_BAR, costs })),
});

export function benchText(figures: BenchFigures): string {
  const { machine, busy, rounds, growths } = figures;
  const sizes = growths[0]?.costs.map(({ size }) => size) ?? [];
  return `${[
    `Node ${machine.node}, ${machine.cores} cores (${machine.processor}), load average ${busy.before.toFixed(1)} before and ${busy.after.toFixed(1)} after:`,
    'with other work beside it, times are too long.',
    `Warmed up, taking turns, median of ${rounds} rounds. Lantern makes as many simulations: it knows no profiles, so all of a scenario are the same.`,
    '',
    ...textTable(rowsOf(figures), ROW_COLUMNS),
    '',
    ...textTable(sizes, [{ heading: 'size', align: 'right', cell: String }, ...growths.map(costColumn)]),
  ].join('\n')}\n`;
}

const ROW_COLUMNS: readonly TextColumn<Row>[] = [
  { heading: 'what', align: 'left', cell: ({ what }) => what },
  { heading: 'median', align: 'right', cell: ({ figure }) => figure },
  { heading: 'range', align: 'right', cell: ({ range }) => range },
  { heading: 'bar', align: 'left', cell: ({ bar }) => bar?.words ?? '' },
  { heading: '', align: 'left', cell: ({ bar }) => (bar === undefined ? '' : bar.met ? 'met' : 'MISSED') },
];

const costColumn = ({ what, costs }: Growth): TextColumn<number> => ({
  heading: what,
  align: 'right',
  cell: (size) => ms(costs.find((cost) => cost.size === size)?.ms ?? Number.NaN),
});

const rowsOf = ({ contests, growths }: BenchFigures): readonly Row[] => [...contests.flatMap(contestRows), ...growths.map(growthRow)];

function contestRows({ what, ours, lantern, barMs }: Contest): readonly Row[] {
  const row = { what, ...shown(ours), bar: { words: `at most ${barMs} ms`, met: ours.medianMs <= barMs } };
  return lantern === undefined ? [row] : [row, { what: `the same by Lantern ${LANTERN_VERSION}`, ...shown(lantern) }];
}

function growthRow({ what, costs }: Growth): Row {
  const exponent = growthExponent(costs);
  return {
    what: `growth with ${what}: n log n to the power of`,
    figure: exponent.toFixed(2),
    range: `${costs[0]?.size} to ${costs.at(-1)?.size}`,
    bar: { words: `at most ${EXPONENT_BAR}`, met: exponent <= EXPONENT_BAR },
  };
}

const shown = ({ medianMs, leastMs, mostMs }: Timing) => ({ figure: ms(medianMs), range: `${ms(leastMs)} to ${ms(mostMs)}` });
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
