import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { html } from '../../../../src/core/text/markup.ts';
import { darkOf, headingPx, linesFitting, PICTURE, svgPicture, withDarkMode } from '../../../../src/core/text/svg-picture.ts';
import { contrast } from '../../../support/contrast.ts';

const published = readdirSync('docs/results', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.svg'));

describe('the dark mode of a picture', () => {
  it('turns lightness over: white paper is dark, black ink is nearly white', () => {
    // 0.98 - 0.87 * 1 is 0.11, 28 of 255; 0.98 of 255 is 250.
    expect([darkOf('#fff'), darkOf('#000000')]).toEqual(['#1c1c1c', '#fafafa']);
  });

  it('keeps the hue: of equal channels, and of the strongest', () => {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(darkOf('#103668').slice(at, at + 2), 16));
    expect(blue).toBeGreaterThan(green ?? 255);
    expect(green).toBeGreaterThan(red ?? 255);
  });

  it('has one rule for each colour of the picture, and is not added twice', () => {
    const once = withDarkMode('<svg><title>a</title>\n<path fill="#fff" stroke="#1d1b20"/><path fill="#fff"/></svg>');
    expect(once.match(/\[fill="#fff"\]/g)).toHaveLength(1);
    expect(once).toContain('[stroke="#1d1b20"]{stroke:');
    expect(withDarkMode(once)).toBe(once);
  });

  it.each(published)('is in %s, and what stands out from its paper in light does so in dark (WCAG 2.1, 1.4.11)', (path) => {
    const svg = readFileSync(`docs/results/${path}`, 'utf8');
    expect(withDarkMode(svg)).toBe(svg);
    const colours = new Set([...svg.matchAll(/(?:fill|stroke)="(#[\da-f]+)"/g)].map(([, colour = '']) => colour));
    const lost = [...colours].filter(
      (colour) => contrast(colour, PICTURE.paper) >= 3 && contrast(darkOf(colour), darkOf(PICTURE.paper)) < 3,
    );
    expect(lost).toEqual([]);
  });
});

describe('text of a picture', () => {
  it('is broken at spaces and after hyphens, never cut', () => {
    // 10 px a character at 0.6: 60 px hold ten at 10 px.
    expect(linesFitting('cable-50m-loss1 now', 60, 10)).toEqual(['cable-50m-', 'loss1 now']);
    expect(linesFitting('unbreakable', 20, 10)).toEqual(['unbreakable']);
  });

  it('gets smaller where a heading has to stand on one line', () => {
    // 100 characters of 0.64 em in 640 px: 10 px.
    expect([headingPx('x'.repeat(100), 640), headingPx('x', 640)]).toEqual([10, 17]);
  });

  it('has its heading in as many lines as it needs, above the body', () => {
    const tops: number[] = [];
    const draw = (title: string) =>
      svgPicture({
        ...{ width: 200, title, subtitle: 's' },
        body: (top) => {
          tops.push(top);
          return { markup: html`<g></g>`, bottom: top + 10 };
        },
      });
    draw('short');
    draw('a heading that is much longer than two hundred pixels');
    expect(tops[1]).toBeGreaterThan(tops[0] ?? 0);
  });
});
