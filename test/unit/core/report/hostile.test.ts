/** A report from anywhere may hold any text and any number: it is refused in one line, or shown with its structure as it was. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { reportHtml } from '../../../../src/core/report/html/report-html.ts';
import { perfherder, perfherderLine } from '../../../../src/core/report/perfherder.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { reportMarkdown } from '../../../../src/core/report/report-markdown.ts';
import { reportTable } from '../../../../src/core/report/report-table.ts';
import { reportSummary } from '../../../../src/core/report/shown-report.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';
import { sampleReport } from '../../../golden/sample-report.ts';

type Json = Record<string, unknown>;

/** The report with each value that `change` wants to be another. */
function changed(report: Report, change: (value: unknown, path: string) => unknown): Json {
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((inner, at) => visit(inner, `${path}.${at}`));
    if (typeof value !== 'object' || value === null) return change(value, path);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner, path === '' ? key : `${path}.${key}`)]));
  };
  return visit(report, '') as Json;
}

/** What is made; `undefined`: refused, in one line that names the place. */
function read<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof PlumbfoxError)) throw error;
    expect(error.kind).toBe('bad-input');
    expect(error.message).not.toMatch(/\n/);
    expect(error.message.length).toBeLessThan(400);
    return undefined;
  }
}

const tagsOf = (page: string): readonly string[] => page.match(/<\/?[a-z!][a-z0-9-]*/gi) ?? [];
const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync('test/fixtures/perfherder.schema.json', 'utf8')));

function expectSound(report: Report, what: string): void {
  const page = read(() => reportHtml(report));
  // Figures that are none together are refused when the page is made.
  if (page === undefined) return;
  const shown = {
    page,
    markdown: reportMarkdown(report),
    table: reportTable(report.comparison),
    summary: JSON.stringify(reportSummary(report)),
  };
  for (const [name, text] of Object.entries(shown)) {
    const at = text.search(/NaN|(?<!\w)Infinity|undefined|\[object/);
    expect.soft(at < 0 ? undefined : text.slice(Math.max(0, at - 80), at + 40), `${what}: ${name}`).toBeUndefined();
  }
  expect.soft(validate(JSON.parse(JSON.stringify(perfherder(report)))), `${what}: Perfherder`).toBe(true);
  expect(perfherderLine(report).split('\n')).toHaveLength(2);
}

/** The figures that a report holds, by where they stand: one of each kind of place. */
const PLACES = [
  ...new Set(
    (() => {
      const paths: string[] = [];
      changed(sampleReport(), (value, path) => {
        if (typeof value === 'number') paths.push(path.replaceAll(/\.\d+(?=\.|$)/g, '.*'));
        return value;
      });
      return paths;
    })(),
  ),
];

describe('figures', () => {
  it.each([-0, 1e308, -1e308, 5e-324, 2 ** 53])('of %d are refused in a line, or shown as text', (figure) => {
    let shown = 0;
    for (const place of PLACES) {
      const json = changed(sampleReport(), (value, path) =>
        typeof value === 'number' && path.replaceAll(/\.\d+(?=\.|$)/g, '.*') === place ? figure : value,
      );
      const report = read(() => parseReport(json));
      if (report === undefined) continue;
      shown += 1;
      expectSound(report, place);
    }
    expect(PLACES.length).toBeGreaterThan(40);
    expect(shown).toBeGreaterThan(10);
  });

  it.each(['NaN', 'Infinity', '1e999'])('that JSON cannot hold are refused: %s', (figure) => {
    const text = JSON.stringify(sampleReport()).replace(/"order":\d+/, `"order":${figure}`);
    const json = (() => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    })();
    expect(read(() => parseReport(json))).toBeUndefined();
  });
});

describe('texts', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '\u202Egnp.exe\u2066\u200F',
    "=cmd|' /C calc'!A0",
    '| a | b |\n| --- | --- |\n',
    '`'.repeat(5),
    '</table></main><script>alert(1)</script>',
    '\u0000\u0007\u001B[31m',
    'x'.repeat(1_000_000),
  ];
  const places = (): readonly string[] => {
    const found: string[] = [];
    changed(sampleReport(), (value, path) => {
      if (typeof value === 'string') found.push(path.replaceAll(/\.\d+(?=\.|$)/g, '.*'));
      return value;
    });
    return [...new Set(found)];
  };

  it.each(HOSTILE)('%.30j changes no structure of HTML, Markdown, terminal and Perfherder, wherever it stands', (text) => {
    const plain = sampleReport();
    const rows = (markdown: string) => markdown.split('\n').filter((line) => line.startsWith('|'));
    const tags = new Set(tagsOf(reportHtml(plain)));
    let shown = 0;
    for (const place of places()) {
      const json = changed(plain, (value, path) =>
        typeof value === 'string' && path.replaceAll(/\.\d+(?=\.|$)/g, '.*') === place ? text : value,
      );
      const report = read(() => parseReport(json));
      if (report === undefined) continue;
      shown += 1;
      expectSound(report, place);
      const page = reportHtml(report);
      expect(
        tagsOf(page).filter((tag) => !tags.has(tag) && tag !== '<path'),
        place,
      ).toEqual([]);
      expect(page).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200F]/);
      const markdown = reportMarkdown(report);
      expect(markdown.replaceAll('\n', '')).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/u);
      expect(rows(markdown).length, place).toBe(rows(reportMarkdown(plain)).length);
      for (const row of rows(markdown)) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7);
      expect(reportTable(report.comparison).replaceAll('\n', '')).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/u);
    }
    expect(shown).toBeGreaterThan(15);
  });

  it('that a forum would make links of are text in Markdown', () => {
    const report = { ...sampleReport(), provenance: { ...sampleReport().provenance, notes: ['see https://evil.test and www.evil.test'] } };
    expect(reportMarkdown(report)).not.toMatch(/(?<!\\):\/\/|www\.evil/);
  });
});
