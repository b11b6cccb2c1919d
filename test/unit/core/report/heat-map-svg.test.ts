import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeStep, HEAT_STEPS, type HeatMapCell, heatMapSvg, shadeOf } from '../../../../src/core/report/heat-map-svg.ts';
import { darkOf, PICTURE } from '../../../../src/core/text/svg-picture.ts';
import { xmlFault } from '../../../support/well-formed.ts';

const draw = (cells: readonly (readonly (HeatMapCell | undefined)[])[], title = 'Mean efficiency') =>
  heatMapSvg({
    title,
    subtitle: 'over 56 scenarios',
    columns: { name: 'depth', labels: (cells[0] ?? []).map((_, at) => `d${at}`) },
    rows: { name: 'connections', labels: cells.map((_, at) => `c${at}`) },
    cells,
    shows: { digits: 2 },
  });

/** Relative luminance, WCAG 2.1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.1, 1.4.3. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const shadesOf = (svg: string) => [...svg.matchAll(/<g><rect [^>]*fill="(#\w+)"/g)].map(([, shade]) => shade);
const figuresOf = (svg: string) =>
  [...svg.matchAll(/font-size="1[35]" font-weight[^>]*>([^<]+)</g)].map(([, text]) => text?.replaceAll('\u00a0', ' '));

describe('a heat map of amounts', () => {
  const svg = draw([
    [{ value: 0.45, note: 'default' }, { value: 0.6 }],
    [undefined, { value: 0.71, marked: true, note: 'pick' }],
  ]);

  it('has every figure in its cell, and a dash where nothing was measured', () => {
    expect(figuresOf(svg)).toEqual(['0.45', '0.60', '0.71']);
    expect(svg).toContain('>–</text>');
    expect(svg).toContain('>default<');
  });

  it('marks the cell it is told to, and no other', () => {
    expect(svg.match(/class="mark"/g)).toHaveLength(1);
  });

  it('is lightest at the lowest figure and darkest at the highest', () => {
    expect([shadesOf(svg)[0], shadesOf(svg).at(-1)]).toEqual([shadeOf(0), shadeOf(HEAT_STEPS)]);
  });

  it('does not give the scale to an outlier: the others keep their shades, and the key says where it ends', () => {
    const row = [0.6, 0.61, 0.62, 0.63, 0.64, 0.65].map((value) => ({ value }));
    const [lowest, ...others] = shadesOf(draw([[{ value: 0.1 }, ...row]]));
    expect([lowest, ...new Set(others)]).toHaveLength(7);
    expect(draw([[{ value: 0.1 }, ...row]])).toContain('0.60 and lower');
    expect(draw([row])).not.toContain('and lower');
  });

  it('has room for a cell, and says so, where nothing is measured or all are the same', () => {
    expect(draw([[undefined]])).toContain('Nothing measured yet');
    expect(draw([[{ value: 0.5 }, { value: 0.5 }]])).not.toContain('NaN');
  });
});

describe('a heat map of changes', () => {
  it('is centred on 1, alike on both sides, and ends at a factor of 1.5', () => {
    expect([1, 1.029, 0.971].map(changeStep)).toEqual([0, 0, 0]);
    // ln 1.25 / ln 1.5 is .55 of the way, the third of five steps; so is its inverse.
    expect([1.25, 1 / 1.25, 1.5, 1 / 1.5, 9, 0.1].map(changeStep)).toEqual([3, -3, 5, -5, 5, -5]);
  });

  it('writes changes with sign and unit, and white where they mean nothing', () => {
    const svg = heatMapSvg({
      ...{ title: 'Change', subtitle: 'of speed', shows: 'change' },
      columns: { name: 'link', labels: ['a-very-long-link-name', 'b', 'c'] },
      rows: { name: 'settings', labels: ['16 connections'], ids: ['c16-d1'] },
      cells: [[{ value: 1.25 }, { value: 1.01 }, { value: 0.5 }]],
    });
    expect(figuresOf(svg)).toEqual(['+25 %', '+1 %', '−50 %']);
    expect(shadesOf(svg)).toEqual([shadeOf(3), '#ffffff', shadeOf(-HEAT_STEPS)]);
    expect(svg).toContain('>c16-d1<');
    // A name that is wider than its column stands on several lines.
    expect([...svg.matchAll(/<tspan [^>]*>([^<]+)</g)].map(([, text]) => text)).toEqual(
      expect.arrayContaining(['a-very-', 'long-link-', 'name']),
    );
  });
});

describe('a heat map of what is measured and what is predicted', () => {
  const of = (isPredicted: boolean) =>
    heatMapSvg({
      ...{ title: 'Change', subtitle: 'of speed', shows: 'change', isNarrow: true },
      columns: { name: 'requests', labels: ['1', '2'] },
      rows: { name: 'connections', labels: ['6'] },
      cells: [[{ value: 1.25 }, { value: 1.25, isPredicted }]],
    });

  it('has the same shade for the same change, and hatches only what is predicted: in its cell, and once in the key', () => {
    const svg = of(true);
    expect(shadesOf(svg)).toEqual([shadeOf(3), shadeOf(3)]);
    expect(svg.match(/<rect class="predicted"/g)).toHaveLength(2);
    expect(figuresOf(svg)).toEqual(['+25 %', '≈ +25 %']);
    expect(svg).toMatch(/>measured<[\s\S]*>predicted</);
    expect(xmlFault(svg)).toBeUndefined();
  });

  it('says nothing of predictions where there are none, and is as wide as its cells', () => {
    const svg = of(false);
    expect(svg).not.toMatch(/predicted|hatch/);
    // 92 px for the rows' labels, two cells of 66, and 20 px at the end.
    expect(svg).toContain('width="244"');
  });
});

it('has ink with a contrast of 4.5:1 on every shade, in light and in dark', () => {
  for (let step = -HEAT_STEPS; step <= HEAT_STEPS; step++) {
    expect(contrast(PICTURE.ink, shadeOf(step))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(darkOf(PICTURE.ink), darkOf(shadeOf(step)))).toBeGreaterThanOrEqual(4.5);
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
