import { describe, expect, it } from 'vitest';
import type { DuplicateMeasures } from '../../../../src/core/measure/duplicate-fetches.ts';
import { type PredictionResult, predictJson } from '../../../../src/core/predict/predict-json.ts';
import { predictedProfiles } from '../../../../src/core/predict/predicted-profiles.ts';
import { compareWithRecord } from '../../../../src/core/predict/recorded-loads.ts';
import { BASELINE_ID } from '../../../../src/core/profiles/profile.ts';
import { bytes } from '../../../../src/core/units.ts';
import { madeError, madePrediction, presetProfile } from '../../../support/predictions.ts';

const PAGE = {
  requests: [
    { id: 'index', bytes: 1000 },
    { id: 'a', bytes: 500, origin: 'cdn' },
  ],
};
const INFERRED = { field: 'sizes', requests: 1, rule: 'Taken for empty.' } as const;
const LINK = { name: 'far', basis: 'given', link: { rttMs: 300, downKbps: 2000, upKbps: 384, lossDown: 0.01 } } as const;
const profiles = [BASELINE_ID, 'c4-d6'].map(presetProfile);
const predictions = [madePrediction(BASELINE_ID, 2000), madePrediction('c4-d6', 1600, { loss: 0.7, bandwidth: 0.3 })];

const RECORDED = { page: 'page', link: 'far', profileId: BASELINE_ID, loads: 3, loadTimeMs: 2500 };

function facts(changes: Partial<PredictionResult> = {}): PredictionResult {
  const scenarios = [{ page: 'page', link: 'far', runs: 51, predictions }];
  return {
    source: { kind: 'har', file: 'a.har' },
    pages: [{ name: 'page', page: PAGE, inferred: [INFERRED] }],
    links: [LINK],
    scenarios,
    profiles: predictedProfiles(scenarios, { profiles, baseline: BASELINE_ID, errorOf: () => madeError(0.12) }),
    recommendation: { state: 'try', profileId: 'c4-d6', sentence: 'Try it. To measure: run it', measure: 'run it' },
    error: madeError(0.12),
    regimes: [],
    unmeasured: ['HTTP/3, no packet lost'],
    recorded: [RECORDED],
    beside: compareWithRecord([RECORDED], scenarios, () => madeError(0.12, '')),
    notes: ['A note.'],
    ...changes,
  };
}

const LINK_JSON = {
  name: 'far',
  basis: 'given',
  rttMs: 300,
  downKbps: 2000,
  upKbps: 384,
  lossDown: 0.01,
  lossUp: 0,
  queuePackets: 100,
  jitterMs: 0,
  initialWindow: 10,
  congestionControl: 'cubic',
};

describe('the document of predict', () => {
  it('holds every member, in the order of load time', () => {
    expect(predictJson(facts())).toEqual({
      source: { kind: 'har', file: 'a.har' },
      link: LINK_JSON,
      page: { requests: 2, origins: 2, bytes: 1500 },
      profiles: [
        {
          id: 'c4-d6',
          carrier: 'gateway',
          loadTimeMs: 1600,
          efficiency: 0.625,
          ratio: 1.25,
          // A load time's margin counts 1 + 1000 / 1600 times.
          loadTimeBandMs: { low: 1600 / (1 + 0.12 * 1.625), high: 1600 * (1 + 0.12 * 1.625) },
          ratioBand: { low: 1.25 / 1.12, high: 1.25 * 1.12 },
          connections: 7,
          bound: 'loss',
          boundShares: { bandwidth: 0.3, 'queue-wait': 0, 'round-trips': 0, loss: 0.7, server: 0, page: 0 },
          effect: 'predicted',
          gateway: null,
          coverage: { state: 'modelled', notModelled: [], cannotAct: [] },
        },
        expect.objectContaining({ id: BASELINE_ID, carrier: 'none', ratio: 1 }),
      ],
      recommendation: { state: 'try', profileId: 'c4-d6', sentence: 'Try it. To measure: run it', measure: 'run it' },
      model: {
        errorP50: 0.04,
        errorP90: 0.12,
        basis: '100 loads',
        regimes: [],
        unmeasured: ['HTTP/3, no packet lost'],
      },
      inferred: [{ page: 'page', ...INFERRED }],
      // 2000 / 2500 - 1.
      recorded: [{ ...RECORDED, simulatedMs: 2000, difference: 2000 / 2500 - 1, state: 'parts' }],
      reach: { requests: 2, byConnections: 2, byDepth: 2 },
      scenarios: [
        {
          page: { name: 'page', requests: 2, origins: 2, bytes: 1500 },
          link: LINK_JSON,
          runs: 51,
          profiles: [
            { id: BASELINE_ID, loadTimeMs: 2000, efficiency: 0.5, connections: 7, bound: 'bandwidth', retransmissions: 0 },
            { id: 'c4-d6', loadTimeMs: 1600, efficiency: 0.625, connections: 7, bound: 'loss', retransmissions: 0 },
          ],
        },
      ],
      duplicates: [],
      notes: ['A note.'],
    });
  });

  it('prices what the recorded load fetched twice over each link, and says null where the link or the bytes are not enough', () => {
    const [page] = facts().pages;
    const priced = (duplicates: DuplicateMeasures) =>
      predictJson(
        facts({
          links: [LINK, { ...LINK, name: 'near', link: { ...LINK.link, rttMs: 20 } }],
          pages: page ? [{ ...page, duplicates }] : [],
        }),
      );
    // 3 x 300 ms + 800 kbit / 2000 kbit/s; 3 x 20 ms + the same.
    expect(priced({ duplicateFetches: 3, duplicateBytes: bytes(100_000), emptySources: 1 }).duplicates).toEqual([
      {
        page: 'page',
        requests: 3,
        roundTrips: 3,
        emptySources: 1,
        bytes: 100_000,
        links: [
          { link: 'far', ms: 1300 },
          { link: 'near', ms: 460 },
        ],
      },
    ]);
    expect(priced({ duplicateFetches: 3 }).duplicates).toMatchObject([{ bytes: null, links: [{ ms: null }, { ms: null }] }]);
    expect(priced({ duplicateFetches: 0 }).duplicates).toEqual([]);
  });

  it('says null where there are several links, and sums the pages', () => {
    const both = predictJson(
      facts({ links: [LINK, { ...LINK, name: 'near' }], pages: [...facts().pages, { name: 'other', page: PAGE, inferred: [] }] }),
    );
    expect(both.link).toBeNull();
    expect(both.page).toEqual({ requests: 4, origins: 4, bytes: 3000 });
  });

  it('says null of what was assumed of the link, which is of no page', () => {
    const estimated = { field: 'link', requests: 2, rule: 'Estimated.' } as const;
    expect(predictJson(facts({ links: [{ ...LINK, inferred: [estimated] }] })).inferred).toEqual([
      { page: 'page', ...INFERRED },
      { page: null, ...estimated },
    ]);
  });

  it('says null of an error that was not measured', () => {
    expect(predictJson(facts({ error: undefined })).model).toMatchObject({
      errorP50: null,
      errorP90: null,
      basis: 'not measured',
    });
  });

  it('refuses a scenario of no page', () => {
    expect(() => predictJson(facts({ pages: [] }))).toThrow(RangeError);
  });
});
