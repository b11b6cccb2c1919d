import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/core/answer/answer.ts';
import { answerSentence } from '../../../../src/core/answer/format-answer.ts';
import { fieldExport, fieldReport } from '../../../../src/core/field/field-report.ts';
import { loadSummary } from '../../../../src/core/field/load-summary.ts';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { mergeReports } from '../../../../src/core/report/merge/merge-reports.ts';
import { reportText } from '../../../../src/core/report/report.ts';
import type { MarkedPageLoad } from '../../../../src/core/trial/trial-mark.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { comparedAgain, parseReport } from '../../../../src/protocol/parse-report.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

const MINUTE = 60_000;

/** 100,000 bytes in 5 x rtt and 800 ms at 1 Mbit/s. */
function load(minute: number, rtt: number, more: Partial<MarkedPageLoad> = {}): MarkedPageLoad {
  const at = (round: number, after = 0) => round * rtt + after;
  const made = waterfall(`
    load event=9000
    secret.test/  main_frame fetch=0 connect=1-${at(1, 1)} send=${at(1, 1)} first=${at(2, 1)} end=${at(2, 2)} bytes=1000
    secret.test/1 image fetch=${at(2, 2)} reused send=${at(2, 2)} first=${at(3, 2)} end=${at(3, 2)} bytes=1000
    secret.test/2 image fetch=${at(3, 2)} reused send=${at(3, 2)} first=${at(4, 2)} end=${at(4, 786)} bytes=98000`);
  return { ...made, url: 'http://secret.test/canary', startedAt: milliseconds(minute * MINUTE), ...more };
}

const NEAR = Array.from({ length: 10 }, (_, at) => load(at, 20));
const FAR = Array.from({ length: 10 }, (_, at) => load(1000 + at, 200));
const FACTS = {
  names: [],
  total: 20,
  provenance: { plumbfox: '0.1.0', firefox: { version: '153.0', buildId: '1' }, os: 'linux x86-64' },
  createdAt: '2026-01-01T00:00:00.000Z',
};
const report = (loads: readonly MarkedPageLoad[], more: Partial<Parameters<typeof fieldReport>[0]> = {}) =>
  fieldReport({ ...FACTS, loads, figures: [], ...more });

