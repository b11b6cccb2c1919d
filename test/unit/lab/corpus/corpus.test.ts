import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { PageLoad, RequestTiming } from '../../../../src/core/measure/page-load.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { findPage, hold } from '../../../../src/lab/pages/pages.ts';
import {
  CORPUS_LINKS,
  CORPUS_PROFILES,
  CORPUS_REPEATS,
  CORPUS_SCENARIOS,
  capturePlan,
  linksOf,
  overview,
  relativeRange,
} from '../../../accuracy/corpus/capture-plan.ts';
import {
  appendLine,
  dropCutLine,
  loadsFile,
  readLoadsFile,
  readTimelinesFile,
  readWorkingFile,
  timelinesFile,
} from '../../../accuracy/corpus/corpus-files.ts';
import { type CorpusLoad, TIMELINE_FIELDS, timelineOf } from '../../../accuracy/corpus/corpus-load.ts';

const SEED = 1;

const counted = (place: Partial<CorpusLoad> = {}, loadTimeMs = 1000): CorpusLoad => ({
  page: 'docs',
  link: 'near-20m',
  profile: 'c4-d6',
  repeat: 0,
  startedAt: 5,
  figures: {
    loadTimeMs,
    efficiency: 0.5,
    bytes: 1000,
    peakConnections: 4,
    peakOutstanding: 20,
    peakDepth: 6,
    droppedDown: 0,
    droppedUp: 0,
  },
  timeline: [
    [0, 0, 20, 20, 45.3, 60],
    [61.2, null, null, 62, 70, 80],
  ],
  ...place,
});

const fellOut = (place: Partial<CorpusLoad> = {}): CorpusLoad => {
  const { figures: _figures, timeline: _timeline, ...load } = counted(place);
  return { ...load, void: 'a request failed' };
};

/** Every load of the corpus, each taking 1000 ms. */
const everything = (): readonly CorpusLoad[] =>
  Array.from({ length: CORPUS_REPEATS }, (_, repeat) => repeat).flatMap((repeat) =>
    CORPUS_SCENARIOS.flatMap(({ page, link }) => CORPUS_PROFILES.map((profile) => counted({ page, link, profile, repeat }))),
  );

describe('the scenarios', () => {
  test('are 28: every page on four links, every link with three or four pages', () => {
    const pages = CORPUS_SCENARIOS.map(({ page }) => page);
    expect(CORPUS_SCENARIOS).toHaveLength(28);
    expect(new Set(pages).size).toBe(7);
    for (const page of pages) expect(pages.filter((each) => each === page)).toHaveLength(4);
    for (const { name } of CORPUS_LINKS) expect([3, 4]).toContain(CORPUS_SCENARIOS.filter(({ link }) => link === name).length);
    for (const { page, link } of CORPUS_SCENARIOS) {
      expect(findPage(page).name).toBe(page);
      expect(CORPUS_LINKS.map(({ name }) => name)).toContain(link);
    }
  });
});

describe('what is still to be captured', () => {
  test('everything at first: 28 scenarios, 6 profiles, 2 repeats; then nothing', () => {
    expect(capturePlan([], { seed: SEED })).toHaveLength(336);
    expect(capturePlan(everything(), { seed: SEED })).toEqual([]);
  });

  test('only what is not there, in the order it would have had', () => {
    const all = capturePlan([], { seed: SEED });
    const made = all.slice(0, 100).map(({ page, link, profileId, block }) => counted({ page, link, profile: profileId, repeat: block }));
    expect(capturePlan(made, { seed: SEED })).toEqual(all.slice(100));
  });

  test('what fell out again, and not for ever', () => {
    const others = everything().filter(
      ({ page, link, profile, repeat }) => !(page === 'docs' && link === 'near-20m' && profile === 'c4-d6' && repeat === 0),
    );
    const tries = (count: number) => capturePlan([...others, ...Array.from({ length: count }, () => fellOut())], { seed: SEED });
    expect(tries(3)).toMatchObject([{ page: 'docs', link: 'near-20m', profileId: 'c4-d6', block: 0 }]);
    expect(tries(4)).toEqual([]);
  });

  test('seven times more where the first two differ by more than 5 %, whatever the others are', () => {
    expect(capturePlan(changed(everything(), 1049), { seed: SEED })).toEqual([]);
    const unsteady = changed(everything(), 1051);
    const cell = { page: 'wiki', link: 'dsl-10m' };
    const wanted = [2, 3, 4, 5, 6, 7, 8].map((block) => ({ ...cell, profileId: 'c2-d1', block }));
    expect(capturePlan(unsteady, { seed: SEED })).toMatchObject(wanted);
    const repeat = (number: number) => counted({ ...cell, profile: 'c2-d1', repeat: number }, 2000);
    expect(capturePlan([...unsteady, repeat(2)], { seed: SEED })).toMatchObject(wanted.slice(1));
    expect(capturePlan([...unsteady, ...wanted.map(({ block }) => repeat(block))], { seed: SEED })).toEqual([]);
  });

  test('the relative range is the longest over the shortest, less 1', () => {
    expect(relativeRange([100, 110, 105])).toBeCloseTo(0.1);
    expect([relativeRange([]), relativeRange([7])]).toEqual([0, 0]);
  });
});

