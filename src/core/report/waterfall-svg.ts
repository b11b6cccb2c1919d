/**
 * The timeline of predicted loads as one SVG file: a row per request, a panel per profile, all on one scale of time. No script, no
 * font or image from anywhere. Bars of one colour are one path, so a thousand requests take about 230 kB a panel.
 */
import { CONTENT_CLASSES, type ContentClass, type PageGraph } from '../graph/page-graph.ts';
import type { Prediction } from '../simulate/prediction.ts';
import { html, type Markup, markupText, shortened, xmlText } from '../text/markup.ts';
import { timeTicks } from '../text/svg-axes.ts';
import { CLASS_COLOURS, PLOT, WIDTH, waterfallPanel } from './waterfall-panel.ts';

export interface WaterfallFacts {
  /** What was loaded; one line. */
  readonly title: string;
  /** Over which link; one line. */
  readonly subtitle: string;
  readonly page: PageGraph;
  /** From top to bottom, each of this page. */
  readonly predictions: readonly Prediction[];
}

const MARGIN = 16;
const LEGEND_Y = 74;
const FIRST_PANEL_Y = 96;
const PANEL_GAP = 24;
const MAX_TICKS = 10;
const MAX_TITLE_CHARACTERS = 130;
/** Width of a character at 12 px, generous: no font is measured here. */
const CHARACTER_PX = 6.8;

/** @returns a whole file of well-formed XML. */
export function waterfallSvg({ title, subtitle, page, predictions }: WaterfallFacts): string {
  const endMs = Math.max(0, ...predictions.map(({ loadTimeMs }) => loadTimeMs));
  const axis = { endMs, ticks: timeTicks(endMs, MAX_TICKS) };
  let y = FIRST_PANEL_Y;
  const panels = predictions.map((prediction) => {
    const panel = waterfallPanel({ prediction, page, axis, y });
    y += panel.height + PANEL_GAP;
    return panel.markup;
  });
  const names = predictions.map(({ profileId }) => profileId).join(' and ');
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${xmlText(`Predicted timeline of ${title} under ${names}`)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN}" y="28" font-size="17" font-weight="600">${line(title)}</text>
<text x="${MARGIN}" y="48" fill="#55505c">${line(`${subtitle}. Predicted by simulation, not measured.`)}</text>
${legend(page)}
${panels}
</svg>
`;
  return markupText(drawing);
}

const line = (text: string): string => shortened(xmlText(text), MAX_TITLE_CHARACTERS);

interface Key {
  readonly label: string;
  readonly mark: (x: number) => Markup;
}

/** What the parts of a bar mean, then the classes that are on the page. */
function legend({ requests }: PageGraph): Markup {
  const used = new Set<ContentClass>(requests.map((request) => request.class ?? 'other'));
  const grey = '#55505c';
  const keys: readonly Key[] = [
    { label: 'waiting to be sent', mark: (x) => bar({ x, colour: PLOT.waitingColour, height: 3 }) },
    { label: 'request to first byte', mark: (x) => bar({ x, colour: grey, opacity: PLOT.waitOpacity }) },
    { label: 'receiving', mark: (x) => bar({ x, colour: grey }) },
    { label: 'load time', mark: (x) => bar({ x, colour: PLOT.endColour, height: 1.5 }) },
    ...CONTENT_CLASSES.filter((name) => used.has(name)).map(
      (name): Key => ({
        label: name,
        mark: (x) => bar({ x, colour: CLASS_COLOURS[name] }),
      }),
    ),
  ];
  let x = MARGIN;
  const entries = keys.map(({ label, mark }) => {
    const at = x;
    x += 26 + label.length * CHARACTER_PX + 16;
    return html`${mark(at)}<text x="${at + 26}" y="${LEGEND_Y}">${label}</text>`;
  });
  return html`<g>${entries}</g>`;
}

function bar({
  x,
  colour,
  height = PLOT.barHeight,
  opacity = 1,
}: {
  readonly x: number;
  readonly colour: string;
  readonly height?: number;
  readonly opacity?: number;
}): Markup {
  return html`<rect x="${x}" y="${LEGEND_Y - 4 - height / 2}" width="20" height="${height}" fill="${colour}" fill-opacity="${opacity}"/>`;
}
