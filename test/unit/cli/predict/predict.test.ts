/** Predictions beside what was recorded, the links they are made for, and the files they are made of. */
import { describe, expect, it } from 'vitest';
import { parsePredictArguments } from '../../../../src/cli/predict/arguments.ts';
import { harContents, reportContents } from '../../../../src/cli/predict/contents.ts';
import { runPrediction } from '../../../../src/cli/predict/predict.ts';
import { recipeContents } from '../../../../src/cli/predict/source.ts';
import { predictText } from '../../../../src/cli/predict/text.ts';
import { REGIME_ERRORS } from '../../../../src/core/predict/model-error.ts';
import { predictTypical } from '../../../../src/core/predict/predict.ts';
import { FIREFOX_DEFAULT } from '../../../../src/core/profiles/presets.ts';
import type { Report } from '../../../../src/core/report/report.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { images } from '../../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';
import { wiki } from '../../../../src/lab/pages/wiki.ts';
import { sampleReport } from '../../../golden/sample-report.ts';
import { entry, harOf } from '../../core/har/har-of.ts';

const OPENED = { dns: 10, connect: 100, wait: 120 };
/** 90 kB in 720 ms are 1 Mbit/s, kept up for longer than four round trips of 100 ms. The last byte came at 250 + 100 + 720 = 1070 ms. */
const FILM = [entry('http://shop.test/', OPENED), entry('http://shop.test/film.png', { at: 250, wait: 100, receive: 720, body: 90_000 })];
/** 5 kB in 9 s, on the same link: a server that dripped, which no page graph holds. The last byte came at 250 + 100 + 9000 ms. */
const DRIPPED = [...FILM, entry('http://shop.test/slow.png', { at: 250, wait: 100, receive: 9000, body: 5000 })];
/** No response took long enough to show a rate. It ended at 10 + 100 + 120 ms. */
const BRIEF = [entry('http://shop.test/', { ...OPENED, receive: 0, body: 10 })];

const ofHar = (entries: readonly object[], ...args: readonly string[]) =>
  runPrediction(
    { ...harContents(harOf(entries), { name: 'shop.har', pageIds: undefined }), source: { kind: 'har', file: 'shop.har' } },
    parsePredictArguments(['shop.har', '--profiles', 'c1-d1,c8-d1,c10-d1', ...args]),
  );
const lines = (facts: ReturnType<typeof ofHar>) => predictText(facts, { width: 160 }).split('\n');

