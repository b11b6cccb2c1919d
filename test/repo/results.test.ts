/** What is said about the published runs, against their reports. */

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { conditionsOf, type PublishedId } from '../../src/core/audit/published-conditions.ts';
import { METRIC_VERSION, REPORT_VERSION } from '../../src/core/report/report.ts';
import { recommendationLines } from '../../src/core/report/shown-comparison.ts';
import { percent } from '../../src/core/text/figures.ts';
import { PROTOCOL_LABELS } from '../../src/core/text/labels.ts';
import { findingsOf, mergeFindings, tablesOf, withRecommendation } from '../../src/lab/published/merge-findings.ts';
import { STUDIES } from '../../src/lab/studies/all-studies.ts';
import { recommendedHere } from '../../src/lab/studies/comparisons.ts';
import { findingsMarkdown } from '../../src/lab/studies/write-findings.ts';
import { comparedAgain, parseReport } from '../../src/protocol/parse-report.ts';

const MS_PER_MINUTE = 60_000;

const published = (id: string): string => `docs/results/${id}/report.json.gz`;

const stored = (id: string): { version: number; metricVersion: number } => JSON.parse(gunzipSync(readFileSync(published(id))).toString());

it('pipelining-10x150k does not take for a gain that a proxy hides its connections', () => {
  // With measures of version 1: "Use c6-d4: 33 % more efficient", and "the gateway by itself is 20 % more efficient".
  const { comparison } = parseReport(stored('pipelining-10x150k'));
  expect(comparison.control).toMatchObject({ used: true, ratio: expect.closeTo(1, 1) });
  const { versusBaseline } = comparison.profiles.find(({ id }) => id === 'c6-d4') ?? {};
  expect(versusBaseline?.ratio).toBeLessThan(1.13);
});

/** With their signs and per cent; digits within names (`HTTP/2`, `rtt100-20m`) are none. */
const numbersIn = (text: string): readonly string[] => text.match(/(?<![\w/.-])[+−]?\d[\d.,]*(?<![.,])(?: %)?(?![\w-])/g) ?? [];

/** The numbers of some figures, also without their signs ("35 % faster" is `+35 %`), and those of profiles ("16 connections" is `c16-d1`). */
const statedIn = (figures: string): ReadonlySet<string> => {
  const numbers = numbersIn(figures);
  return new Set([...numbers, ...numbers.map((number) => number.replace(/^[+−]/, '')), ...(figures.match(/(?<=\b[cd])\d+\b/g) ?? [])]);
};

