import { expect, it } from 'vitest';
import type { Report } from '../../../../src/core/report/report.ts';
import { reportMarkdown } from '../../../../src/core/report/report-markdown.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

it('shows markup, directions and line breaks of a report as text', () => {
  const bad = '<img src=x onerror=alert(1)>|[x](javascript:1)\u202E\n# heading `code`';
  const report = sampleReport();
  const [profile, ...others] = report.comparison.profiles;
  if (profile === undefined) throw new Error('There is no profile');
  const hostile: Report = {
    ...report,
    links: [{ name: bad, kind: 'real', basis: 'estimated' }],
    provenance: { ...report.provenance, os: bad, notes: [bad] },
    comparison: {
      ...report.comparison,
      baseline: bad,
      profiles: [{ ...profile, id: bad }, ...others],
      recommendation: { ...report.comparison.recommendation, sentence: bad },
    },
  };
  const text = reportMarkdown(hostile);
  // Within a code span nothing is markup.
  expect(text.replaceAll(/(`+) .*? \1(?!`)/g, '')).not.toMatch(/(?<!\\)<img|(?<!\\)\[x\]|\u202E|^# /m);
  // As many rows as there are profiles, with the head and the rule.
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(report.comparison.profiles.length + 2);
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7);
});
