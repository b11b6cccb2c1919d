/**
 * What `plumbfox predict` prints, of figures made up here, as it was when somebody last looked at it. A difference is shown line by line;
 * when it is meant, write it with: npx vitest run --project unit test/golden -u
 */
import { describe, expect, it } from 'vitest';
import { parsePredictLinks } from '../../src/cli/predict/link.ts';
import { predictText } from '../../src/cli/predict/text.ts';
import type { Inference } from '../../src/core/graph/inference.ts';
import type { PageGraph } from '../../src/core/graph/page-graph.ts';
import type { RegimeError } from '../../src/core/predict/model-error.ts';
import type { PredictionResult } from '../../src/core/predict/predict-json.ts';
import { predictedProfiles } from '../../src/core/predict/predicted-profiles.ts';
import { profileReach, recommendPrediction } from '../../src/core/predict/recommend-prediction.ts';
import { BASELINE_ID } from '../../src/core/profiles/profile.ts';
import { bytes } from '../../src/core/units.ts';
import { madePrediction, presetProfile } from '../support/predictions.ts';

const LOOK = { bandwidth: 0, 'queue-wait': 0, 'round-trips': 0, loss: 1, server: 0, page: 0 };
const IDS = [BASELINE_ID, 'c1-d2', 'c4-d6', 'c8-d1', 'c10-d1'];
const PLAIN: PageGraph = {
  requests: [
    { id: 'index', bytes: 24_300 },
    { id: 'a.png', bytes: 1_500_000, origin: 'pictures' },
  ],
};
const SECURE: PageGraph = { ...PLAIN, origins: { origin: { tls: '1.3' }, pictures: { protocol: 'http/2', tls: '1.3' } } };
const INFERRED: readonly Inference[] = [
  { field: 'discovery', requests: 1, rule: 'Asked for by the document.' },
  { field: 'server-delays', requests: 2, rule: 'The first byte, less a round trip.' },
];

const MARGINS = { below: 0.05, above: 0.05 };
const FIGURES = { errorP50: 0.032, errorP90: 0.09, ...MARGINS, held: 0.9 };
const errorOf = () => ({ ...FIGURES, margins: MARGINS, ratio: MARGINS, basis: 'loads of the lab' });
const REGIMES: readonly RegimeError[] = [
  {
    carriage: 'http/1.1',
    loss: 'none',
    loadTime: { ...FIGURES, pairs: 108 },
    ratio: { ...FIGURES, errorP90: 0.04, pairs: 54 },
    pacing: { errorP50: 0.05, errorP90: 0.2, below: 0.3, above: 0.1, pairs: 12 },
  },
];

interface Made {
  readonly pages: Readonly<Record<string, PageGraph>>;
  readonly links: string;
  /** Load times by profile in the order of `IDS`, for every page and link. */
  readonly times: readonly (readonly number[])[];
  readonly changes?: Partial<PredictionResult>;
}

function facts({ pages: graphs, links: typed, times, changes = {} }: Made): PredictionResult {
  const pages = Object.entries(graphs).map(([name, page]) => ({ name, page, inferred: INFERRED }));
  const links = parsePredictLinks(typed);
  const scenarios = pages
    .flatMap(({ name }) => links.map((link) => ({ page: name, link: link.name })))
    .map((scenario, at) => ({
      ...scenario,
      runs: typed.includes('loss') ? 51 : 1,
      predictions: IDS.map((id, profile) =>
        madePrediction(id, times[at]?.[profile] ?? 1, {
          'queue-wait': 0.5 - profile / 10,
          'round-trips': 0.25,
          bandwidth: 0.25 + profile / 10,
        }),
      ),
    }));
  const profiles = predictedProfiles(scenarios, {
    profiles: IDS.map(presetProfile),
    baseline: BASELINE_ID,
    pages: Object.values(graphs),
    errorOf,
  });
  const reach = profileReach(Object.values(graphs));
  const recommendation = recommendPrediction({
    profiles,
    baseline: BASELINE_ID,
    reach,
    measure: (ids) => `npm run tune -- --profiles ${ids.join(',')}`,
  });
  return {
    source: { kind: 'har', file: 'a.har' },
    pages,
    links,
    scenarios,
    profiles,
    recommendation,
    error: errorOf(),
    regimes: REGIMES,
    unmeasured: [],
    recorded: [],
    beside: [],
    notes: [],
    ...changes,
  };
}

const ONE: Made = {
  pages: { 'page.har': PLAIN },
  links: 'rtt=300,down=2000,up=384,loss=0.01',
  times: [[2300, 3050, 2090, 2150, 2080]],
};
const SEVERAL: Made = {
  pages: { wiki: PLAIN, secure: SECURE },
  links: 'far-2m;dsl-10m',
  times: [
    [2300, 3050, 2090, 2280, 2290],
    [800, 900, 810, 790, 790],
    [4300, 5050, 4290, 4300, 4300],
    [1300, 1350, 1290, 1300, 1300],
  ],
  changes: { notes: ['Excluded, because the report does not hold their requests: hold.'] },
};