describe('the report of everyday loads', () => {
  it('keeps networks apart, their figures estimated, and can be read again', () => {
    const { links, loads } = parseReport(JSON.parse(JSON.stringify(report([...NEAR, ...FAR]))));
    expect(links).toMatchObject([
      { name: 'RTT 20 ms, 1 Mbit/s', kind: 'real', basis: 'estimated', measured: { rttMs: 20, downKbps: 1000 } },
      // Nothing takes the 800 ms there for which a rate must be kept up.
      { name: 'RTT 200 ms, 800 kbit/s', kind: 'real', basis: 'estimated', measured: { rttMs: 200 } },
    ]);
    expect(loads.map(({ link }) => link === links[0]?.name)).toEqual([...NEAR.map(() => true), ...FAR.map(() => false)]);
    expect(loads.filter(({ block }) => block === 0)).toHaveLength(2);
  });

  it('tells links from all figures, and names them as the popup does', () => {
    const names = [{ id: 0, name: 'train', rttMs: 20, downKbps: 1000 }];
    const { links, provenance } = report(FAR.slice(0, 2), { figures: [...NEAR, ...FAR].map(loadSummary), names });
    // Of the two networks only the far one is in the report.
    expect(links.map(({ name }) => name)).toEqual(['RTT 200 ms, 800 kbit/s']);
    expect(report(NEAR, { names }).links[0]?.name).toBe('train');
    expect(provenance.notes).toContain('The newest 2 of 20 loads.');
  });

  it('gives no verdict, and neither does anything merged from it', () => {
    const applied = (id: string) => ({
      ...(NEAR[0]?.applied ?? {}),
      profileId: id,
      applier: 'experiment-api',
      carrier: 'none',
      intended: {},
      readBack: [],
      mismatches: [],
    });
    const other = NEAR.map(
      (one, at) => ({ ...one, startedAt: milliseconds((500 + at) * MINUTE), applied: applied('c8-d1') }) as MarkedPageLoad,
    );
    const written = parseReport(JSON.parse(JSON.stringify(report([...NEAR, ...other]))));
    const verdicts = ({ comparison }: typeof written) => comparison.profiles.map(({ versusBaseline }) => versusBaseline.verdict);
    expect(verdicts(written)).toEqual(['baseline', 'no-verdict']);
    expect(verdicts(mergeReports([written]))).toEqual(['baseline', 'no-verdict']);
  });

  it.each<Answer>([
    { from: 'trial', state: 'confirmed', profileId: 'c12-d1', carrier: 'none', change: { gain: 0.42, low: 0.23, high: 0.65 }, loads: 40 },
    {
      from: 'trial',
      state: 'slower',
      profiles: [{ profileId: 'c3-d1', carrier: 'none', change: { gain: -0.3, low: undefined, high: undefined } }],
    },
    { from: 'reach', requests: 250, byConnections: 30, tried: { preferences: 3, of: 40, requests: 250 }, atMost: 0.01 },
  ])('holds the answer that the popup shows, as data and in its words: $from $state', (answer) => {
    const { answer: written } = parseReport(JSON.parse(JSON.stringify(report(NEAR, { answer }))));
    expect(written).toEqual({ sentence: answerSentence(answer), finding: answer });
    expect(parseReport(JSON.parse(JSON.stringify(report(NEAR)))).answer).toBeUndefined();
  });

  it('keeps its pages apart from those of another report, as each numbers its own', () => {
    const later = NEAR.map((one, at) => ({ ...one, startedAt: milliseconds((9000 + at) * MINUTE) }));
    const merged = mergeReports([report(NEAR), report(later)]);
    expect(merged.pages.map(({ name }) => name)).toEqual(['page-1 of report 1', 'page-1 of report 2']);
    expect(merged.comparison.scenarios.map(({ page }) => page)).toEqual(['page-1 of report 1', 'page-1 of report 2']);
  });

  it('names no page and no host', () => {
    const text = JSON.stringify(report(NEAR));
    for (const canary of ['secret', 'canary', 'http:']) expect(text).not.toContain(canary);
    expect(text).toContain('page-1');
  });

  it('holds what is on a page, so that it can be predicted', () => {
    const { pages } = parseReport(JSON.parse(JSON.stringify(report(NEAR))));
    const [page] = pages;
    expect(pages).toHaveLength(1);
    expect(page?.graph?.requests.map(({ bytes }) => bytes)).toEqual([1000, 1000, 98_000]);
    const [prediction] = predict({ page: page?.graph as PageGraph, link: { rttMs: 20, downKbps: 1000 }, profiles: ['firefox-default'] });
    // As it was recorded: four round trips and 100 kB at 1 Mbit/s are 880 ms; the third response begins when the second is there.
    expect(prediction?.loadTimeMs).toBeGreaterThan(800);
    expect(prediction?.loadTimeMs).toBeLessThan(960);
  });

  it('holds what is on the twenty pages loaded most often, and the names of all', () => {
    const pages = Array.from({ length: 25 }, (_, page) => page);
    // Pages 5 to 24 are loaded twice.
    const loads = pages.flatMap((page) =>
      Array.from({ length: page < 5 ? 1 : 2 }, (_, turn) => load(page * 10 + turn, 20, { url: `http://secret.test/${page}` })),
    );
    const written = report(loads).pages;
    expect(written.map(({ name }) => name)).toEqual(pages.map((page) => `page-${page + 1}`));
    expect(written.filter(({ graph }) => graph === undefined).map(({ name }) => name)).toEqual(
      pages.slice(0, 5).map((page) => `page-${page + 1}`),
    );
  });

  it('is read again with the same comparison, which its loads give once more', () => {
    const made = report([...NEAR, ...FAR]);
    const file = JSON.parse(reportText(made));
    expect(parseReport(file).comparison).toEqual(made.comparison);
    expect(comparedAgain(file)).toEqual(made.comparison);
    const exported = fieldExport({ ...FACTS, loads: [...NEAR, ...FAR], figures: [] });
    expect(parseReport(JSON.parse(reportText(exported)))).toEqual(exported);
  });

  it('says why a load does not count', () => {
    const mark = { trialId: 't', block: 0, slot: 0, profileId: 'firefox-default', position: 0, washout: true };
    const applied = {
      profileId: 'c4-d1',
      applier: 'policy',
      carrier: 'none',
      intended: {},
      readBack: [],
      mismatches: ['network.x'],
    } as const;
    const [washout, paused, unlike] = report([
      load(0, 20, { trial: { mark } }),
      load(1, 20, { trial: { mark: { ...mark, washout: false }, void: 'the trial was paused' } }),
      load(2, 20, { applied }),
    ]).loads;
    expect(washout?.validity).toMatchObject({ state: 'void', reason: expect.stringContaining('washout') });
    expect(paused?.validity).toEqual({ state: 'void', cause: 'unfit', reason: 'the trial was paused' });
    expect(unlike?.validity).toEqual({
      state: 'void',
      cause: 'not-in-effect',
      reason: 'not in effect: network.x read back another value',
    });
  });
});
