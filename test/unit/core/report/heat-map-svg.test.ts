import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HeatMapCell, heatMapSvg, inkOn, shadeOf } from '../../../../src/core/report/heat-map-svg.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const draw = (cells: readonly (readonly (HeatMapCell | undefined)[])[], title = 'Mean efficiency') =>
  heatMapSvg({
    title,
    subtitle: 'over 56 scenarios',
    columns: { name: 'depth', labels: (cells[0] ?? []).map((_, at) => `d${at}`) },
    rows: { name: 'connections', labels: cells.map((_, at) => `c${at}`) },
    cells,
  });

/** Relative luminance, WCAG 2.1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('a heat map', () => {
  const svg = draw([
    [{ value: 0.45, note: 'default' }, { value: 0.6 }],
    [undefined, { value: 0.71, marked: true, note: 'pick' }],
  ]);

  it('has every figure in its cell, and a dash where nothing was measured', () => {
    expect([...svg.matchAll(/>(0\.\d\d|–)<\/text>/g)].map(([, text]) => text)).toEqual(['0.45', '0.60', '–', '0.71']);
    expect(svg).toContain('>default<');
    expect(svg).toContain('from 0.45, lightest, to 0.71, darkest');
  });

  it('marks the cell it is told to, and no other', () => {
    expect(svg.match(/stroke-width="3"/g)).toHaveLength(1);
  });

  it('is lightest at the lowest figure and darkest at the highest', () => {
    const shades = [...svg.matchAll(/<g><rect [^>]*fill="(#\w+)"/g)].map(([, shade]) => shade);
    expect(shades[0]).toBe(shadeOf(0));
    expect(shades.at(-1)).toBe(shadeOf(1));
  });

  it('has room for a cell, and says so, where nothing is measured or all are the same', () => {
    expect(draw([[undefined]])).toContain('nothing measured yet');
    expect(draw([[{ value: 0.5 }, { value: 0.5 }]])).not.toContain('NaN');
  });
});

it('gets darker with the figure, so that it reads in black and white, and its text has a contrast of 4.5:1', () => {
  const shares = Array.from({ length: 101 }, (_, at) => at / 100);
  const lights = shares.map((share) => luminance(shadeOf(share)));
  for (const [at, light] of lights.entries()) if (at > 0) expect(light).toBeLessThan(lights[at - 1] ?? 0);
  for (const share of shares) {
    const [ink, paper] = [luminance(inkOn(share)), luminance(shadeOf(share))].sort((a, b) => b - a);
    expect(((ink ?? 0) + 0.05) / ((paper ?? 0) + 0.05)).toBeGreaterThanOrEqual(4.5);
  }
});

it('is well-formed whatever it is called and holds', () => {
  const cell = fc.option(fc.record({ value: fc.double({ min: 0, max: 1, noNaN: true }), note: fc.string({ unit: 'binary' }) }), {
    nil: undefined,
  });
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 4 }),
      (title, cells) => {
        expect(xmlFault(draw(cells, title))).toBeUndefined();
      },
    ),
  );
});
