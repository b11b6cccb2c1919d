/**
 * Pictures drawn of a study's tables, cell by cell. What rests on single requests is not in a published report, but its tables are published: so
 * these can be drawn again at any time, and show what stands beside them. Pure.
 */
import { CHANGES, type ChartedChange, type ChartKind, intervalChartSvg } from '../../core/report/interval-chart-svg.ts';
import { counted, percent } from '../../core/text/figures.ts';
import type { StudyPicture, StudyTable } from './findings.ts';

/** A row by the names of its columns; of two columns with one name the first. */
type Cells = Readonly<Record<string, string>>;

/** The rows of the first table whose title begins so; none: there is no such table. */
function rowsOf(tables: readonly StudyTable[], title: string): readonly Cells[] {
  const table = tables.find((each) => each.title.startsWith(title));
  return (table?.rows ?? []).map((row) =>
    Object.fromEntries((table?.columns ?? []).map(({ name }, at) => [name, row[at] ?? '']).reverse()),
  );
}

const number = (text: string): number => Number(text.replaceAll(',', '').replaceAll('\u2212', '-'));

/** A figure with its interval. */
interface Figure {
  readonly ratio: number;
  readonly low?: number;
  readonly high?: number;
}

/** Reads `+21 % (−10 % to +64 %)`. `undefined`: another text. */
export function changeIn(text: string): Figure | undefined {
  const [, ratio, low, high] = /^([+\u2212]?[\d.]+) %(?: \(([+\u2212]?[\d.]+) % to ([+\u2212]?[\d.]+) %\))?$/.exec(text) ?? [];
  if (ratio === undefined) return undefined;
  const share = (figure: string) => 1 + number(figure) / 100;
  return { ratio: share(ratio), ...(low !== undefined && high !== undefined && { low: share(low), high: share(high) }) };
}

/** Reads `3.81 (3.79 to 4.63)`. `undefined`: another text. */
export function timesIn(text: string): Figure | undefined {
  const [, ratio, low, high] = /^([\d.,]+) \(([\d.,]+) to ([\d.,]+)\)$/.exec(text) ?? [];
  return ratio === undefined || low === undefined || high === undefined
    ? undefined
    : { ratio: number(ratio), low: number(low), high: number(high) };
}

/** Reads `3 % sooner` with `5 % later to 10 % sooner`, or `1 % to 2.1 % sooner`: above 1 is sooner. `undefined`: another text. */
export function soonerIn(change: string, interval: string): Figure | undefined {
  const side = (figure: string, word: string) => 1 + (word === 'later' ? -1 : 1) * (number(figure) / 100);
  const [, ratio, word = 'sooner'] = /^([\d.]+) %(?: (sooner|later))?$/.exec(change) ?? [];
  if (ratio === undefined) return undefined;
  const [, low, lowWord, high, highWord = 'sooner'] =
    /^([\d.]+) %(?: (sooner|later))? to ([\d.]+) %(?: (sooner|later))?$/.exec(interval) ?? [];
  if (low === undefined || high === undefined) return { ratio: side(ratio, word) };
  return { ratio: side(ratio, word), low: side(low, lowWord ?? highWord), high: side(high, highWord) };
}

const excludesNone = ({ low = 1, high = 1 }: Figure): boolean => low > 1 || high < 1;

const SOONER: ChartKind = {
  ...CHANGES,
  figure: (ratio) => soonerText(ratio),
  range: (low, high) => `${soonerText(low)} to ${soonerText(high)}`,
  direction: 'To the right: sooner.',
  // The least gain that the mail calls a win, as in the study's verdicts.
  margin: 0.008,
};

function soonerText(ratio: number): string {
  const change = percent(Math.abs(ratio - 1));
  return change === percent(0) ? change : `${change} ${ratio > 1 ? 'sooner' : 'later'}`;
}

/** `read-4k`: `reads of 4 KiB`. */
function readLabel(id: string): string {
  const [, size, room] = /^read-(\d+)k(-x\d+)?$/.exec(id) ?? [];
  return size === undefined ? id : `reads of ${size} KiB${room === undefined ? '' : ', with room'}`;
}

