/** First bytes on new connections against reused ones, in a picture, words and figures. Pure. */
import type { FirstBytes } from '../core/field/first-bytes.ts';
import { type CutoffCurve, cutoffCurvesSvg } from '../core/report/cutoff-curves-svg.ts';
import { format, text } from '../views/text.ts';
import type { DrawnView, TableView } from './drawn.ts';

export interface FirstBytesView {
  /** What the figures rest on. */
  readonly basis: string;
  readonly notes: readonly string[];
  /** Absent: there are too few requests. */
  readonly drawn: DrawnView | undefined;
}

/** @param width - Of the picture, px. */
export function firstBytesView(found: FirstBytes, width: number): FirstBytesView {
  const { loads, fresh, reused, setUpMs, rows } = found;
  const basis = text('firstBytes.basis', { loads: text('count.loads', { count: loads }) });
  const setUp = setUpMs === undefined ? [] : [text('firstBytes.setUp', { time: setUpMs, requests: requestsText(fresh) })];
  if (rows.length === 0) return { basis: text('firstBytes.few', { fresh, reused }), notes: [], drawn: undefined };
  return {
    basis,
    notes: [...setUp, text('firstBytes.caveat')],
    drawn: { svg: svgOf(found, width), alt: `${text('firstBytes.title')}. ${text('firstBytes.subtitle')}`, table: tableOf(found) },
  };
}

const requestsText = (count: number): string => text('count.requests', { count });

function svgOf({ rows, curves, fresh, reused }: FirstBytes, width: number): string {
  const curve = (kind: 'fresh' | 'reused', label: string): CutoffCurve => ({
    label,
    points: curves[kind],
    intervals: rows.flatMap((row) => {
      const { intervalMs } = row[kind];
      return intervalMs === undefined ? [] : [{ share: row.cutoffPercent / 100, ...intervalMs }];
    }),
  });
  return cutoffCurvesSvg({
    title: text('firstBytes.title'),
    subtitle: text('firstBytes.subtitle'),
    width,
    curves: [
      curve('fresh', text('firstBytes.new', { requests: requestsText(fresh) })),
      curve('reused', text('firstBytes.reused', { requests: requestsText(reused) })),
    ],
    duration: format.duration,
    share: format.percent,
    note: text('firstBytes.intervals'),
  });
}

type Side = FirstBytes['rows'][number]['fresh'];

function tableOf({ rows }: FirstBytes): TableView {
  return {
    caption: text('firstBytes.table'),
    headings: [
      text('firstBytes.cutoff'),
      text('firstBytes.new.within'),
      text('firstBytes.reused.within'),
      text('firstBytes.new.mean'),
      text('firstBytes.reused.mean'),
      text('firstBytes.difference'),
    ],
    rows: rows.map(({ cutoffPercent, fresh, reused, ratio, ratioInterval }) => [
      format.percent(cutoffPercent / 100),
      withinText(fresh),
      withinText(reused),
      format.duration(fresh.meanMs),
      format.duration(reused.meanMs),
      ratio === undefined ? text('figure.unknown') : rangeText(format.change(ratio), ratioInterval, format.change),
    ]),
  };
}

const withinText = ({ valueMs, intervalMs }: Side): string => rangeText(format.duration(valueMs), intervalMs, format.duration);

const rangeText = (
  figure: string,
  range: { readonly low: number; readonly high: number } | undefined,
  say: (value: number) => string,
): string =>
  range === undefined
    ? `${figure} (${text('models.noInterval')})`
    : text('figure.interval', { figure, low: say(range.low), high: say(range.high) });
