/**
 * The files a person sees, as they were when somebody last looked at them. A difference is shown line by line; when it is
 * meant, look at it in a browser and write it with: npx vitest run --project unit test/golden -u
 */
import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import { reportMarkdown } from '../../src/core/report/report-markdown.ts';
import { reportTable } from '../../src/core/report/report-table.ts';
import { sampleReport } from './sample-report.ts';

describe('the report of a made-up run', () => {
  it('is this HTML file', async () => {
    await expect(reportHtml(sampleReport())).toMatchFileSnapshot('sample-report.html.txt');
  });

  it('is this Markdown', async () => {
    await expect(reportMarkdown(sampleReport())).toMatchFileSnapshot('sample-report-markdown.txt');
  });

  it('is this table', async () => {
    await expect(reportTable(sampleReport().comparison, { width: 160 })).toMatchFileSnapshot('sample-report.txt');
  });

  it('is this table when the gateway itself costs something', async () => {
    await expect(reportTable(sampleReport({ controlEfficiency: 0.45 }).comparison, { width: 160 })).toMatchFileSnapshot(
      'sample-report-costly-gateway.txt',
    );
  });
});