describe.each(STUDIES)('$id', (study) => {
  const { id, tookMinutes } = study;
  it.runIf(existsSync(published(id)))('took as long as its published report covers, to the minute', () => {
    const { createdAt, loads } = parseReport(JSON.parse(gunzipSync(readFileSync(published(id))).toString()));
    const last = Math.max(...loads.map(({ startedAt }) => startedAt));
    // The last load may take a while itself.
    const minutes = (last - Date.parse(createdAt)) / MS_PER_MINUTE;
    expect(tookMinutes).toBeGreaterThanOrEqual(Math.round(minutes));
    expect(tookMinutes).toBeLessThanOrEqual(Math.ceil(minutes) + 1);
  });

  it.runIf(existsSync(published(id)))('has its measures as they are defined now (repair: node src/tools/recompute-results.mjs)', () => {
    expect(stored(id)).toMatchObject({ version: REPORT_VERSION, metricVersion: METRIC_VERSION });
  });

  it.runIf(existsSync(published(id)))('was measured with the congestion control that it declares, and says so', () => {
    const declared = new Set(study.links.map(({ congestionControl }) => congestionControl));
    expect([parseReport(stored(id)).provenance.congestionControl]).toEqual([...declared]);
  });

  it.runIf(existsSync(published(id)))(
    'recommends what the rule of today does from its loads (repair: node src/tools/recompute-results.mjs)',
    () => {
      const report = parseReport(stored(id));
      expect(report.comparison).toEqual(comparedAgain(report));
      // Whoever opens the report reads what stands in the findings, word for word.
      const page = readFileSync(`docs/results/${id}/findings.md`, 'utf8').replaceAll('\\', '');
      const lines = recommendationLines(report.comparison);
      expect(lines).not.toEqual([]);
      for (const line of lines) expect(page).toContain(`\n- ${line}\n`);
    },
  );

  it.runIf(existsSync(published(id)))('says in its findings what its report says today, figure by figure', () => {
    const report = parseReport(stored(id));
    const page = readFileSync(`docs/results/${id}/findings.md`, 'utf8');
    const made = findingsMarkdown(findingsOf(study, report), { study, pictures: 'pictures' });
    const text = withRecommendation(
      mergeFindings(page, made).text,
      recommendedHere(study, report.comparison),
      conditionsOf(id as PublishedId),
    );
    expect(text).toBe(page);
  });

  it.runIf(existsSync(published(id)))('draws what its report says today (repair: node src/tools/recompute-results.mjs)', () => {
    const findings = findingsOf(study, parseReport(stored(id)));
    const page = readFileSync(`docs/results/${id}/findings.md`, 'utf8');
    const { isWhole } = mergeFindings(page, findingsMarkdown(findings, { study, pictures: 'pictures' }));
    const drawn = isWhole ? findings.pictures : (study.tablePictures?.(tablesOf(page)) ?? []);
    if (study.tablePictures !== undefined) expect(drawn).toHaveLength(1);
    for (const { name, svg } of drawn) expect(readFileSync(`docs/results/${id}/pictures/${name}.svg`, 'utf8')).toBe(svg);
  });

  it.runIf(existsSync(published(id)))('concludes with no number that does not stand in its figures', () => {
    const page = readFileSync(`docs/results/${id}/findings.md`, 'utf8');
    const sections = page.split(/^(?=## )/m);
    const answer = sections.find((section) => section.startsWith('## Answer\n')) ?? '';
    const stated = statedIn(sections.filter((section) => section !== answer).join(''));
    expect(numbersIn(answer).filter((number) => !stated.has(number))).toEqual([]);
    // Three lines of answer; a study may need a fourth for what bounds them.
    expect(answer.match(/^- /gm)?.length).toBeLessThanOrEqual(4);
  });

  it.runIf(existsSync(published(id)))('has a figure of its own beside each of the original', () => {
    const page = readFileSync(`docs/results/${id}/findings.md`, 'utf8');
    const rows = page.split(/^(?=## )/m).find((section) => section.startsWith('## Beside the original\n')) ?? '';
    expect(rows.match(/^\| /gm)).toHaveLength(2 + Object.keys(study.original ?? {}).length);
    expect(rows).not.toContain('| not measured |');
  });

  it('is published where it says how long it took', () => {
    expect(existsSync(published(id))).toBe(tookMinutes !== undefined);
  });
});

it('pipelining-10x150k names its own question, which is open, beside the one that plumbfox answers', () => {
  const { comparison } = parseReport(stored('pipelining-10x150k'));
  const page = readFileSync('docs/results/pipelining-10x150k/findings.md', 'utf8').replaceAll('\\', '');
  // Its own: pictures of 150 kB on cold connections, against the control.
  const [, , , , ratio, interval = '', pairs] = /^\| (cold) (\|) (c6-d4) \| ([\d.]+) \| ([\d. to]+) \| (\d+) \|$/m.exec(page) ?? [];
  const [low, high] = interval.split(' to ').map(Number);
  expect(low).toBeLessThan(Number(ratio));
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1);
  // Plumbfox's: all pages over links, against the control and against Firefox's own settings.
  const own = comparison.profiles.find(({ id }) => id === 'c6-d4');
  expect(own?.versusBaseline).toMatchObject({ verdict: 'better', against: 'control' });
  expect(own?.versusBaseline.pairs).toBeGreaterThan(Number(pairs));
  expect(comparison.recommendation).toMatchObject({ state: 'recommended', profileId: 'c6-d4' });
  expect(page).toContain(`in ${comparison.scenarios.length} scenarios (a page over a link) together`);
  expect(page).toContain(`the profile alone is ${percent((own?.versusBaseline.ratio ?? 0) - 1)} faster than control`);
  expect(page).toContain(`${own?.versusBaseline.pairs} pairs of loads)`);
});

it('modern-defaults recommends for no protocol what its findings call slower', () => {
  const report = parseReport(stored('modern-defaults'));
  const protocols = report.comparison.protocols ?? [];
  expect(protocols.map(({ protocol }) => protocol).sort()).toEqual(['http/1.1', 'http/2', 'http/3']);
  const page = readFileSync('docs/results/modern-defaults/findings.md', 'utf8');
  const verdictOf = (label: string, profileId: string) =>
    new RegExp(`^\\| ${label} \\| ${profileId} (?:\\| [^|]* ){3}\\| ([a-z ]+?)(?: \\(.*?\\))? \\|`, 'm').exec(page)?.[1];
  for (const { protocol, recommendation, profiles } of protocols) {
    const label = PROTOCOL_LABELS[protocol];
    // The table shares the chance of an error over 27 comparisons, and may leave open what three prove.
    for (const named of [recommendation, recommendation.settingsAlone]) {
      if (named.state !== 'recommended' || named.profileId === null) continue;
      expect(['faster', 'not enough data yet']).toContain(verdictOf(label, named.profileId));
    }
    // Nor is anything faster in one and slower in the other.
    for (const { id, role, versusBaseline } of profiles) {
      const found = role === 'baseline' ? undefined : verdictOf(label, id);
      if (role !== 'baseline') expect(found).toBeDefined();
      if (versusBaseline.verdict === 'better') expect(found).not.toBe('slower');
      if (versusBaseline.verdict === 'worse') expect(found).not.toBe('faster');
    }
  }
  expect(report.comparison.recommendation.settingsAlone.state).not.toBe('recommended');
});
