/**
 * Bars of efficiency: the only use of Chart.js, with only the parts that a horizontal bar chart needs. The canvas is a picture; the table under it has
 * the same figures for everyone who cannot see it.
 */
import { BarController, BarElement, CategoryScale, Chart, LinearScale } from 'chart.js';
import { text } from '../views/text.ts';
import type { BarKind, ComparisonBar } from './comparison-view.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale);

export interface ComparisonChart {
  /** Draws these bars in the current colours of the style sheet. */
  show(bars: readonly ComparisonBar[]): void;
}

type Colours = Readonly<Record<BarKind | 'text' | 'grid', string>>;

const BAR_HEIGHT_PX = 34;
const AXIS_HEIGHT_PX = 46;
/** Longer ids are cut, so that bars keep most of 360 px; the table shows them whole. */
const LABEL_CHARACTERS = 17;

export function createComparisonChart(canvas: HTMLCanvasElement): ComparisonChart {
  let chart: Chart<'bar', number[], string> | undefined;
  return {
    show: (bars) => {
      chart?.destroy();
      const frame = canvas.parentElement;
      if (frame !== null) frame.style.height = `${bars.length * BAR_HEIGHT_PX + AXIS_HEIGHT_PX}px`;
      chart = drawChart(canvas, { bars, colours: coloursOf(canvas) });
    },
  };
}

function drawChart(canvas: HTMLCanvasElement, { bars, colours }: { bars: readonly ComparisonBar[]; colours: Colours }) {
  const font = { family: getComputedStyle(canvas).fontFamily, size: 12 };
  return new Chart<'bar', number[], string>(canvas, {
    type: 'bar',
    data: {
      labels: bars.map(label),
      datasets: [
        {
          data: bars.map(({ value }) => value),
          backgroundColor: bars.map(({ kind }) => colours[kind]),
          borderColor: colours.text,
          borderWidth: bars.map(({ kind }) => (kind === 'recommended' ? 1.5 : 0)),
          borderSkipped: false,
          maxBarThickness: 20,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      events: [],
      // Room for the last tick's label.
      layout: { padding: { right: 14 } },
      scales: {
        x: {
          beginAtZero: true,
          max: axisEnd(bars),
          grid: { color: colours.grid },
          border: { color: colours.grid },
          title: { display: true, text: text('comparison.axis'), color: colours.text, font },
          ticks: { color: colours.text, font, maxTicksLimit: 6, maxRotation: 0 },
        },
        y: {
          grid: { display: false },
          border: { color: colours.grid },
          ticks: { color: colours.text, font, autoSkip: false, crossAlign: 'far' },
        },
      },
    },
  });
}

/** The next multiple of 10 above every bar; efficiency is at most 100 %. */
export function axisEnd(bars: readonly ComparisonBar[]): number {
  const furthest = Math.max(0, ...bars.map(({ value }) => value));
  return Math.max(10, Math.ceil(furthest / 10) * 10);
}

function label({ id }: ComparisonBar): string {
  return id.length <= LABEL_CHARACTERS ? id : `${id.slice(0, LABEL_CHARACTERS - 1)}…`;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--text'),
    grid: colour('--line'),
    baseline: colour('--bar-baseline'),
    candidate: colour('--bar-candidate'),
    recommended: colour('--bar-recommended'),
    control: colour('--bar-control'),
  };
}