/** First bytes of new connections, without what the browser waits: the measure that the answer of the study rests on. */
export function readSizePictures(tables: readonly StudyTable[]): readonly StudyPicture[] {
  const all = rowsOf(tables, 'Against firefox-default, on new connections');
  const rows = all.flatMap((row): readonly ChartedChange[] => {
    const interval = Object.entries(row).find(([name]) => name.includes('interval'))?.[1] ?? '';
    const figure = row.of === 'without waiting' ? soonerIn(row.change ?? '', interval) : undefined;
    if (figure === undefined) return [];
    return [{ label: readLabel(row.profile ?? ''), id: row.profile, ...figure, isShown: ['sooner', 'later'].includes(row.verdict ?? '') }];
  });
  const together = Object.keys(all[0] ?? {}).find((name) => name.includes('interval')) ?? '95 % interval';
  const pairs = [...new Set(all.map((row) => row.pairs))].join(' or ');
  return chartOf('read-size', rows, {
    title: "Time to first byte on new connections, against Firefox's own reads of 32 KiB",
    subtitle: `Without what the browser waits between handshake and request; ${pairs} pairs of loads in a row; ${together}.`,
    kind: SOONER,
  });
}

const LONGER: ChartKind = {
  figure: (ratio) => (ratio === 1 ? 'as long' : `${Number(ratio.toPrecision(3))} times`),
  range: (low, high) => `${Number(low.toPrecision(3))} to ${Number(high.toPrecision(3))} times`,
  direction: 'To the right: takes longer.',
  margin: 0,
  order: 'highest-first',
};

/** Two medians closer than this are called the same, as in the study's answer. */
const SAME = 0.05;

/** What a first request costs, and what a small receive buffer costs; the rows in which nothing is longer are counted only. */
export function warmUpPictures(tables: readonly StudyTable[]): readonly StudyPicture[] {
  const first = rowsOf(tables, 'First request on a connection').flatMap((row) => {
    const figure = timesIn(row['first / later, with handshake'] ?? '');
    return figure === undefined ? [] : [{ label: `First request, with handshake: ${row.object}`, ...placeOf(row), ...figure }];
  });
  const buffers = rowsOf(tables, 'By receive buffer of the client').flatMap((row) => {
    const figure = timesIn(row["later, times the kernel's own"] ?? '');
    return figure === undefined ? [] : [{ label: `Buffer of ${row.buffer}: ${row.object}`, ...placeOf(row), ...figure }];
  });
  const all = [...first, ...buffers];
  const longer = all.filter(({ ratio }) => ratio > 1 + SAME);
  return chartOf(
    'warm-up',
    longer.map((row): ChartedChange => ({ ...row, isShown: excludesNone(row) })),
    {
      title: 'What makes a request take longer: the handshake, slow start, and a small receive buffer',
      subtitle: `First requests against later ones on the same connection; later ones with a small buffer against those with the kernel's own. Not drawn: ${counted(all.length - longer.length, 'row')} that ${all.length - longer.length === 1 ? 'differs' : 'differ'} by less than ${percent(SAME)}.`,
      kind: LONGER,
      marks: 'median, with its lowest to highest load',
    },
  );
}

const placeOf = (row: Cells) => ({
  id: `RTT ${row['RTT, ms']} ms`,
  grounds: `${row.loads} loads, ${row.connection === 'new' ? 'new connection' : row.connection}`,
});

/** Requests that join active connections against bundles onto freed ones. */
export function dispatchPictures(tables: readonly StudyTable[]): readonly StudyPicture[] {
  const rows = rowsOf(tables, 'Appended against bundled').flatMap((row): readonly ChartedChange[] => {
    const figure = changeIn(row.efficiency ?? '');
    if (figure === undefined) return [];
    const [, connections, depth] = /^c(\d+)-d(\d+)$/.exec(row.profile ?? '') ?? [];
    const label =
      connections === undefined
        ? (row.profile ?? '')
        : `${connections} ${connections === '1' ? 'connection' : 'connections'}, ${depth} requests on each`;
    return [{ label, id: row.profile, grounds: `ahead in ${row['ahead in']}`, ...figure, isShown: excludesNone(figure) }];
  });
  return chartOf('fennec-2008-dispatch', rows, {
    title: 'Requests that join active connections, against bundles onto freed ones',
    subtitle: 'Change of efficiency over all pages and links, one load each; 95 % intervals over pages, all together.',
  });
}

function chartOf(
  name: string,
  rows: readonly ChartedChange[],
  input: Omit<Parameters<typeof intervalChartSvg>[0], 'rows'>,
): readonly StudyPicture[] {
  return rows.length === 0 ? [] : [{ name, title: input.title, svg: intervalChartSvg({ ...input, rows }) }];
}
