import { describe, expect, it } from 'vitest';
import { answerSentence } from '../../../../../src/core/answer/format-answer.ts';
import { buildReport } from '../../../../../src/core/report/build-report.ts';
import { reportHtml } from '../../../../../src/core/report/html/report-html.ts';
import type { Report } from '../../../../../src/core/report/report.ts';
import { recommendationLines } from '../../../../../src/core/report/shown-comparison.ts';
import { html, markupText } from '../../../../../src/core/text/markup.ts';
import { sampleReport } from '../../../../golden/sample-report.ts';

const HOSTILE = `</style><script>alert(1)</script><img src=x onerror="alert(1)">'&`;

/** Closed sets of words, which the parser checks. */
const CLOSED = ['verdict', 'state', 'kind', 'basis', 'carrier', 'role'];

/** The value with every string in it replaced, but for closed sets. */
function withEveryText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((inner) => withEveryText(inner, text));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, CLOSED.includes(key) ? inner : withEveryText(inner, text)]));
}

describe('reportHtml', () => {
  const page = reportHtml(sampleReport());

  it('begins with the recommendation', () => {
    const lines = recommendationLines(sampleReport().comparison);
    expect(lines).toHaveLength(2);
    const text = markupText(html`${lines.map((line) => html`<p>${line}</p>`)}`);
    const paragraphs = text.replace(/(?<=To use it: ).+? gateway(?: --[a-z]+ \d+)+/, '<code>$&</code>');
    expect(paragraphs).not.toBe(text);
    expect(page).toContain(`<p class="state">Recommended</p>${paragraphs}`);
    expect(page.indexOf('class="answer"')).toBeLessThan(page.indexOf('<section>'));
  });

  it('begins with the answer of everyday loads, where it holds one', () => {
    const change = { gain: 0.42, low: 0.23, high: 0.65 };
    const finding = { from: 'trial', state: 'confirmed', profileId: 'c12-d1', carrier: 'none', change, loads: 40 } as const;
    const page = reportHtml({ ...sampleReport(), answer: { sentence: answerSentence(finding), finding } }).replaceAll('\u00a0', ' ');
    expect(page).toContain(`<div class="answer is-recommended"><p class="state">Proven here</p><p>${answerSentence(finding)}</p></div>`);
    for (const line of recommendationLines(sampleReport().comparison)) expect(page).not.toContain(line);
  });

  it('has no column for what carries a depth where no profile has one', () => {
    const { comparison, ...rest } = sampleReport();
    const profiles = comparison.profiles.filter(({ carrier }) => carrier === 'none');
    expect(page).toContain('Depth by</th>');
    expect(reportHtml({ ...rest, comparison: { ...comparison, profiles } })).not.toContain('Depth by</th>');
  });

  it('lets no text become markup', () => {
    const hostile = reportHtml(withEveryText(sampleReport(), HOSTILE) as Report);
    expect(hostile).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
    expect(hostile).not.toMatch(/<(script|img)/);
    const tags = (text: string) => new Set([...text.matchAll(/<\/?([a-z!][a-z0-9-]*)/gi)].map(([, tag]) => tag));
    expect([...tags(hostile)].filter((tag) => !tags(page).has(tag))).toEqual([]);
    // Quotes cannot end an attribute early: every tag is well formed.
    expect(
      hostile.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<[!/]?[a-z][a-z0-9-]*(\s+[a-z0-9-]+("[^"]*"|="[^"]*")?)*\s*\/?>/gi, ''),
    ).not.toMatch(/[<>]/);
  });

  it('needs nothing from anywhere', () => {
    expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;`);
    expect(page).not.toMatch(/\s(src|href|action|onload|onclick)=|url\(|@import|https?:/);
  });

  it('says of which kind each link is', () => {
    expect(page).toContain('Links: slow (packet); dsl (relay)');
    const { links, ...rest } = sampleReport();
    const alike = links.map((link) => ({ ...link, kind: 'packet' as const }));
    expect(reportHtml({ ...rest, links: alike })).toContain('Links: slow, dsl (packet)');
    expect(page).toContain('relay: connect delay and rate only, no packet effects');
  });

  it('names void loads with the reason, the seed and the Firefox', () => {
    expect(page).toContain('the origin counted 8 requests outstanding where at most 6 were intended');
    expect(page).toContain('<dt>Seed</dt><dd>11</dd>');
    expect(page).toContain('<dd>153.7.0, esr, build 20260101000000</dd>');
  });

  it('shows the fastest profile first, in the chart and in every table of profiles', () => {
    const order = [...page.matchAll(/<div class="label"><b>([^<]+)/g)].map(([, id]) => id);
    expect(order).toEqual(['c4-d6', 'c8-d1', 'c6-d1-gateway', 'c1-d2']);
    const [profiles, scenarios] = (page.match(/<table>[\s\S]*?<\/table>/g) ?? []).map((table) =>
      [...table.matchAll(/<th scope="row">([^<]+)/g)].map(([, id]) => id),
    );
    const withBaseline = ['c4-d6', 'c8-d1', 'firefox-default', 'c6-d1-gateway', 'c1-d2'];
    expect([profiles, scenarios]).toEqual([withBaseline, withBaseline]);
  });

  it('has a heading for every column and row', () => {
    const tables = page.match(/<table>[\s\S]*?<\/table>/g) ?? [];
    expect(tables).toHaveLength(5);
    for (const table of tables) {
      expect(table).toContain('<caption>');
      const columns = (table.match(/<th scope="col">/g) ?? []).length;
      for (const row of table.match(/<tr><th scope="row">[\s\S]*?<\/tr>/g) ?? []) {
        expect((row.match(/<td/g) ?? []).length + 1).toBe(columns);
      }
    }
  });

  it('shows a report without any load', () => {
    const { provenance, links, pages, profiles, createdAt } = sampleReport();
    const empty = buildReport({ createdAt, provenance, links, pages, profiles, loads: [], baseline: 'firefox-default' });
    expect(reportHtml(empty)).toContain('no pair of loads');
    expect(reportHtml(empty)).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it('stays small with very many loads', () => {
    const report = sampleReport();
    const loads = Array.from({ length: 40 }, (_, copy) => report.loads.map((load) => ({ ...load, block: load.block + 3 * copy }))).flat();
    // 480 pairs per profile, of which 200 are drawn.
    expect(reportHtml({ ...report, loads }).match(/class="pair"/g)).toHaveLength(800);
  });
});
