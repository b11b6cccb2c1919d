/** What every drawn picture has in common: its colours in light and in dark, and text that fits its width. */
import { html, type Markup, markupText, xmlText } from './markup.ts';

/** Colours of what is read, and of the lines that lead to it; each with at least 3:1 against the paper (WCAG 2.1, 1.4.11). */
export const PICTURE = {
  paper: '#fff',
  ink: '#1d1b20',
  faint: '#55505c',
  line: '#d9d6dd',
  band: '#eeedf2',
  measured: '#103668',
  predicted: '#a8480a',
} as const;

export const PICTURE_FONT = "system-ui, 'Liberation Sans', Arial, sans-serif";

const COLOUR = /(fill|stroke)="(#(?:[\da-f]{3}|[\da-f]{6}))"/g;
const STYLE = /(<\/title>\n?)(?:<style>@media \(prefers-color-scheme: dark\)[^<]*<\/style>\n?)?/;

/**
 * The same picture with a dark mode, which follows the reader's: every colour keeps its hue and turns its lightness over. One that the picture has
 * already is replaced.
 *
 * @param svg - A whole file with a title, whose colours are the attributes `fill` and `stroke`.
 */
export function withDarkMode(svg: string): string {
  const rules = [...new Set([...svg.matchAll(COLOUR)].map(([, attribute, colour]) => `${attribute} ${colour}`))].sort().map((rule) => {
    const [attribute = '', colour = ''] = rule.split(' ');
    return `[${attribute}="${colour}"]{${attribute}:${darkOf(colour)}}`;
  });
  return svg.replace(
    STYLE,
    (_, title: string) => `${title.trimEnd()}\n<style>@media (prefers-color-scheme: dark){${rules.join('')}}</style>\n`,
  );
}

/** White becomes the dark paper (lightness 0.11), black nearly white. Chosen, not measured: no pure black, no pure white. */
const DARK_LIGHTNESS = { ofBlack: 0.98, ofWhite: 0.11 } as const;
/** The channels move apart at most this much: a tint that is hardly seen on white stays one. Chosen, not measured. */
const MAX_STRETCH = 2;

/** The colour that stands for a light one on dark paper: same hue and saturation (HSL, CSS Color 4, section 7), its lightness turned over. */
export function darkOf(colour: string): string {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + least) / 2;
  const { ofBlack, ofWhite } = DARK_LIGHTNESS;
  const turned = ofBlack - (ofBlack - ofWhite) * lightness;
  // Moving and stretching all three channels alike keeps the hue; the stretch keeps the saturation, up to a bound.
  const stretch = Math.min(MAX_STRETCH, (1 - Math.abs(2 * turned - 1)) / Math.max(1e-9, 1 - Math.abs(2 * lightness - 1)));
  const parts = [red, green, blue].map((part) => (most === least ? turned : turned + (part - lightness) * stretch));
  return `#${parts
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Red, green and blue in 0..1 of `#abc` or `#aabbcc`. */
function channelsOf(colour: string): readonly number[] {
  const digits = colour.slice(1);
  const wide = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(wide.slice(at, at + 2), 16) / 255);
}

/** The size at which a heading on one line fits, px. */
export const headingPx = (text: string, roomPx: number): number =>
  Math.min(TITLE_PX, Math.floor((10 * roomPx) / textWidthPx(text, 1, true)) / 10);

/** Width of a character over its height, generous: no font is measured here. */
const CHARACTER_EM = 0.6;
const BOLD_EM = 0.64;

/** The room that a text needs, px. */
export const textWidthPx = (text: string, fontPx: number, isBold = false): number =>
  [...text].length * fontPx * (isBold ? BOLD_EM : CHARACTER_EM);

/** The text in lines that fit a width, broken at spaces and after hyphens; a piece that is wider stands on a line of its own. */
export function linesFitting(text: string, widthPx: number, fontPx: number, isBold = false): readonly string[] {
  const lines: string[] = [];
  for (const piece of text.split(/(?<=[-_/]|\s)/)) {
    const last = lines.at(-1);
    if (last !== undefined && textWidthPx((last + piece).trimEnd(), fontPx, isBold) <= widthPx) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines.map((line) => line.trim());
}

/** Lines below each other, every one at `x`; `y` is the base of the first. */
export const textLines = (
  lines: readonly string[],
  { x, y, stepPx }: { readonly x: number; readonly y: number; readonly stepPx: number },
): Markup => html`${lines.map((line, at) => html`<tspan x="${x}" y="${y + at * stepPx}">${xmlText(line)}</tspan>`)}`;

const TITLE_PX = 17;
const SUBTITLE_PX = 12;
const MARGIN = 20;

interface PictureInput {
  readonly width: number;
  readonly title: string;
  readonly subtitle: string;
  /** Draws below the heading, and says where it ends. @param top - Where the heading ends, px. */
  readonly body: (top: number) => { readonly markup: Markup; readonly bottom: number };
}

/** A whole file of well-formed XML: heading, then the body. No script, no font or image from anywhere. */
export function svgPicture({ width, title, subtitle, body }: PictureInput): string {
  const room = width - 2 * MARGIN;
  const titles = linesFitting(title, room, TITLE_PX, true);
  const subtitles = linesFitting(subtitle, room, SUBTITLE_PX);
  const subtitleY = 30 + titles.length * 21;
  const { markup, bottom } = body(subtitleY + (subtitles.length - 1) * 16);
  return withDarkMode(
    markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom}" viewBox="0 0 ${width} ${bottom}" role="img" font-family="${PICTURE_FONT}" font-size="13" fill="${PICTURE.ink}">
<title>${xmlText(title)}</title>
<rect width="100%" height="100%" fill="${PICTURE.paper}"/>
<text font-size="${TITLE_PX}" font-weight="600">${textLines(titles, { x: MARGIN, y: 30, stepPx: 21 })}</text>
<text font-size="${SUBTITLE_PX}" fill="${PICTURE.faint}">${textLines(subtitles, { x: MARGIN, y: subtitleY, stepPx: 16 })}</text>
${markup}
</svg>
`),
  );
}
