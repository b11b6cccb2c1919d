/** A report that was saved and is read again says the same, to the last digit: in the dashboard, and to `report` and `compare`. */
import { describe, expect, it } from 'vitest';
import { recordedLoadTimeMs } from '../../../../src/core/har/page-from-har.ts';
import { writeHar } from '../../../../src/core/har/write-har.ts';
import { loadWindow } from '../../../../src/core/measure/load-window.ts';
import { mergeReports } from '../../../../src/core/report/merge/merge-reports.ts';
import { reportText } from '../../../../src/core/report/report.ts';
import { reportSummary } from '../../../../src/core/report/shown-report.ts';
import { importHar } from '../../../../src/lab/pages/import-har.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

describe('a report', () => {
  const report = sampleReport();
  const again = parseReport(JSON.parse(reportText(report)));

  it('has the same ratios, intervals and verdicts when it is read', () => {
    expect(again.comparison).toEqual(report.comparison);
    expect(reportSummary(again)).toEqual(reportSummary(report));
  });

  it('and when it is compared again from its loads', () => {
    const { comparison } = mergeReports([again]);
    const figures = ({ profiles }: typeof comparison) =>
      profiles.map(({ id, versusBaseline: { ratio, low, high, verdict, pairs } }) => ({ id, ratio, low, high, verdict, pairs }));
    expect(figures(comparison)).toEqual(figures(report.comparison));
    expect(figures(comparison).filter(({ low }) => low !== undefined).length).toBeGreaterThan(2);
    expect(comparison.recommendation).toEqual(report.comparison.recommendation);
  });
});

it('a HAR that was saved becomes a page of the lab with every request, and tells the same load time', () => {
  const load = waterfall(`
    load event=500
    a.test/      main_frame fetch=0 dns=0-10 connect=10-100 send=100 first=200 end=250 bytes=1000 h1
    a.test/a.css stylesheet fetch=260 reused send=260 first=300 end=310 bytes=2000 h1
    a.test/p.png image      fetch=310 reused send=350 first=400 end=1000 bytes=30000 h1`);
  const har = JSON.parse(JSON.stringify(writeHar([load], { plumbfox: '0.1.0' })));
  const window = loadWindow(load);
  expect(recordedLoadTimeMs(har)).toBe(window && window.end - window.start);
  for (const { time, timings } of har.log.entries) {
    const { blocked, dns, connect, send, wait, receive } = timings;
    const sum = [blocked, dns, connect, send, wait, receive].reduce((total: number, phase: number) => total + Math.max(0, phase), 0);
    expect(sum).toBe(time);
  }
  const { recipe } = importHar(har, { name: 'saved' });
  expect(recipe.resources).toHaveLength(2);
});