/** The second repeat of one cell with another load time. */
function changed(loads: readonly CorpusLoad[], loadTimeMs: number): readonly CorpusLoad[] {
  return loads.map((load) => {
    const meant = load.page === 'wiki' && load.link === 'dsl-10m' && load.profile === 'c2-d1' && load.repeat === 1;
    return meant && load.figures ? { ...load, figures: { ...load.figures, loadTimeMs } } : load;
  });
}

describe('the working file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbfox-corpus-'));
    path = join(folder, 'new', 'corpus.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const session = {
    startedAt: 'now',
    firefox: '153.7',
    os: 'linux',
    congestionControl: 'cubic',
    links: [{ name: 'x', rttMs: 1, downKbps: 2 }],
  };

  test('gives back what was appended, in its order', () => {
    expect(readWorkingFile(path)).toEqual({ sessions: [], loads: [] });
    appendLine(path, { session });
    appendLine(path, counted());
    appendLine(path, fellOut());
    expect(readWorkingFile(path)).toEqual({ sessions: [session], loads: [counted(), fellOut()] });
  });

  test('a last line that was cut off is passed over, and taken away before the next one', () => {
    appendLine(path, counted());
    appendFileSync(path, '{"page":"do');
    expect(readWorkingFile(path).loads).toEqual([counted()]);
    dropCutLine(path);
    appendLine(path, fellOut());
    expect(readWorkingFile(path).loads).toEqual([counted(), fellOut()]);
    const before = readFileSync(path, 'utf8');
    dropCutLine(path);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test.each(['{"page":"docs"}', 'nonsense', '{"session":{}}', JSON.stringify(counted({ timeline: [[1, 2]] }))])(
    'refuses a line such as %s',
    (line) => {
      appendLine(path, counted());
      appendFileSync(path, `${line}\n`);
      expect(() => readWorkingFile(path)).toThrow(/line 2 is no line of a capture/);
    },
  );
});

describe('the timeline of a load', () => {
  const timing = (fetchStart: number, more: Partial<RequestTiming> = {}): RequestTiming => ({
    fetchStart: milliseconds(fetchStart),
    responseEnd: milliseconds(fetchStart + 30),
    ...more,
  });
  const load = (timings: ReadonlyMap<string, RequestTiming | undefined>): PageLoad => ({
    format: 1,
    id: '1',
    url: 'http://x/hold/t/',
    startedAt: milliseconds(0),
    observation: { ended: 'quiet', quietMs: milliseconds(2000) },
    requests: [...timings].map(([name, each]) => ({
      url: `http://x/hold/t/${name}`,
      origin: 'http://x',
      type: 'image',
      outcome: { state: 'completed' },
      ...(each && { timing: each }),
    })),
  });
  /** The browser's order is its own: the last first. */
  const timings = new Map<string, RequestTiming | undefined>([
    ['', timing(3, { requestStart: milliseconds(4.04), responseStart: milliseconds(9.06) })],
    ...hold.resources.toReversed().map(({ name }, index): [string, RequestTiming] => [name, timing(100 + index)]),
  ]);

  test('is in the order of the recipe, after the start of the navigation, in tenths of a millisecond', () => {
    const rows = timelineOf(load(timings), hold);
    expect(rows).toHaveLength(25);
    expect(rows?.[0]).toEqual([0, null, null, 1, 6.1, 30]);
    // `held-0.png` came last of 24: 100 + 23 - 3.
    expect(rows?.[1]?.[0]).toBe(120);
    expect(rows?.[24]?.[0]).toBe(97);
    expect(TIMELINE_FIELDS).toHaveLength(6);
  });

  test('is not there where a request has no timing', () => {
    expect(timelineOf(load(new Map([...timings, ['held-3.png', undefined]])), hold)).toBeUndefined();
    expect(timelineOf(load(new Map([...timings].filter(([name]) => name !== 'held-3.png'))), hold)).toBeUndefined();
  });
});

