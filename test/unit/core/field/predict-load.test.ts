import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { linksOfLoads } from '../../../../src/core/field/field-links.ts';
import { loadSummary } from '../../../../src/core/field/load-summary.ts';
import { type PredictLoadInput, predictLoad } from '../../../../src/core/field/predict-load.ts';
import { recordedLoad as listedLoad } from '../../../../src/core/field/recorded-loads.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { MarkedPageLoad } from '../../../../src/core/trial/trial-mark.ts';
import { kilobitsPerSecond } from '../../../../src/core/units.ts';
import { fakePredictor, recordedLoad } from '../../../support/recorded-load.ts';

const PROFILES = resolveProfiles(['firefox-default', 'c8-d1']);
const near = (minute: number, page: string, profileId?: string) =>
  recordedLoad({ minute, rttMs: 20, page, ...(profileId !== undefined && { profileId }) });

/** The newest first. */
function recordedLoads(loads: readonly MarkedPageLoad[], stored: Parameters<typeof linksOfLoads>[1]) {
  const over = linksOfLoads(loads, stored);
  return loads.map((load) => listedLoad(load, over)).toReversed();
}

/** Of the newest of these loads. */
const predictNewest = (loads: readonly MarkedPageLoad[], more: Partial<PredictLoadInput> = {}) =>
  predictLoad({
    load: loads.at(-1) as MarkedPageLoad,
    figures: loads.map(loadSummary),
    names: [],
    profiles: PROFILES,
    predictor: fakePredictor({ times: { a: { 'firefox-default': 1000, 'c8-d1': 800, 'c2-d1': 2000, 'c4-d6': 1000 } } }),
    ...more,
  });
const rows = (...args: Parameters<typeof predictNewest>) => {
  const { prediction } = predictNewest(...args);
  if (prediction.state !== 'predicted') throw new Error(`It is ${prediction.state}`);
  return prediction.profiles.map(({ profile, loadTimeMs, measured }) => ({ id: profile.id, loadTimeMs, measured }));
};

/** 4 round trips of 20 ms and 786 ms. */
const LOAD_TIME_MS = 866;

describe('a load', () => {
  it('is predicted under every profile, beside what was measured of its page', () => {
    const loads = [near(0, 'a'), near(1, 'b'), near(2, 'a'), near(3, 'a', 'c2-d1'), near(4, 'a')];
    expect(rows(loads)).toEqual([
      { id: 'c8-d1', loadTimeMs: 800, measured: undefined },
      { id: 'firefox-default', loadTimeMs: 1000, measured: { loads: 3, medianMs: LOAD_TIME_MS } },
      // Not offered, but measured.
      { id: 'c2-d1', loadTimeMs: 2000, measured: { loads: 1, medianMs: LOAD_TIME_MS } },
    ]);
  });

  it('is not held beside loads over another network', () => {
    const far = Array.from({ length: 8 }, (_, at) => recordedLoad({ minute: at, rttMs: 200, page: 'a' }));
    const loads = [...far, ...Array.from({ length: 8 }, (_, at) => near(1000 + at, 'a'))];
    expect(rows(loads).find(({ id }) => id === 'firefox-default')?.measured).toEqual({
      loads: 8,
      medianMs: LOAD_TIME_MS,
      intervalMs: { low: LOAD_TIME_MS, high: LOAD_TIME_MS },
    });
  });

  it('is not held beside loads that only washed out what was before', () => {
    const mark = { trialId: 't', block: 0, slot: 0, profileId: 'firefox-default', position: 0, washout: true };
    const loads = [{ ...near(0, 'a'), trial: { mark } }, near(1, 'a'), near(2, 'a'), near(3, 'a')];
    expect(rows(loads).find(({ id }) => id === 'firefox-default')?.measured?.loads).toBe(3);
  });

  it('is predicted without the depth that nothing carried', () => {
    const asked: (number | undefined)[] = [];
    const { predict, ...rest } = fakePredictor();
    const predictor = {
      ...rest,
      predict: (options: Parameters<typeof predict>[0]) => {
        asked.push(...options.profiles.map((profile) => (typeof profile === 'string' ? undefined : profile.depth)));
        return predict(options);
      },
    };
    rows([near(0, 'a'), near(1, 'a'), near(2, 'a'), near(3, 'a', 'c4-d6')], { predictor });
    expect(asked).toEqual([1, 1, 1]);
  });

  it('of which nothing can be said says why', () => {
    const predictor = fakePredictor({
      onPage: () => {
        throw new PlumbfoxError('bad-input', 'All of it came from the cache');
      },
    });
    const loads = Array.from({ length: 4 }, (_, at) => near(at, 'a'));
    expect(predictNewest(loads, { predictor }).prediction).toEqual({
      state: 'nothing-to-predict',
      because: 'All of it came from the cache',
    });
    const silent = recordedLoad({ minute: 0, rttMs: 20, page: 'a', isSilent: true });
    expect(predictNewest([silent]).prediction).toEqual({ state: 'link-not-known' });
    const small = Array.from({ length: 6 }, (_, at) => recordedLoad({ minute: at, rttMs: 20, page: 'a', isSmall: true }));
    expect(predictNewest(small).prediction).toEqual({ state: 'rate-not-known' });
  });
});

