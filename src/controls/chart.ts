/**
 * The comparison drawn: a point for each profile's change against the baseline, with its interval, the baseline's line and the band that the verdicts
 * call no real difference. Chart.js draws axes and points, with only the parts that these need (`src/tools/chart-parts.mjs`); line, band and intervals
 * are a plugin of a few lines, where the package for annotations has 11 kB. The canvas is a picture: the table under it has the same figures for
 * everyone who cannot see it.
 */
import {
  BasicPlatform,
  Chart,
  type CoreScaleOptions,
  DatasetController,
  type Plugin,
  PointElement,
  Scale,
  type Tick,
  type UpdateMode,
} from 'chart.js';
import { MEANINGFUL_CHANGE } from '../core/compare/thresholds.ts';
import { format, text } from '../views/text.ts';
import type { ComparisonPoint, PointKind } from './comparison-view.ts';

/** Room for a tick's label. */
const TICK_PX = 45;
/** What binary fractions add to a number of steps is less. */
const ROUNDING = 0.001;

/** Chart.js's own controller of scatter charts brings lines and their curves. */
class PointController extends DatasetController<'scatter'> {
  static id = 'scatter';
  static defaults = { datasetElementType: false, dataElementType: 'point' };

  override update(mode: UpdateMode): void {
    const points = this.getMeta().data as PointElement[];
    this.updateElements(points, 0, points.length, mode);
  }

  override updateElements(points: PointElement[], start: number, count: number, mode: UpdateMode): void {
    const { xScale, yScale } = this.getMeta();
    for (let at = start; at < start + count; at++) {
      const point = points[at];
      if (point === undefined) continue;
      const { x, y } = this.getParsed(at) as { readonly x: number; readonly y: number };
      const place = { x: xScale?.getPixelForValue(x), y: yScale?.getPixelForValue(y) };
      this.updateElement(point, at, { ...place, options: this.resolveDataElementOptions(at, mode) }, mode);
    }
  }
}

/** Distances of ticks, the first that leaves room for their labels. */
const STEPS = [0.05, 0.1, 0.2, 0.5];

/** Changes from the option `min` to `max`; Chart.js's own linear scale makes ticks for any numbers. */
class ChangeScale extends Scale<CoreScaleOptions & ReturnType<typeof axisOf>> {
  static id = 'linear';

  override determineDataLimits(): void {
    this.min = this.options.min;
    this.max = this.options.max;
  }

  override buildTicks(): Tick[] {
    const most = Math.max(2, this.width / TICK_PX);
    const step = STEPS.find((one) => (this.max - this.min) / one < most) ?? this.max;
    const [first, last] = [Math.ceil(this.min / step - ROUNDING), Math.floor(this.max / step + ROUNDING)];
    return Array.from({ length: last - first + 1 }, (_, at) => ({ value: (first + at) * step }));
  }

  override getPixelForValue(value: number): number {
    return this.getPixelForDecimal((value - this.min) / (this.max - this.min));
  }
}

/** A row for each of the option `labels`, the first at the top. */
class RowScale extends Scale {
  static id = 'category';

  override buildTicks(): Tick[] {
    return this.getLabels().map((_, value) => ({ value }));
  }

  override getPixelForValue(value: number): number {
    return this.getPixelForDecimal(1 - (value + 0.5) / this.getLabels().length);
  }
}

Chart.register(PointController, PointElement, ChangeScale, RowScale);

export interface ComparisonChart {
  /** Draws these points in the current colours of the style sheet. */
  show(points: readonly ComparisonPoint[]): void;
}

type Colours = Readonly<Record<PointKind | 'text' | 'grid' | 'ground' | 'band', string>>;

const ROW_HEIGHT_PX = 34;
const AXIS_HEIGHT_PX = 46;
/** Longer ids are cut, so that points keep most of 360 px; the table shows them whole. */
const LABEL_CHARACTERS = 17;

export function createComparisonChart(canvas: HTMLCanvasElement): ComparisonChart {
  const frame = canvas.parentElement;
  let chart: Chart<'scatter'> | undefined;
  let shown: readonly ComparisonPoint[] = [];
  let drawnWidth = 0;
  const draw = () => {
    chart?.destroy();
    drawnWidth = frame?.clientWidth ?? 0;
    canvas.removeAttribute('style');
    canvas.width = drawnWidth;
    canvas.height = shown.length * ROW_HEIGHT_PX + AXIS_HEIGHT_PX;
    chart = drawChart(canvas, shown);
  };
  if (frame !== null)
    new ResizeObserver(() => {
      // Not in the observer's own turn: drawing changes the height of what it observes.
      if (frame.clientWidth > 0 && frame.clientWidth !== drawnWidth && shown.length > 0) requestAnimationFrame(draw);
    }).observe(frame);
  return {
    show: (points) => {
      shown = points;
      draw();
    },
  };
}

