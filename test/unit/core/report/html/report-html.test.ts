import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../../src/core/answer/answer.ts';
import { answerSentence } from '../../../../../src/core/answer/format-answer.ts';
import { buildReport } from '../../../../../src/core/report/build-report.ts';
import { reportHtml } from '../../../../../src/core/report/html/report-html.ts';
import type { Report } from '../../../../../src/core/report/report.ts';
import { recommendationLines } from '../../../../../src/core/report/shown-comparison.ts';
import { formatSearchAnswer } from '../../../../../src/core/search/format-search.ts';
import type { SearchAnswer } from '../../../../../src/core/search/search-record.ts';
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

/** Text of markup, with plain spaces. */
const plain = (markup: string): string =>
  markup
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

function cardOf(page: string) {
  const card = /<div class="answer[\s\S]*?(?=<section>|<h2>)/.exec(page)?.[0] ?? '';
  const first = (pattern: RegExp) => plain(pattern.exec(card)?.[0] ?? '');
  return {
    headline: first(/<h2[\s\S]*?<\/h2>/),
    figure: first(/<p class="figure[\s\S]*?<\/p>/) || undefined,
    rows: [...card.matchAll(/<li>[\s\S]*?<\/li>/g)].map(([row]) => plain(row)),
    commands: [...card.matchAll(/<code>([^<]*)/g)].map(([, command]) => command),
    text: plain(card),
  };
}

describe('reportHtml', () => {
  const page = reportHtml(sampleReport());

  it('begins with the card: headline, figure, rows, sentences, and what to do as a command', () => {
    const card = cardOf(page);
    expect(card.headline).toBe('Not enough data yet by settings alone.');
    expect(card.figure).toMatch(
      /^\+[\d.]+ % so far, with 8 connections, −[\d.]+ % to \+[\d.]+ %, 12 pairs of loads, against Firefox's own settings$/,
    );
    expect(card.rows.map((row) => row.split(/ c\d+-d\d+/)[0])).toEqual([
      '4 connections with up to 6 requests on each',
      '8 connections',
      "Firefox's own baseline",
      '1 connection with up to 2 requests on it',
    ]);
    expect(card.commands).toEqual(['plumbfox gateway --connections 4 --depth 6 SITE']);
    for (const line of recommendationLines(sampleReport().comparison)) {
      expect(card.text).toContain(line.replace(/ To use it: .*$/, ''));
    }
    expect(page.indexOf('class="answer')).toBeLessThan(page.indexOf('<section>'));
  });

  it('begins with the answer of everyday loads, where it holds one', () => {
    const change = { gain: 0.42, low: 0.23, high: 0.65 };
    const finding = { from: 'trial', state: 'confirmed', profileId: 'c12-d1', carrier: 'none', change, loads: 40 } as const;
    const answered = reportHtml({ ...sampleReport(), answer: { sentence: answerSentence(finding), finding } });
    const card = cardOf(answered);
    expect(card.headline).toBe('12 connections are faster here.');
    expect(card.figure).toBe("+42 % +23 % to +65 %, proven on 40 new page loads against Firefox's own settings.");
    expect(card.rows).toEqual(['12 connections c12-d1 +42 % +23 % to +65 %, 40 page loads', "Firefox's own baseline"]);
    expect(card.commands).toEqual(['plumbfox apply --profile c12-d1']);
    for (const line of recommendationLines(sampleReport().comparison)) expect(answered.replaceAll('\u00a0', ' ')).not.toContain(line);
  });

  it.each([
    [
      { from: 'prediction', profileId: 'c16-d1', carrier: 'none', change: { gain: 0.09, low: 0.04, high: 0.14 }, pages: 38 },
      /^≈ \+9 % faster than Firefox's own settings \(\+4 % to \+14 %\), predicted for 38 recent pages\.$/,
    ],
    [
      { from: 'reach', requests: 200, byConnections: 24, tried: { preferences: 3, of: 40, requests: 200 }, pages: 20, atMost: 0.01 },
      /^≤ 1 % is the most a setting could gain you, predicted for 20 recent pages\.$/,
    ],
    // Of an earlier version: the share is not of the loads that the report has.
    [
      { from: 'reach', requests: 200, byConnections: 24, tried: { preferences: 3, of: 40, requests: 200 }, atMost: 0.01 },
      /^≤ 1 % is the most a setting could gain you, predicted\.$/,
    ],
    [{ from: 'nothing', why: 'no-loads' }, undefined],
  ] as const)('has a figure with its ground, or none: %j', (finding, figure) => {
    const card = cardOf(reportHtml({ ...sampleReport(), answer: { sentence: answerSentence(finding), finding } }));
    if (figure === undefined) expect(card.figure).toBeUndefined();
    else expect(card.figure).toMatch(figure);
    expect(card.commands).toEqual([]);
  });

  it('says what the popup says, where the report holds a trial that has not ended', () => {
    const change = { gain: 0.29, low: 0.1, high: 0.5 };
    const common = { from: 'trial', state: 'running', isPaused: false, loads: 64 } as const;
    const shown = (finding: Answer) => cardOf(reportHtml({ ...sampleReport(), answer: { sentence: answerSentence(finding), finding } }));
    const leading = shown({ ...common, stage: 'leading', leader: { profileId: 'c12-d1', carrier: 'none', change } });
    expect(leading.text).toContain('12 connections are ahead, not proven yet: +29 % (+10 to +50 %), after 64 page loads.');
    const collecting = shown({ ...common, stage: 'collecting' });
    expect(collecting.headline).toBe('Trial running.');
    expect(collecting.text).toContain('64 loads so far, too early to say which is faster.');
    expect(shown({ ...common, stage: 'held' }).headline).toBe("This trial can't give an answer now.");
  });

  it.each([
    ['no-difference', 'no-meaningful-difference'],
    ['open', 'need-more-loads'],
  ] as const)('colours a trial by what it found, wherever its interval lies: %s', (state, kind) => {
    const found = { profileId: 'c8-d1', carrier: 'none', change: { gain: 0.01, low: 0.004, high: 0.018 } } as const;
    const trial = { from: 'trial', loads: 90 } as const;
    const finding: Answer = state === 'open' ? { ...trial, state, closest: found } : { ...trial, state, within: 0.03, ...found };
    const html = reportHtml({ ...sampleReport(), answer: { sentence: answerSentence(finding), finding } });
    expect(/<ul class="compared">[\s\S]*?<\/ul>/.exec(html)?.[0]).toContain(`<span class="value ${kind}"><b>+1`);
  });

  it('claims of a search no more than its own sentence does, and says it once', () => {
    const screening = { combinations: 4, simulatedLoads: 4, supported: 0, possible: 0, knobs: [], outOfReach: [], shortlist: [] };
    const cardOfSearch = (answer: SearchAnswer) => {
      const sentences = formatSearchAnswer(answer, { isOutOfReach: false });
      return cardOf(reportHtml({ ...sampleReport(), search: { answer, sentences, screening, steps: [], tookS: 60 } }));
    };
    const open = cardOfSearch({ state: 'nothing-beats', because: 'none-ahead', unseenBelow: 0.12 });
    expect(open.headline).toBe("Nothing that was measured was clearly ahead of Firefox's own settings.");
    expect(open.text.split(open.headline)).toHaveLength(2);
    expect(open.text).toContain('Gains below 12 % might not have shown.');
    expect(open.text).toMatch(/^Not decided yet /);
    expect(open.text).not.toContain('Nothing to change.');
    const sure = cardOfSearch({ state: 'nothing-beats', because: 'none-ahead', highest: 1.02 });
    expect(sure.text).toMatch(/^Keep your settings Nothing beats Firefox's own settings here\..*Nothing to change\./);
    const best = { profileId: 'c16-d1', settings: {}, ratio: 1.2, low: 1.1, high: 1.3, verdict: 'better', pairs: 40, blocks: 10 } as const;
    const faster = cardOfSearch({ state: 'faster', best, cheapest: best, contributions: [] });
    expect(faster.headline).toBe('16 connections are faster here.');
    expect(faster.rows).toEqual(['16 connections c16-d1 +20 % +10 % to +30 %; 40 pairs of loads', "Firefox's own baseline"]);
    expect(faster.commands).toEqual(['plumbfox apply --profile c16-d1']);
  });

  it('makes no command of a name that a shell would read as more', () => {
    const finding = {
      from: 'trial',
      state: 'confirmed',
      profileId: 'c1; rm -rf /',
      carrier: 'none',
      change: { gain: 0.1 },
      loads: 9,
    } as unknown as Answer;
    expect(cardOf(reportHtml({ ...sampleReport(), answer: { sentence: 's', finding } })).commands).toEqual([]);
  });

  it('comes in the order of the questions: card, chart with its table, what was measured with its table, everything', () => {
    const headings = [...page.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, heading]) => heading?.replaceAll('&#39;', "'"));
    expect(headings.slice(1, 5)).toEqual([
      "Compared with Firefox's own settings",
      'Profiles',
      'What was measured: 8 connections, page by link',
      'Each page over each link',
    ]);
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
    // An arrow is a path: all of one name, profiles have other pairs.
    expect([...tags(hostile)].filter((tag) => tag !== 'path' && !tags(page).has(tag))).toEqual([]);
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
    const four = '4 connections with up to 6 requests on each';
    const one = '1 connection with up to 2 requests on it';
    const order = [...page.matchAll(/<div class="label"><b>([^<]+)/g)].map(([, name]) => name);
    expect(order).toEqual([four, '8 connections', 'c6-d1-gateway', one]);
    const [profiles, scenarios] = (page.match(/<table>[\s\S]*?<\/table>/g) ?? []).map((table) =>
      [...table.matchAll(/<th scope="row">([^<]+)/g)].map(([, name]) => name),
    );
    const withBaseline = [four, '8 connections', 'Firefox&#39;s own settings', 'c6-d1-gateway', one];
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