describe('recorded loads', () => {
  it('are listed with the newest first, and what is known of them', () => {
    const loads = [near(0, 'a'), near(1, 'a'), near(2, 'a'), near(3, 'b', 'c2-d1')];
    const listed = recordedLoads(loads, { figures: loads.map(loadSummary), names: [] });
    expect(listed.map(({ id }) => id)).toEqual(['load-3', 'load-2', 'load-1', 'load-0']);
    expect(listed[0]).toMatchObject({
      url: 'http://site.test/b',
      profileId: 'c2-d1',
      standing: 'whole',
      loadTimeMs: LOAD_TIME_MS,
      link: { name: 'RTT 20 ms, 1 Mbit/s' },
    });
    // 2 round trips of 20 ms and 100,000 bytes at 1 Mbit/s (800 ms), or little more where the rate is taken to be less, of 866 ms.
    expect(listed[0]?.efficiency).toBeGreaterThan(0.9);
    expect(listed[0]?.efficiency).toBeLessThanOrEqual(1);
  });

  it('that were cut short have a bound and no efficiency', () => {
    const cut = recordedLoad({ minute: 9, rttMs: 20, page: 'a', ended: 'page-left' });
    const loads = [near(0, 'a'), near(1, 'a'), near(2, 'a'), cut];
    const [newest] = recordedLoads(loads, { figures: loads.map(loadSummary), names: [] });
    expect(newest).toMatchObject({ standing: 'cut-short', loadTimeMs: LOAD_TIME_MS });
    expect(newest).not.toHaveProperty('efficiency');
  });

  it.each([
    // 100,000 bytes take 800 ms of 866 at 1 Mbit/s, and 1,600 ms at half of it.
    { share: 1, ended: 'quiet', disproved: false },
    { share: 0.5, ended: 'quiet', disproved: true },
    // A load that was cut short was not fast.
    { share: 0.5, ended: 'page-left', disproved: false },
  ] as const)('disprove a link of $share of their rate: $disproved ($ended)', ({ share, ended, disproved }) => {
    const load = recordedLoad({ minute: 3, rttMs: 20, page: 'a', ended });
    const over = linksOfLoads([near(0, 'a'), near(1, 'a'), near(2, 'a'), load], { figures: [], names: [] });
    const link = over.linkOf(load);
    const slower = link && { ...link, downKbps: kilobitsPerSecond(share * 1000) };
    const listed = listedLoad(load, { ...over, linkOf: () => slower });
    expect(listed.linkDisproved === true).toBe(disproved);
    expect(listed.efficiency === undefined).toBe(share < 1);
  });
});