describe('what predict prints', () => {
  it('for one page over one link', async () => {
    await expect(predictText(facts(ONE), { width: 140, verbose: true })).toMatchFileSnapshot('predict-one.txt');
  });

  it('for several pages and links', async () => {
    await expect(predictText(facts(SEVERAL), { width: 140 })).toMatchFileSnapshot('predict-several.txt');
  });

  it.each([100, 80, 60, 40])('fits %d columns, the command aside', (width) => {
    const lines = predictText(facts(SEVERAL), { width }).split('\n');
    expect(lines.filter((line) => line.length > width && !line.startsWith('To measure: '))).toEqual([]);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });

  it('counts no request twice for one kind of assumption, and those that are no part of the page apart', () => {
    const inferred: readonly Inference[] = [
      { field: 'left-out', requests: 29, rule: 'From the cache.' },
      { field: 'protocols', requests: 2, rule: 'TLS 1.3.' },
      { field: 'protocols', requests: 1, rule: 'Open before.' },
    ];
    const pages = [{ name: 'page.har', page: { requests: PLAIN.requests.map((each) => ({ ...each, bytes: 100 })) }, inferred }];
    const lines = predictText(facts({ ...ONE, changes: { pages } }), { width: 140 }).split('\n');
    expect(lines).toContain('Page page.har: 2 requests to 2 servers, 200 bytes');
    expect(lines.at(-2)).toBe('Excluded: 29 requests of the record. Assumed (number of requests): protocols (2). --json names the rules.');
  });

  it('prices what the recorded load fetched twice below what most time goes to, over each link', () => {
    const textOf = (made: Made, name: string) => {
      const duplicates = { duplicateFetches: 2, duplicateBytes: bytes(50_000), emptySources: 1 };
      const pages = facts(made).pages.map((page) => (page.name === name ? { ...page, duplicates } : page));
      return predictText(facts({ ...made, changes: { ...made.changes, pages } }), { width: 400 });
    };
    // 2 x 300 ms + 400 kbit / 2 Mbit/s.
    expect(textOf(ONE, 'page.har')).toContain(
      '40 %\n\n2 requests fetched something the page had already fetched: 50 kB, 2 round trips, about 0.80 s over this link; less where they ran beside others. 1 of them fetched the page itself again, for an empty src.\n\n',
    );
    expect(textOf(SEVERAL, 'secure')).toMatch(/\n\nsecure: 2 requests [^\n]*about [\d.]+ s over far-2m, [\d.]+ s over dsl-10m; less/);
    expect(predictText(facts(ONE), { width: 140 })).not.toContain('already fetched');
  });

  it('folds profiles whose rows read the same into one, the baseline aside', () => {
    const alike: Made = { ...ONE, times: [[1200, 3000, 2000, 1200, 1200]] };
    const { profiles } = facts(alike);
    const same = profiles.map((each) =>
      each.profile.id === 'c1-d2' || each.profile.id === 'c4-d6' ? each : { ...each, boundShares: LOOK, bound: 'loss' as const },
    );
    const lines = predictText(facts({ ...alike, changes: { profiles: same } }), { width: 140 }).split('\n');
    expect(lines.filter((line) => line.includes(' 1.20 s ')).map((line) => line.split(/ {2,}/)[0])).toEqual([
      'firefox-default',
      'c8-d1, c10-d1',
    ]);
  });

  it('says "not modelled" of what is not simulated, and gives no figures of it', () => {
    const { profiles } = facts(ONE);
    const notModelled = ['network.buffer.cache.size'];
    const changed = profiles.map((each) =>
      each.profile.id === 'c10-d1' ? { ...each, coverage: { state: 'not-modelled' as const, notModelled } } : each,
    );
    const lines = predictText(facts({ ...ONE, changes: { profiles: changed } }), { width: 140 }).split('\n');
    expect(lines.find((line) => line.startsWith('c10-d1'))?.split(/ {2,}/)).toEqual(['c10-d1', '–', '–', '–', 'not modelled', '–', '–']);
    expect(lines).toContain('Not modelled, so nothing is predicted: c10-d1 (network.buffer.cache.size). It is not recommended.');
  });

  it('says "cannot act" of what no request lets act, and "no change" of what changes no simulated load', () => {
    const { profiles } = facts({ ...ONE, times: [[2300, 3050, 2090, 2300, 2080]] });
    const cannotAct = ['network.http.http3.enable'];
    const changed = profiles.map((each) =>
      each.profile.id === 'c10-d1' ? { ...each, coverage: { state: 'cannot-act' as const, cannotAct } } : each,
    );
    const text = predictText(facts({ ...ONE, changes: { profiles: changed } }), { width: 140 });
    const cells = (id: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(id))
        ?.split(/ {2,}/);
    expect(cells('c10-d1')).toEqual(['c10-d1', '–', '–', '–', 'cannot act', '–', '–']);
    expect(cells('c8-d1')?.[4]).toBe('no change');
    expect(text).toContain('Cannot act on these pages, so nothing is predicted: c10-d1.');
    expect(text).not.toContain('0 % (0');
  });

  it('keeps the command on one line, whole', () => {
    expect(predictText(facts(ONE), { width: 50 }).split('\n')).toContain('To measure: npm run tune -- --profiles firefox-default,c4-d6');
  });
});