describe('the committed files', () => {
  const session = {
    startedAt: 'now',
    firefox: '153.7',
    os: 'linux',
    congestionControl: 'cubic',
    links: [{ name: 'near-20m', rttMs: 19.9, downKbps: 19_800 }],
  };
  const loads = [counted({ repeat: 1 }, 1020), counted({}, 1000), fellOut({ page: 'wiki', link: 'dsl-10m' }), counted({ repeat: 2 }, 1500)];
  const record = { sessions: [session], loads };

  test('give back every load that counts, by scenario, profile and repeat', () => {
    const corpus = readLoadsFile(loadsFile(record));
    expect(corpus.loads.map(({ page, repeat, loadTimeMs }) => [page, repeat, loadTimeMs])).toEqual([
      ['docs', 0, 1000],
      ['docs', 1, 1020],
      ['docs', 2, 1500],
    ]);
    expect(corpus.loads[0]).toMatchObject({
      efficiency: 0.5,
      bytes: 1000,
      peakConnections: 4,
      peakOutstanding: 20,
      peakDepth: 6,
      droppedDown: 0,
    });
    expect(corpus.links).toHaveLength(8);
    expect(corpus.links.find(({ name }) => name === 'near-20m')?.measured).toEqual(session.links);
    expect(loadsFile(record)).toContain('["wiki","dsl-10m","c4-d6",0,"a request failed"]');
  });

  test('hold the timeline of the load nearest the median', () => {
    // Of 1000, 1020 and 1500 the median is 1020: repeat 1.
    expect(readTimelinesFile(timelinesFile(record))).toEqual([
      { page: 'docs', link: 'near-20m', profile: 'c4-d6', repeat: 1, requests: counted().timeline },
    ]);
  });

  test.each(['', '{}', '{"format":2}', 'null'])('what is none is refused: %s', (content) => {
    expect(() => readLoadsFile(content)).toThrow(/loads\.json is .*npm run corpus/);
    expect(() => readTimelinesFile(content)).toThrow(/timelines\.json is .*npm run corpus/);
  });

  test('the overview has a line for every scenario, with medians and spreads', () => {
    const text = overview(loads);
    expect(text.split('\n')).toHaveLength(1 + 28 + 1 + 1);
    expect(text).toMatch(/docs near-20m .* 1020 \(50\.0 %\)/);
    expect(text).toContain('3 loads that count, 1 excluded');
  });
});

it('a capture may be of some scenarios alone, in the same order', () => {
  const [first] = CORPUS_SCENARIOS;
  const scenarios = first === undefined ? [] : [first];
  const plan = capturePlan([], { seed: SEED, scenarios });
  expect(plan).toHaveLength(CORPUS_PROFILES.length * CORPUS_REPEATS);
  expect(plan.every(({ page, link }) => page === first?.page && link === first?.link)).toBe(true);
});

it('a capture checks the links it is over, and no others', () => {
  expect(linksOf(CORPUS_SCENARIOS)).toEqual(CORPUS_LINKS);
  const scenarios = CORPUS_SCENARIOS.filter(({ page }) => page === 'docs');
  expect(linksOf(scenarios).map(({ name }) => name)).toEqual(['3g-1600k', 'near-20m', 'satellite-10m', 'edge-240k']);
});
