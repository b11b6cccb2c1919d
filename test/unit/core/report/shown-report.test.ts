import { expect, it } from 'vitest';
import type { Report } from '../../../../src/core/report/report.ts';
import { reportSummary } from '../../../../src/core/report/shown-report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const report = sampleReport();

it('has the answer, and a row for each profile, the fastest first', () => {
  const { lines, groups, facts } = reportSummary(report);
  expect(lines[0]).toMatch(/^By settings alone: /);
  expect(lines[1]).toContain('c4-d6');
  expect(groups).toHaveLength(1);
  expect(groups[0]?.rows.map(({ profile }) => profile)).toEqual(['c4-d6', 'c8-d1', 'firefox-default', 'c6-d1-gateway', 'c1-d2']);
  expect(groups[0]?.rows[0]).toMatchObject({ loads: '11 (1 excluded)', verdict: 'faster', change: '+26 % (+20 % to +34 %)' });
  expect(groups[0]?.rows[2]).toMatchObject({ change: '–', verdict: 'baseline' });
  expect(facts).toContainEqual({ term: 'loads', value: String(report.loads.length) });
});

it('bounds every text and every list, without control characters and changes of direction', () => {
  const bad = `\u202E\u0007${'x'.repeat(1_000_000)}`;
  const [profile] = report.comparison.profiles;
  if (profile === undefined) throw new Error('There is no profile');
  const hostile: Report = {
    ...report,
    provenance: { ...report.provenance, os: bad, plumbfox: bad, notes: Array.from({ length: 10_000 }, () => bad) },
    links: Array.from({ length: 1_000 }, () => ({ name: bad, kind: 'real' as const, basis: 'estimated' as const })),
    answer: { sentence: bad, finding: { from: 'nothing', why: 'not-predicted' } },
    comparison: { ...report.comparison, profiles: Array.from({ length: 1_000 }, () => ({ ...profile, id: bad })) },
  };
  const { lines, facts, groups, notes } = reportSummary(hostile);
  expect(groups[0]?.rows.length).toBe(100);
  expect(notes).toHaveLength(100);
  const texts = [...lines, ...notes, ...facts.map(({ value }) => value), ...(groups[0]?.rows.map((row) => row.profile) ?? [])];
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  }
});
