/** The common parts of the pictures of captures: canvas, headings, legend, marks. No script, no font or image from anywhere. */
import { html, type Markup, markupText, shortened, xmlText } from '../../core/text/markup.ts';
import { withDarkMode } from '../../core/text/svg-picture.ts';

/** Measures of every picture, px. */
export const CANVAS = { width: 1200, margin: 16, legendY: 90, contentY: 108 } as const;

/** Told apart by hue and by lightness; those that carry meaning at least 3:1 against white (WCAG 2.1, 1.4.11). */
export const COLOURS = {
  text: '#1d1b20',
  muted: '#55505c',
  grid: '#d8d4dd',
  band: '#f4f3f7',
  data: '#1f6fd1',
  dataOther: '#0f4c9c',
  acknowledged: '#2e7d32',
  again: '#d0021b',
  outstanding: '#9cc3f0',
  window: '#b45f06',
  held: '#7d7786',
  receiver: '#7b3fc4',
  connection: '#d5d1da',
  handshake: '#8a8392',
  request: '#1d1b20',
  waiting: '#a8a2b0',
  headOfLine: '#c2410c',
} as const;

/** Width of a character at 12 px, generous: no font is measured here. */
const CHARACTER_PX = 6.6;
const MAX_TITLE_CHARACTERS = 130;
const MAX_SUBTITLE_CHARACTERS = 175;

export interface Picture {
  readonly title: string;
  /** Under the title, a line each; at most two fit. */
  readonly subtitles: readonly string[];
  readonly legend: readonly LegendKey[];
  readonly height: number;
  readonly content: readonly Markup[];
}

export interface LegendKey {
  readonly label: string;
  /** Drawn in a box 22 px wide, its middle on the line of the text. */
  readonly mark: (x: number, middle: number) => Markup;
}

/** @returns a whole file of well-formed XML. */
export function picture({ title, subtitles, legend, height, content }: Picture): string {
  return withDarkMode(
    markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${CANVAS.width}" height="${height}" viewBox="0 0 ${CANVAS.width} ${height}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="${COLOURS.text}">
<title>${xmlText(title)}</title>
<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#fde7d6"/><path d="M0 0V5" stroke="${COLOURS.headOfLine}" stroke-width="2.6"/></pattern></defs>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${CANVAS.margin}" y="28" font-size="17" font-weight="600">${shortened(xmlText(title), MAX_TITLE_CHARACTERS)}</text>
${subtitles.map((line, at) => html`<text x="${CANVAS.margin}" y="${48 + at * 18}" fill="${COLOURS.muted}">${shortened(xmlText(line), MAX_SUBTITLE_CHARACTERS)}</text>`)}
${legendMarkup(legend)}
${content}
</svg>
`),
  );
}

function legendMarkup(legend: readonly LegendKey[]): Markup {
  let x: number = CANVAS.margin;
  const entries = legend.map(({ label, mark }) => {
    const at = x;
    x += 28 + label.length * CHARACTER_PX + 14;
    return html`${mark(at, CANVAS.legendY - 4)}<text x="${at + 28}" y="${CANVAS.legendY}">${label}</text>`;
  });
  return html`<g>${entries}</g>`;
}

/** Tenths of a pixel are enough on screen. */
export const px = (length: number): string => String(Math.round(length * 10) / 10);

/** Cuts a text so that it fits into a width at 11 px. */
export const fitting = (text: string, widthPx: number): string => {
  const maxCharacters = Math.floor(widthPx / SMALL_CHARACTER_PX);
  return maxCharacters < 2 ? '' : shortened(xmlText(text), maxCharacters);
};

/** Generous, at 11 px. */
export const SMALL_CHARACTER_PX = 6.6;

/** Maps a value to a place on the canvas; values outside are clamped to the range. */
export type Scale = (value: number) => number;

/** Values beyond the two are clamped to the range; where both are equal everything is at the first place. */
export function linearScale(values: readonly [number, number], places: readonly [number, number]): Scale {
  const [low, high] = values;
  const [from, to] = places;
  return (value) => from + (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0) * (to - from);
}

/** A line key, such as that of a curve. */
export const lineKey =
  (colour: string, dash = ''): LegendKey['mark'] =>
  (x, middle) =>
    html`<path d="M${x} ${middle}h22" stroke="${colour}" stroke-width="2.2" stroke-dasharray="${dash}"/>`;

/** A filled bar, as the mark of a legend's entry. */
export const boxKey =
  (fill: string): LegendKey['mark'] =>
  (x, middle) =>
    html`<rect x="${x}" y="${middle - 5}" width="22" height="10" fill="${fill}"/>`;

interface ByteTick {
  readonly bytes: number;
  /** `150 kB`; 1 kB is 1000 bytes. */
  readonly label: string;
}

const STEPS = [1, 2, 5];

/** Round ticks for an axis of bytes, from 0 up to `endBytes`, at most `most` besides 0. */
export function byteTicks(endBytes: number, most: number): readonly ByteTick[] {
  if (!(endBytes > 0) || !Number.isFinite(endBytes)) return [{ bytes: 0, label: '0' }];
  const least = endBytes / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, (STEPS.find((each) => each * power >= least * (1 - 1e-9)) ?? 10) * power);
  return Array.from({ length: Math.floor(endBytes / step + 1e-9) + 1 }, (_, at) => ({ bytes: at * step, label: bytesText(at * step) }));
}

/** `640 B`, `150 kB`, `1.5 MB`. */
export function bytesText(bytes: number): string {
  if (bytes === 0) return '0';
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${trimmed(bytes / 1000)} kB`;
  return `${trimmed(bytes / 1e6)} MB`;
}

const trimmed = (value: number): string => String(Number(value.toPrecision(3)));

/**
 * The name of a requested resource, as short as a picture has room for: `picture-0.png` of `/images/t2/picture-0.png`; the folder where the path ends
 * in one.
 */
export function resourceName(target: string): string {
  const path = target.split('?')[0] ?? target;
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1);
  if (last === undefined) return '/';
  return path.endsWith('/') ? `/${parts.join('/')}/` : last;
}