function drawChart(canvas: HTMLCanvasElement, points: readonly ComparisonPoint[]): Chart<'scatter'> {
  const colours = coloursOf(canvas);
  const font = { family: getComputedStyle(canvas).fontFamily, size: 12 };
  const axis = axisOf(points);
  const names = points.map(label);
  // Names are where lines begin; a scale of numbers runs from left to right in every script, as the popup's does.
  const isRightToLeft = document.documentElement.dir === 'rtl';
  return new Chart<'scatter'>(canvas, {
    type: 'scatter',
    platform: BasicPlatform,
    data: {
      datasets: [
        {
          // What lies beyond the axis is at its end.
          data: points.map(({ change }, y) => ({ x: Math.min(axis.max, Math.max(axis.min, change)), y })),
          parsing: false,
          pointRadius: 5,
          pointBorderWidth: 2,
          pointBorderColor: points.map(({ kind }) => colours[kind]),
          // Hollow: there is no interval yet.
          pointBackgroundColor: points.map(({ kind, low, high }) =>
            low === undefined || high === undefined ? colours.ground : colours[kind],
          ),
        },
      ],
    },
    plugins: [baselineAndIntervals(points, colours)],
    options: {
      animation: false,
      events: [],
      devicePixelRatio: window.devicePixelRatio,
      // Room for the last tick's label.
      layout: { padding: { [isRightToLeft ? 'left' : 'right']: 24 } },
      scales: {
        x: {
          type: 'linear',
          ...axis,
          grid: { color: colours.grid },
          border: { color: colours.grid },
          title: { display: true, text: text('comparison.axis'), color: colours.text, font },
          ticks: {
            color: colours.text,
            font,
            callback: (change) => format.change(1 + Number(change)),
          },
        },
        y: {
          type: 'category',
          labels: names,
          position: isRightToLeft ? 'right' : 'left',
          grid: { display: false },
          border: { color: colours.grid },
          ticks: { color: colours.text, font, crossAlign: 'far', callback: (at) => names[Number(at)] },
        },
      },
    },
  });
}

/** Behind the points: the 3 % band, the baseline's line, and each interval as far as the axis goes. */
function baselineAndIntervals(points: readonly ComparisonPoint[], colours: Colours): Plugin<'scatter'> {
  return {
    id: 'baseline',
    beforeDatasetsDraw: ({ ctx, chartArea: { left, right, top, bottom }, scales: { x, y } }) => {
      if (x === undefined || y === undefined) return;
      const across = (change: number) => Math.min(right, Math.max(left, x.getPixelForValue(change)));
      const line = (from: readonly [number, number], to: readonly [number, number]) => {
        ctx.beginPath();
        ctx.moveTo(...from);
        ctx.lineTo(...to);
        ctx.stroke();
      };
      ctx.save();
      const [bandFrom, bandTo] = [across(-MEANINGFUL_CHANGE), across(MEANINGFUL_CHANGE)];
      ctx.fillStyle = colours.band;
      ctx.fillRect(bandFrom, top, bandTo - bandFrom, bottom - top);
      ctx.lineWidth = 1.5;
      ctx.strokeStyle = colours.text;
      line([across(0), top], [across(0), bottom]);
      ctx.lineWidth = 3;
      for (const [at, { kind, low, high }] of points.entries()) {
        if (low === undefined || high === undefined) continue;
        const height = y.getPixelForValue(at);
        ctx.strokeStyle = colours[kind];
        line([across(low), height], [across(high), height]);
      }
      ctx.restore();
    },
  };
}

/** The axis reaches at least 10 % either way, in steps of 10 %, and at most from half to double: one outlier leaves room for the others. */
const [MIN_REACH, MAX_LOW, MAX_HIGH, STEP] = [0.1, -0.5, 1, 0.1];

export function axisOf(points: readonly ComparisonPoint[]): { readonly min: number; readonly max: number } {
  const ends = points.flatMap(({ change, low = change, high = change }) => [low, change, high]);
  const low = Math.floor(Math.min(-MIN_REACH, ...ends) / STEP + ROUNDING) * STEP;
  const high = Math.ceil(Math.max(MIN_REACH, ...ends) / STEP - ROUNDING) * STEP;
  return { min: Math.max(MAX_LOW, low), max: Math.min(MAX_HIGH, high) };
}

function label({ id }: ComparisonPoint): string {
  return id.length <= LABEL_CHARACTERS ? id : `${id.slice(0, LABEL_CHARACTERS - 1)}…`;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--text'),
    grid: colour('--line'),
    ground: colour('--background'),
    band: colour('--band'),
    baseline: colour('--bar-baseline'),
    candidate: colour('--bar-candidate'),
    recommended: colour('--bar-recommended'),
    control: colour('--bar-control'),
  };
}
