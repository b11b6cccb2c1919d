import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/core/compare/comparison.ts';
import { reportTable } from '../../../../src/core/report/report-table.ts';
import { recommendationLines } from '../../../../src/core/report/shown-comparison.ts';
import { wrapped } from '../../../../src/core/text/text-table.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

const { comparison } = sampleReport();

function renamed(to: string): Comparison {
  return { ...comparison, profiles: comparison.profiles.map((profile) => (profile.id === 'c8-d1' ? { ...profile, id: to } : profile)) };
}

/** From its heading on. */
const tableOf = (text: string): string => text.slice(text.search(/^profile {2}/m));

describe('reportTable', () => {
  it.each([200, 140, 120, 100, 80, 60])('fits into %d columns', (width) => {
    for (const line of reportTable(comparison, { width }).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('aligns its columns', () => {
    const [heading = '', rule = '', ...rows] = tableOf(reportTable(comparison, { width: 200 }))
      .split('\n')
      .slice(0, 7);
    const starts = [...rule.matchAll(/─+/g)].map(({ index }) => index);
    expect(starts).toHaveLength(8);
    for (const line of [heading, ...rows]) for (const start of starts.slice(1)) expect(line.slice(start - 2, start)).toBe('  ');
  });

  it('begins with the answer of everyday loads, and recommends nothing beside it', () => {
    const text = reportTable(comparison, { width: 10_000, answer: '12 connections are faster here: +42 %.' });
    expect(text.startsWith('12 connections are faster here: +42 %.\n\nprofile ')).toBe(true);
    for (const line of recommendationLines(comparison)) expect(text).not.toContain(line);
  });

  it('begins with the verdict, by settings alone and then with the gateway, and ends with what the gateway costs', () => {
    const text = reportTable(comparison, { width: 10_000, run: '60 loads.' });
    const lines = recommendationLines(comparison);
    expect(lines).toHaveLength(2);
    expect(text.startsWith(`${[...lines, '60 loads.'].join('\n\n')}\n\nprofile `)).toBe(true);
    expect(text.endsWith(`\n\n${comparison.control?.sentence}\n`)).toBe(true);
    const [first = ''] = reportTable(comparison, { width: 60, colour: true }).split('\n');
    expect(first.startsWith('\u001b[1mBy settings alone: ') && first.endsWith('\u001b[0m')).toBe(true);
  });

  it('marks what is compared with the control, at every width', () => {
    const costly = sampleReport({ controlEfficiency: 0.45 }).comparison;
    for (const width of [200, 100, 60, 40]) {
      expect(reportTable(costly, { width })).toMatch(/c4-d6.*\*[\s\S]*c4-d6.*faster|c4-d6.*\*.*faster/);
      expect(reportTable(costly, { width })).toContain('* against c6-d1-gateway');
    }
  });

  it('has no efficiency above 100 %, which the tolerance of a link would allow', () => {
    const efficiency = { estimate: 1.02, low: undefined, high: undefined };
    const text = reportTable(
      { ...comparison, profiles: comparison.profiles.map((profile) => ({ ...profile, efficiency })) },
      { width: 200 },
    );
    expect(text).toContain(' 100 % ');
    expect(text).not.toContain('102 %');
  });

  it('keeps every verdict in its row at 80 columns, rather than the carrier and the efficiency', () => {
    const text = reportTable(comparison, { width: 80 });
    expect(text).toMatch(/^c4-d6 .*% \(\+\d.* faster$/m);
    expect(text).not.toMatch(/^c4-d6: /m);
    expect(text).not.toContain('depth by');
    expect(reportTable(comparison, { width: 200 })).toMatch(/^c4-d6 +gateway .* faster$/m);
  });

  it('puts verdicts below where no row can hold them', () => {
    const text = reportTable(comparison, { width: 55 });
    expect(text).toMatch(/^c4-d6: faster$/m);
    expect(text).not.toMatch(/^firefox-default: /m);
  });

  it('has no column for what carries a depth where no profile has one', () => {
    const profiles = comparison.profiles.filter(({ carrier }) => carrier === 'none');
    expect(profiles.length).toBeGreaterThan(1);
    expect(reportTable({ ...comparison, profiles }, { width: 200 })).not.toContain('depth by');
  });

  it('keeps the interval of every ratio at 80 columns, and down to 55', () => {
    for (const width of [80, 55]) {
      const lines = tableOf(reportTable(comparison, { width })).split('\n');
      for (const id of ['c4-d6', 'c8-d1', 'c6-d1-gateway', 'c1-d2']) {
        expect(lines.find((line) => line.startsWith(id))).toMatch(/ [+−][\d.]+ % \([+−][\d.]+ to [+−][\d.]+\)/);
      }
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('breaks no line between a number and its unit', () => {
    const sentence = 'It took 0.71 s instead of 0.79 s, 12 kB and 3 servers at 2 Mbit/s.';
    for (let width = 12; width < sentence.length; width += 1) {
      expect(wrapped(sentence, width)).not.toMatch(/\d\n(?:s,|s |kB|Mbit)/);
      expect(wrapped(sentence, width).replaceAll('\n', ' ')).toBe(sentence);
    }
  });

  it('colours verdicts only when asked, and changes nothing else', () => {
    const plain = reportTable(comparison, { width: 200 });
    const coloured = reportTable(comparison, { width: 200, colour: true });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[32mfaster\u001b[0m');
    expect(coloured.replaceAll(/\p{Cc}\[\d+m/gu, '')).toBe(plain);
  });

  it('does not let a name steer the terminal', () => {
    const text = reportTable(renamed('c8\u001b[2J\u202e\r\nd1'), { width: 200 });
    expect(text).toContain('c8?[2J???d1');
    for (const character of ['\u001b', '\u202e', '\r']) expect(text).not.toContain(character);
  });

  it('keeps a number and its percent sign on one line', () => {
    for (const width of [40, 50, 60, 70]) for (const line of reportTable(comparison, { width }).split('\n')) expect(line).not.toMatch(/^%/);
  });
});