describe('a HAR', () => {
  it('has its prediction beside what it recorded', () => {
    const facts = ofHar(FILM);
    expect(facts.beside).toMatchObject([{ page: 'shop.har', link: "the HAR's link", loads: 1, recordedMs: 1070, state: 'agrees' }]);
    expect(lines(facts).find((line) => line.startsWith('Recorded 1.07 s, simulated '))).toMatch(
      /, within the model's error \([\d.]+ %\)\.$/,
    );
  });

  it('of which the simulation parts is recommended nothing', () => {
    const facts = ofHar(DRIPPED);
    expect(facts.beside).toMatchObject([{ recordedMs: 9350, state: 'parts' }]);
    expect(facts.recommendation).toMatchObject({ state: 'parts-from-record', profileId: 'firefox-default' });
    expect(facts.recommendation.sentence).toMatch(/^No recommendation: the simulation does not match the recording \(recorded 9\.35 s, /);
    expect(lines(facts).find((line) => line.startsWith('Recorded 9.35 s, simulated '))).toContain("more than the model's error");
  });

  it('is held against its record over its own link, whatever link is asked for', () => {
    const facts = ofHar(DRIPPED, '--link', 'far-2m');
    expect(facts.scenarios.map(({ link }) => link)).toEqual(['far-2m']);
    expect(facts.beside).toEqual(ofHar(DRIPPED).beside);
    expect(facts.recommendation.state).toBe('parts-from-record');
  });

  it('that does not show its link is predicted over those of tune, and says so', () => {
    const facts = ofHar(BRIEF);
    expect(facts.links.map(({ name, basis }) => [name, basis])).toEqual([
      ['far-2m', 'default'],
      ['dsl-10m', 'default'],
    ]);
    expect(facts.notes).toEqual([
      'The file does not show its link: predicted over far-2m and dsl-10m, which tune measures. Name yours with --link.',
    ]);
    expect([facts.recorded.length, facts.beside]).toEqual([1, []]);
    expect(lines(facts)).toContain('Recorded 0.23 s; the file does not show its link, so this cannot be compared with a simulation.');
  });

  it('of one request is the same for all profiles, which share a line, however many connections they open for it', () => {
    const row = lines(ofHar(BRIEF, '--link', 'far-2m')).find((line) => line.startsWith('c1-d1, c8-d1, c10-d1  '));
    // With more than one connection allowed a second is opened ahead of need.
    expect(row).toContain('  1 to 2  ');
  });
});

describe('a recipe', () => {
  const recipe = runPrediction(
    { ...recipeContents(JSON.parse(JSON.stringify(wiki)), 'shops/page.json'), source: { kind: 'recipe', file: 'shops/page.json' } },
    parsePredictArguments(['shops/page.json', '--link', 'dsl-10m', '--profiles', 'c8-d1']),
  );

  it('is predicted as the lab serves it', () => {
    const [link] = recipe.links;
    const { predictions } = predictTypical({
      page: recipeGraph(wiki),
      link: link?.link ?? { rttMs: 1, downKbps: 1 },
      profiles: [FIREFOX_DEFAULT],
    });
    expect(recipe.scenarios[0]?.predictions[0]?.loadTimeMs).toBe(predictions[0]?.loadTimeMs);
    expect(recipe.notes).toEqual(['A recipe is predicted as the lab serves it: over plain HTTP/1.1.']);
  });

  it('is measured from its file', () => {
    expect(recipe.recommendation.measure).toContain('npm run tune -- --pages shops/page.json ');
  });

  it('that cannot be served is refused in one line', () => {
    expect(() => recipeContents({ resources: [], name: 'x' }, 'x.json')).toThrow(/^The page recipe "x" cannot be served/);
  });
});

describe('a report', () => {
  const sample = sampleReport();
  const LINK = { rttMs: 50, downKbps: 10_000, upKbps: 1000 };
  const graphs = { wiki: recipeGraph(wiki), images: recipeGraph(images) };
  const simulatedMs = (page: keyof typeof graphs) =>
    predictTypical({ page: graphs[page], link: { ...LINK, segmentBytes: 1448 }, profiles: [FIREFOX_DEFAULT] }).predictions[0]?.loadTimeMs ??
    0;
  const load = (page: keyof typeof graphs, share: number, block: number): Report['loads'][number] => {
    const [like] = sample.loads.flatMap((each) => (each.measures === undefined ? [] : [{ ...each, measures: each.measures }]));
    if (like === undefined) throw new Error('the sample has no measured load');
    const measures = { ...like.measures, loadTimeMs: milliseconds(share * simulatedMs(page)) };
    return { ...like, profileId: 'firefox-default', page, link: 'dsl', block, validity: { state: 'valid' }, measures };
  };
  const report: Report = {
    ...sample,
    links: [{ name: 'dsl', kind: 'packet', basis: 'configured', asked: LINK }],
    pages: [
      { name: 'wiki', graph: graphs.wiki },
      { name: 'images', graph: graphs.images },
    ],
    // The median of wiki is 1.05 of what is simulated, so the simulation is 1 / 1.05 - 1 = 4.8 % too fast; images took twice as long: 50 %.
    loads: [load('wiki', 1.05, 0), load('wiki', 1, 1), load('wiki', 3, 2), load('images', 2, 0)],
  };
  const facts = runPrediction(
    { ...reportContents(report), source: { kind: 'report', file: 'report.json' } },
    parsePredictArguments(['report.json', '--profiles', 'c8-d1']),
  );

  it('has its predictions beside the medians of its loads, and sets aside what parts from them', () => {
    expect(facts.beside.map(({ page, loads, state }) => [page, loads, state])).toEqual([
      ['wiki', 3, 'agrees'],
      ['images', 1, 'parts'],
    ]);
    expect(facts.beside.map(({ difference }) => difference.toFixed(3))).toEqual(['-0.048', '-0.500']);
    expect(facts.beside[0]?.limit).toBe(
      REGIME_ERRORS.find(({ carriage, loss }) => carriage === 'http/1.1' && loss === 'none')?.loadTime.errorP90,
    );
    expect(facts.beside[0]?.limit).toBeGreaterThan(0.048);
    // Of wiki alone.
    expect(facts.profiles.find(({ profile }) => profile.id === 'firefox-default')?.loadTimeMs).toBeCloseTo(simulatedMs('wiki'), 6);
    expect(facts.notes).toContain(
      'Excluded, because the simulation does not match the recorded loads: images over dsl. Means and recommendation use the others.',
    );
    expect(lines(facts).map((line) => line.split(/ {2,}/))).toContainEqual([
      'wiki',
      'dsl',
      '3',
      expect.any(String),
      expect.any(String),
      '−4.8 %',
    ]);
  });

  it('is recommended nothing where every simulation parts from its loads', () => {
    const parting = runPrediction(
      {
        ...reportContents({ ...report, loads: [load('wiki', 3, 0), load('images', 2, 0)] }),
        source: { kind: 'report', file: 'report.json' },
      },
      parsePredictArguments(['report.json', '--profiles', 'c8-d1']),
    );
    expect(parting.recommendation.state).toBe('parts-from-record');
    expect(parting.recommendation.sentence).toContain(' of wiki, simulated ');
  });
});
