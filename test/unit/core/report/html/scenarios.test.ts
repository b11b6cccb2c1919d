import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../../src/core/compare/comparison.ts';
import { heatClass, pageLinkMap, scenarioTable } from '../../../../../src/core/report/html/scenarios.ts';
import { markupText } from '../../../../../src/core/text/markup.ts';
import { sampleReport } from '../../../../golden/sample-report.ts';

const { comparison, loads } = sampleReport();

/** The four scenarios of the sample and a fifth: 1.00 s by default, 0.80 s and 2.00 s with two profiles, nothing of the others. */
const five: Comparison = {
  ...comparison,
  scenarios: [
    ...comparison.scenarios,
    {
      page: 'news',
      link: 'far',
      profiles: [
        { id: 'firefox-default', loads: 3, efficiencyMedian: 0.5, loadTimeMsMedian: 1000 },
        { id: 'c4-d6', loads: 3, efficiencyMedian: 0.6, loadTimeMsMedian: 800 },
        { id: 'c1-d2', loads: 3, efficiencyMedian: 0.3, loadTimeMsMedian: 2000 },
      ],
    },
  ],
};

const rowOf = (table: string, name: string): readonly string[] => {
  const row = table.split('</tr>').find((each) => each.includes(`<th scope="row">${name}</th>`)) ?? '';
  return [...row.matchAll(/<td(?: data-h="[^"]*")?(?: class="([^"]*)")?>([^<]*)</g)].map(([, kind, text]) =>
    `${text?.replaceAll('\u00a0', ' ')} ${kind ?? ''}`.trim(),
  );
};

describe('scenarioTable', () => {
  it('has medians in columns while there are few pages over links', () => {
    expect(markupText(scenarioTable(comparison))).toContain('<th scope="col">wiki over slow</th>');
  });

  it('is a heat map around the baseline where there are many: 1000 / 800 is +25 %, 1000 / 2000 is −50 %', () => {
    const table = markupText(scenarioTable(five));
    expect(rowOf(table, 'news over far')).toEqual(['1.00 s', '+25 % faster-3', '–', '–', '−50 % slower-5']);
  });
});

describe('pageLinkMap', () => {
  const mapOf = (of: Comparison, profileId: string) => {
    const markup = pageLinkMap(
      { comparison: of, loads: [...loads, ...loads.slice(0, 1).map((load) => ({ ...load, page: 'news' }))] },
      { profileId, over: undefined },
    );
    return markup === undefined ? undefined : markupText(markup);
  };

  it('has a row for each page and a column for each link, and a dash where there are no loads', () => {
    const map = mapOf(five, 'c4-d6') ?? '';
    expect(map).toContain(
      '<tr><th scope="col">Page</th>\n<th scope="col">slow</th>\n<th scope="col">dsl</th>\n<th scope="col">far</th></tr>',
    );
    // 1000 / 800 is +25 %, the third of five steps.
    expect(rowOf(map, 'news')).toEqual(['–', '–', '+25 % faster-3']);
    expect(map).toContain('of 2 to 3 loads of each');
  });

  it('is nothing where one page over one link has loads of both', () => {
    expect(mapOf({ ...five, scenarios: five.scenarios.slice(-1) }, 'c4-d6')).toBeUndefined();
    expect(mapOf(five, 'c99-d1')).toBeUndefined();
  });
});

describe('heatClass', () => {
  it('is centred on 1, alike on both sides, and ends at a factor of 1.5', () => {
    expect([1, 1.029, 0.971].map(heatClass)).toEqual(['heat-0', 'heat-0', 'heat-0']);
    // ln 1.25 / ln 1.5 is .55 of the way, the third of five steps; so is its inverse.
    expect([1.25, 1 / 1.25].map(heatClass)).toEqual(['faster-3', 'slower-3']);
    expect([1.5, 1 / 1.5, 9, 0.1].map(heatClass)).toEqual(['faster-5', 'slower-5', 'faster-5', 'slower-5']);
  });
});
