import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { predictedEffect, predictedProfiles } from '../../../../src/core/predict/predicted-profiles.ts';
import { profileReach, reachSentence } from '../../../../src/core/predict/recommend-prediction.ts';
import { BASELINE_ID } from '../../../../src/core/profiles/profile.ts';
import { madePrediction, madeProfiles, presetProfile } from '../../../support/predictions.ts';

const scenario = (page: string, baselineMs: number, otherMs: number) => ({
  page,
  link: 'l',
  predictions: [
    madePrediction(BASELINE_ID, baselineMs, { 'round-trips': 0.6, bandwidth: 0.4 }),
    madePrediction('c8-d1', otherMs, { loss: 1 }),
  ],
});
const PROFILES = [BASELINE_ID, 'c8-d1'].map(presetProfile);

describe('predictedProfiles', () => {
  it('takes the figures of a single scenario as they are', () => {
    const [best, baseline] = predictedProfiles([scenario('p', 3000, 2000)], { profiles: PROFILES, baseline: BASELINE_ID });
    expect(best).toMatchObject({ loadTimeMs: 2000, efficiency: 0.5, ratio: 1.5, connections: 7, bound: 'loss', carrier: 'none' });
    expect(baseline).toMatchObject({ loadTimeMs: 3000, ratio: 1, bound: 'round-trips' });
  });

  it('takes geometric means over several, and the time of all for what bound it', () => {
    const scenarios = [scenario('p', 1000, 1000), scenario('q', 4000, 1000)];
    const [best, baseline] = predictedProfiles(scenarios, { profiles: PROFILES, baseline: BASELINE_ID });
    // sqrt(1000 x 4000) = 2000; efficiency sqrt(1 x 1/4) = 1/2.
    expect(baseline?.loadTimeMs).toBeCloseTo(2000, 9);
    expect(baseline?.efficiency).toBeCloseTo(0.5, 12);
    expect(best?.ratio).toBeCloseTo(2, 12);
    const [a, b] = [madePrediction('a', 1000, { server: 1 }), madePrediction('a', 3000, { bandwidth: 0.6, server: 0.4 })];
    const made = [a, b].map((each, at) => ({ page: `${at}`, link: 'l', predictions: [{ ...each, profileId: BASELINE_ID }] }));
    const [mixed] = predictedProfiles(made, { profiles: [presetProfile(BASELINE_ID)], baseline: BASELINE_ID });
    // Server: (1 x 1000 + 0.4 x 3000) / 4000 = 0.55; bandwidth 0.6 x 3000 / 4000 = 0.45.
    expect(mixed?.bound).toBe('server');
    expect(mixed?.boundShares.server).toBeCloseTo(0.55, 12);
    expect(Object.values(mixed?.boundShares ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('is in the order of load time, then of cost', () => {
    const made = madeProfiles({ 'firefox-default': 2000, 'c5-d4': 1500, 'c4-d8': 1500, 'c4-d6': 1500, 'c1-d2': 4000 });
    expect(made.map(({ profile }) => profile.id)).toEqual(['c4-d6', 'c4-d8', 'c5-d4', 'firefox-default', 'c1-d2']);
    expect(made.map(({ carrier }) => carrier)).toEqual(['gateway', 'gateway', 'gateway', 'none', 'gateway']);
  });

  it.each([
    ['no scenario', [], PROFILES],
    ['a profile without a prediction', [scenario('p', 1, 1)], [...PROFILES, presetProfile('c4-d6')]],
  ])('refuses %s', (_, scenarios, profiles) => {
    expect(() => predictedProfiles(scenarios, { profiles, baseline: BASELINE_ID })).toThrow(RangeError);
  });
});

describe('what a prediction says of a profile', () => {
  it('is no figure where every simulated load is that of other settings', () => {
    const effects = madeProfiles({ 'firefox-default': 2000, 'c6-d1': 2000, 'c8-d1': 2000, 'c10-d1': 1900 }).map((each) => [
      each.profile.id,
      predictedEffect(each),
    ]);
    // c6-d1 sets Firefox's own values: it is as fast.
    expect(Object.fromEntries(effects)).toEqual({
      'firefox-default': 'predicted',
      'c6-d1': 'predicted',
      'c8-d1': 'unchanged',
      'c10-d1': 'predicted',
    });
  });
});

describe('what a profile can reach', () => {
  const page = (...origins: readonly (keyof typeof FACTS)[]): PageGraph => ({
    requests: origins.map((origin, at) => ({ id: `r${at}`, bytes: 1, origin })),
    origins: FACTS,
  });
  const FACTS = {
    plain: {},
    tls: { tls: '1.3' },
    h2: { protocol: 'http/2', tls: '1.3' },
    h3: { protocol: 'http/3' },
  } as const;

  it.each([
    ['everything', page('plain', 'plain'), [2, 2, 2], undefined],
    ['a page that says nothing', { requests: [{ id: 'r', bytes: 1 }] }, [1, 1, 1], undefined],
    ['no depth', page('tls', 'tls'), [2, 2, 0], 'Depth has no effect here: the gateway pipelines plain http only.'],
    ['nothing', page('h2', 'h3'), [2, 0, 0], 'Connection settings have no effect here: every server uses HTTP/2 or HTTP/3.'],
    [
      'some connections, no depth',
      page('tls', 'h2', 'h3'),
      [3, 1, 0],
      'Connection settings act on 1 of 3 requests; the others use HTTP/2 or HTTP/3. Depth has no effect here: the gateway pipelines plain http only.',
    ],
    [
      'the same of both',
      page('plain', 'h3'),
      [2, 1, 1],
      'Connection settings act on 1 of 2 requests; the others use HTTP/2 or HTTP/3. So does depth, through the gateway.',
    ],
    ['all connections, some depth', page('plain', 'tls'), [2, 2, 1], 'Depth acts on 1 of 2 requests, those over plain http.'],
    [
      'some of both',
      page('plain', 'tls', 'h2'),
      [3, 2, 1],
      'Connection settings act on 2 of 3 requests; the others use HTTP/2 or HTTP/3. Depth acts on 1 of 3 requests, those over plain http.',
    ],
  ] as const)('%s', (_, graph, [requests, byConnections, byDepth], sentence) => {
    const reach = profileReach([graph]);
    expect(reach).toEqual({ requests, byConnections, byDepth });
    expect(reachSentence(reach)).toBe(sentence);
  });

  it('is not led astray by an origin that JavaScript knows', () => {
    expect(profileReach([{ requests: [{ id: 'r', bytes: 1, origin: 'constructor' }], origins: {} }])).toEqual({
      requests: 1,
      byConnections: 1,
      byDepth: 1,
    });
  });
});
